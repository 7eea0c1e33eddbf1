-- Run after every migration, safe to repeat: row-level security and grants follow from the columns a table has. The
-- policies hold for the owner too, whose functions write the audit chain.
-- A table with `workspace_id` first in its key belongs to a workspace, and so on; identity tables to nobody.
do $$
declare
  the_table text;
  the_column text;
  the_rule text;
begin
  for the_table, the_column in
    select c.relname, a.attname
      from pg_class c
      join pg_index i on i.indrelid = c.oid and i.indisprimary
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  loop
    the_rule := case the_column
      when 'tenant_id' then 'tenant_id = (select coalesce(kobana_workspace(), kobana_organization()))'
      when 'workspace_id' then 'workspace_id = (select kobana_workspace())'
      when 'organization_id' then 'organization_id = (select kobana_organization())'
    end;
    if the_rule is not null and the_table <> 'workspaces' then
      execute format('alter table %I enable row level security', the_table);
      execute format('alter table %I force row level security', the_table);
      execute format('drop policy if exists tenant on %I', the_table);
      execute format('create policy tenant on %I to kobana_app, current_user using (%s) with check (%s)', the_table, the_rule, the_rule);
    end if;
    execute format('revoke all on %I from kobana_app', the_table);
    if the_table = 'schema_migrations' then
      execute format('grant select on %I to kobana_app', the_table);
    else
      execute format('grant select on %I to kobana_app', the_table);
      if the_table not in ('events', 'event_chains', 'event_records') then
        execute format('grant insert on %I to kobana_app', the_table);
      end if;
      if the_table not in ('events', 'event_chains', 'event_records', 'access_log') then
        execute format('grant update, delete on %I to kobana_app', the_table);
      end if;
    end if;
  end loop;
end $$;
grant usage on schema public to kobana_app;
grant select, insert, update, delete on memberships to kobana_app;
grant execute on function enqueue_job(text, json, timestamptz, text) to kobana_app;
grant execute on function append_event(uuid, timestamptz, text, uuid, text) to kobana_app;
revoke execute on function append_event(uuid, timestamptz, text, uuid, text) from public;
revoke execute on function enqueue_job(text, json, timestamptz, text) from public;
