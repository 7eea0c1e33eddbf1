/**
 * A portfolio of any size for the benches of dunning, made by the database itself from the number of each row: debtors
 * with their contacts, charges around a day, some of them paid, five collection rules of eight steps.
 */

import pg from 'pg';
import { newId } from '../src/core/ids.ts';
import { openDatabase } from '../src/db/database.ts';
import { createOwners } from '../test/support/owner.ts';

export interface PortfolioOptions {
  readonly charges: number;
  /** Charges of one debtor, on average. Default 2.5. */
  readonly chargesPerDebtor?: number;
  /** Due dates lie on the days from so many before `PORTFOLIO_TODAY`. Default 45. */
  readonly daysBefore?: number;
  /** To so many after it. Default 14. */
  readonly daysAfter?: number;
  /** Searching needs the words of every record; making them takes most of the time. Default true. */
  readonly hasSearchWords?: boolean;
}

export interface Portfolio {
  readonly organizationId: string;
  readonly ruleIds: readonly string[];
  readonly charges: number;
}

/** A Thursday with business days around it: every tenth charge is paid, the others are open. */
export const PORTFOLIO_TODAY = '2026-10-08';

const RULES = 5;
/** Days from the due date of the steps of each rule, and when in the day they come. */
const steps = [
  { offset: -3, time: '09:00', channel: 'email' },
  { offset: -1, time: '09:00', channel: 'sms' },
  { offset: 0, time: '09:30', channel: 'email' },
  { offset: 1, time: '10:00', channel: 'whatsapp' },
  { offset: 3, time: '10:30', channel: 'email' },
  { offset: 7, time: '11:00', channel: 'sms' },
  { offset: 15, time: '14:00', channel: 'whatsapp' },
  { offset: 30, time: '15:00', channel: null },
] as const;
const channels = ['email', 'sms', 'whatsapp'] as const;

/** Makes an organization of this name and its portfolio. */
export async function createPortfolio(
  ownerUrl: string,
  name: string,
  options: PortfolioOptions,
): Promise<Portfolio> {
  const { charges, chargesPerDebtor = 2.5, daysBefore = 45, daysAfter = 14, hasSearchWords = true } = options;
  const database = openDatabase({ connectionString: ownerUrl, size: 1 });
  const { organizationId } = await createOwners(database.shared, name);
  await database.close();
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // Generated rows refer to each other rightly; checking each of millions takes most of the time.
    await client.query('set session_replication_role = replica');
    if (hasSearchWords) await client.query(keepSearchWords);
    const ruleIds = await createRules(client, organizationId);
    const debtors = Math.max(1, Math.round(charges / chargesPerDebtor));
    for (const statement of debtorStatements) await client.query(statement, [organizationId, debtors]);
    const days = daysBefore + daysAfter + 1;
    await client.query(chargeStatement, [organizationId, charges, debtors, daysBefore, days, ruleIds]);
    await client.query("select set_config('kobana.organization_id', $1, false)", [organizationId]);
    await client.query(`select append_event($1, now(), 'bench', $1, '{}')`, [organizationId]);
    for (const table of ['people', 'contacts', 'charges']) {
      await client.query(`vacuum (analyze) dunning_${table}`);
    }
    await client.query('checkpoint');
    return { organizationId, ruleIds, charges };
  } finally {
    await client.end();
  }
}

async function createRules(client: pg.Client, organizationId: string): Promise<string[]> {
  const templates: Record<string, string> = {};
  for (const channel of channels) {
    templates[channel] = newId();
    const values = [organizationId, templates[channel], channel, channel === 'email' ? 'Aviso' : null];
    await client.query(
      `insert into dunning_templates (organization_id, id, name, channel, subject, body, created_by)
       values ($1, $2, $3, $3, $4, 'Temos um aviso para você.', $1)`,
      values,
    );
    await client.query(
      `insert into dunning_template_versions (organization_id, template_id, text_version, subject, body, created_by)
       values ($1, $2, 1, $3, 'Temos um aviso para você.', $1)`,
      [organizationId, templates[channel], channel === 'email' ? 'Aviso' : null],
    );
  }
  const ruleIds: string[] = [];
  for (let rule = 0; rule < RULES; rule += 1) {
    const ruleId = newId();
    ruleIds.push(ruleId);
    await client.query(
      `insert into dunning_collection_rules (organization_id, id, name, active, created_by, created_at, updated_at)
       values ($1, $2, $3, true, $1, '2026-01-01', '2026-01-01')`,
      [organizationId, ruleId, `Régua ${rule + 1}`],
    );
    for (const [position, { offset, time, channel }] of steps.entries()) {
      await client.query(
        `insert into dunning_rule_steps (organization_id, id, rule_id, position, offset_days, day_kind, time_of_day, action,
                                         channel, template_id, created_by, created_at, updated_at)
         values ($1, $2, $3, $4, $5, 'calendar', $6, $7, $8, $9, $1, '2026-01-01', '2026-01-01')`,
        [
          organizationId,
          newId(),
          ruleId,
          position,
          offset,
          time,
          channel === null ? 'task' : 'message',
          channel,
          channel === null ? null : templates[channel],
        ],
      );
    }
  }
  return ruleIds;
}

