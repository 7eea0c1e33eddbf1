/** Reads the schema back from a database: `schema.sql` for people and diffs, `rows.ts` for the compiler. */

import type pg from 'pg';

/** The public schema as text, in a stable order: tables with constraints, indexes and policies, then functions and triggers. */
export async function dumpSchema(client: pg.Client): Promise<string> {
  const parts = [
    '-- Generated from the migrations by `npm run generate`. Not run by anything.\n',
    ...(await texts(client, domains)),
    ...(await texts(client, tables)),
    ...(await texts(client, indexes)),
    ...(await texts(client, policies)),
    ...(await texts(client, functions)),
    ...(await texts(client, triggers)),
    ...(await texts(client, grants)),
  ];
  return `${parts.join('\n')}\n`;
}

/** One TypeScript type per table, fields as `pg` delivers them (see `database.ts`). */
export async function dumpRowTypes(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ table: string; column: string; type: string; required: boolean }>(
    columns,
  );
  const byTable = Map.groupBy(rows, (row) => row.table);
  const lines = [
    '// Generated from the migrations by `npm run generate`: the rows as the driver delivers them.',
    '',
    'export interface Tables {',
  ];
  for (const [table, own] of byTable) {
    lines.push(`  ${table}: {`);
    for (const { column, type, required } of own)
      lines.push(`    ${column}: ${typeOf(type)}${required ? '' : ' | null'};`);
    lines.push('  };');
  }
  return `${lines.join('\n')}\n}\n`;
}

const rowTypes: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  char: 'string',
  date: 'string',
  float4: 'number',
  int4: 'number',
  int8: 'number',
  jsonb: 'unknown',
  text: 'string',
  time: 'string',
  timestamptz: 'string',
  uuid: 'string',
  _text: 'string[]',
  _uuid: 'string[]',
};

function typeOf(type: string): string {
  const rowType = rowTypes[type];
  if (rowType === undefined) throw new Error(`no TypeScript type is known for the column type ${type}`);
  return rowType;
}

async function texts(client: pg.Client, text: string): Promise<string[]> {
  return (await client.query<{ text: string }>(text)).rows.map((row) => row.text);
}

const columns = `
  select c.relname as table, a.attname as column, coalesce(b.typname, t.typname) as type, a.attnotnull as required
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type b on t.typtype = 'd' and b.oid = t.typbasetype
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
   order by c.relname, a.attnum`;

const domains = `
  select format(E'create domain %I as %s %s;\\n', t.typname, format_type(t.typbasetype, t.typtypmod), string_agg(pg_get_constraintdef(k.oid), ' ' order by k.conname)) as text
    from pg_type t join pg_constraint k on k.contypid = t.oid
   where t.typnamespace = 'public'::regnamespace and t.typtype = 'd'
   group by t.oid order by t.typname`;

const tables = `
  select format(E'create table %I (\\n%s\\n);', c.relname, string_agg(line, E',\\n' order by part, position, line))
    || case when c.relrowsecurity then format(E'\\nalter table %I enable row level security;', c.relname) else '' end
    || case when c.relforcerowsecurity then format(E'\\nalter table %I force row level security;', c.relname) else '' end || E'\\n' as text
    from pg_class c
    cross join lateral (
      select 1 as part, a.attnum::int as position,
             format('  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
               case when a.attnotnull then ' not null' else '' end,
               case when a.attidentity <> '' then ' generated always as identity' else '' end,
               case when d.oid is not null and a.attgenerated = '' then ' default ' || pg_get_expr(d.adbin, d.adrelid)
                    when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
                    else '' end) as line
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      union all
      select 2, 0, format('  constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
        from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c')
    ) lines
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
   group by c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity order by c.relname`;

const indexes = `
  select pg_get_indexdef(i.indexrelid) || ';' as text
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
   where c.relnamespace = 'public'::regnamespace
     and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
   order by c.relname, x.relname`;

const policies = `
  select format('create policy %I on %I to %s using (%s) with check (%s);', policyname, tablename, array_to_string(roles, ', '),
                regexp_replace(qual, '\\s+', ' ', 'g'), regexp_replace(with_check, '\\s+', ' ', 'g')) as text
    from pg_policies where schemaname = 'public' order by tablename, policyname`;

const functions = `
  select E'\\n' || pg_get_functiondef(p.oid) || ';' as text
    from pg_proc p where p.pronamespace = 'public'::regnamespace order by p.proname`;

const triggers = `
  select pg_get_triggerdef(t.oid) || ';' as text
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where c.relnamespace = 'public'::regnamespace and not t.tgisinternal order by c.relname, t.tgname`;

const grants = `
  select format('grant %s on %I to kobana_app;', string_agg(lower(privilege_type), ', ' order by privilege_type), table_name) as text
    from information_schema.role_table_grants
   where table_schema = 'public' and grantee = 'kobana_app' group by table_name order by table_name`;
