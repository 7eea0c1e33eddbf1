-- Finding words among many records. The operators of full-text and trigram indexes may not run before a row-level
-- policy has judged the row, so such an index is not used; comparing text may, so words are kept in a table of their
-- own, which is found by comparison alone. Filled by triggers, whoever writes the records.

create table search_words (
  workspace_id uuid not null,
  -- p: payables, r: receivables, t: financial transactions, n: people, by their names.
  kind "char" not null,
  word text collate "C" not null,
  record_id uuid not null,
  primary key (workspace_id, kind, word, record_id)
);

-- The distinct words of a search text: letters and digits, at most 40 of each word and 60 words.
create function words_of(search_text text) returns setof text language sql immutable parallel safe
as $$
  select distinct left(word, 40)
    from unnest((string_to_array(regexp_replace(search_text, '[^a-z0-9]+', ' ', 'g'), ' '))[1:60]) word
   where word <> ''
$$;

create function add_search_words() returns trigger language plpgsql as $$
begin
  insert into search_words (workspace_id, kind, word, record_id)
    select added.workspace_id, tg_argv[0]::"char", word, added.id from added, words_of(added.search_text) word;
  return null;
end $$;

create function change_search_words() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from search_words
     where workspace_id = old.workspace_id and kind = tg_argv[0]::"char" and record_id = old.id
       and word in (select words_of(old.search_text));
  end if;
  if tg_op = 'UPDATE' then
    insert into search_words (workspace_id, kind, word, record_id)
      select new.workspace_id, tg_argv[0]::"char", words_of(new.search_text), new.id;
  end if;
  return null;
end $$;

do $$
declare
  the_table text;
  the_kind text;
begin
  foreach the_table in array array['payables', 'receivables', 'financial_transactions', 'people'] loop
    the_kind := case the_table when 'payables' then 'p' when 'receivables' then 'r' when 'people' then 'n' else 't' end;
    execute format('create trigger search_words_added after insert on %I referencing new table as added
                    for each statement execute function add_search_words(%L)', the_table, the_kind);
    execute format('create trigger search_words_changed after update of search_text on %I
                    for each row when (old.search_text is distinct from new.search_text)
                    execute function change_search_words(%L)', the_table, the_kind);
    execute format('create trigger search_words_removed after delete on %I
                    for each row execute function change_search_words(%L)', the_table, the_kind);
    -- The policies hold for the owner too; without them, the records of every tenant are seen once.
    execute format('alter table %I no force row level security', the_table);
    execute format('insert into search_words select record.workspace_id, %L::"char", word, record.id
                      from %I record, words_of(record.search_text) word', the_kind, the_table);
    execute format('alter table %I force row level security', the_table);
  end loop;
end $$;