/** Triggers rest with the checks of references; the ones that keep the words of a search do not. */
const keepSearchWords = `
  do $$ declare the_table regclass; begin
    for the_table in select tgrelid::regclass from pg_trigger where tgname = 'search_words_added' loop
      execute format('alter table %s enable always trigger search_words_added', the_table);
    end loop;
  end $$`;

/**
 * The same id for the same kind and number, so that rows can name each other without being looked up; rising with the
 * number, as ids made in time order are.
 */
const idOf = (kind: string, number: string) =>
  `(lpad(to_hex(${number}), 12, '0') || substr(md5($1::uuid::text || '${kind}' || (${number})::text), 1, 20))::uuid`;

/** States in the order of their names: half of the debtors live in SP. */
const state = `case when n % 2 = 0 then 'SP' else
  (array['AC','AL','AM','AP','BA','CE','DF','ES','GO','MA','MG','MS','MT','PA','PB','PE','PI','PR','RJ','RN','RO','RR','RS','SC','SE','TO'])
    [1 + n / 2 % 26] end`;

const phone = `'+5511' || lpad(n::text, 9, '9')`;

const debtorStatements = [
  `insert into dunning_people (organization_id, id, name, kind, document_number, address, state, is_consumer, search_text,
                               created_by, created_at)
   select $1, ${idOf('debtor', 'n')}, 'Devedor ' || n, case n % 3 when 0 then 'legal' else 'natural' end,
          lpad(n::text, 11, '0'), '{"city":"São Paulo"}', ${state}, n % 3 <> 0, 'devedor ' || n, $1,
          timestamptz '2024-01-01' + n * interval '1 minute'
     from generate_series(1, $2::int) n`,
  // Contacts of one debtor beside each other, as they are registered.
  `insert into dunning_contacts (organization_id, id, person_id, channel, value, identity, is_primary, created_by)
   select $1, ${idOf('contact', 'n * 3 + place')}, ${idOf('debtor', 'n')}, channel, value, value, true, $1
     from generate_series(1, $2::int) n,
          lateral (values (0, 'email', 'devedor' || n || '@example.com'), (1, 'sms', ${phone}), (2, 'whatsapp', ${phone}))
            as contacts (place, channel, value)`,
];

/** The next business day, Mondays apart that are holidays: the bench looks at none. */
const adjusted = (due: string) =>
  `${due} + case extract(isodow from ${due}) when 6 then 2 when 7 then 1 else 0 end`;

const chargeStatement = `
  insert into dunning_charges (organization_id, id, person_id, amount_cents, open_cents, due_date, adjusted_due_date,
                               description, document_number, status, paid_on, collection_rule_id, rule_started_at,
                               dunning_state, search_text, created_by, created_at)
  select $1, ${idOf('charge', 'n')}, ${idOf('debtor', '1 + n % $3::int')}, cents, case when is_paid then 0 else cents end,
         due, adjusted, 'Mensalidade ' || n, 'NF-' || n,
         case when is_paid then 'paid' when adjusted < date '${PORTFOLIO_TODAY}' - 1 then 'overdue' else 'pending' end,
         case when is_paid then due + n % 20 end, ($6::uuid[])[1 + n % ${RULES}], '2026-01-01',
         case when is_paid then 'completed' else 'active' end, 'mensalidade ' || n || ' nf-' || n, $1,
         timestamptz '2025-01-01' + n * interval '10 seconds'
    from (select n, n % 10 = 9 as is_paid, 1000 + (n * 37::bigint) % 500000 as cents, due, ${adjusted('due')} as adjusted
            from (select n, date '${PORTFOLIO_TODAY}' - $4::int + (n * 7::bigint % $5::int)::int as due
                    from generate_series(1, $2::int) n) dated) drawn`;
