/**
 * A portfolio of any size, made by the database itself from the number of each row: debtors with contacts, charges around
 * today, payments of some of them, and rules that wait for their day. Every figure is as the replay of a charge without
 * terms leaves it.
 */

import { bankHolidaysOf } from '../../core/calendar.ts';
import type { CivilDate } from '../../core/dates.ts';
import { newId } from '../../core/ids.ts';
import type { Db, Statement } from '../../core/ports.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';

export interface ScaleOptions {
  readonly organizationId: string;
  readonly userId: string;
  readonly charges: number;
  readonly today: CivilDate;
  /** Charges of one debtor, on average. Default 2.5. */
  readonly chargesPerDebtor?: number;
  /** Due dates lie on the days from so many before today. Default 150. */
  readonly daysBefore?: number;
  /** To so many after it. Default 30. */
  readonly daysAfter?: number;
  /** Every so many-th of the charges that are due is still open. Default 4. */
  readonly openEvery?: number;
}

export interface ScaleReport {
  readonly debtors: number;
  readonly contacts: number;
  readonly charges: number;
  readonly payments: number;
  readonly rules: number;
}

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

const texts = {
  email:
    '{{charge_description}}, vencimento em {{charge_due_date}}: {{charge_amount_due}}.\n\n{{creditor_name}}',
  whatsapp:
    'Olá, {{debtor_name}}. {{charge_description}}: {{charge_amount_due}}, vencimento em {{charge_due_date}}.',
  sms: '{{creditor_name}}: {{charge_description}}, {{charge_amount_due}}. Duvidas: {{creditor_phone}}',
} as const;

/** States in the order of their names: half of the debtors live in SP. */
const STATES = 'AC,AL,AM,AP,BA,CE,DF,ES,GO,MA,MG,MS,MT,PA,PB,PE,PI,PR,RJ,RN,RO,RR,RS,SC,SE,TO';

/** In one transaction that is bound to the organization. */
export async function fillPortfolio(db: Db, options: ScaleOptions): Promise<ScaleReport> {
  const { charges, chargesPerDebtor = 2.5 } = options;
  const debtors = Math.max(1, Math.round(charges / chargesPerDebtor));
  const ruleIds = await insertRules(db, options);
  await db.run(debtorRows(options, debtors));
  let contacts = 0;
  for (const statement of contactRows(options, debtors)) contacts += await db.run(statement);
  await db.run(chargeRows(options, debtors, ruleIds));
  const payments = await db.run(paymentRows(options));
  return { debtors, contacts, charges, payments, rules: RULES };
}

async function insertRules(db: Db, { organizationId, userId }: ScaleOptions): Promise<string[]> {
  const templates: Record<string, string> = {};
  for (const [channel, body] of Object.entries(texts)) {
    const id = newId();
    templates[channel] = id;
    const subject = channel === 'email' ? 'Mensagem de {{creditor_name}}' : null;
    await db.run(sql`
      insert into dunning_templates (organization_id, id, name, channel, subject, body, created_by)
      values (${organizationId}, ${id}, ${`Aviso (${channel})`}, ${channel}, ${subject}, ${body}, ${userId})`);
    await db.run(sql`
      insert into dunning_template_versions (organization_id, template_id, text_version, subject, body, created_by)
      values (${organizationId}, ${id}, 1, ${subject}, ${body}, ${userId})`);
  }
  const ruleIds = Array.from({ length: RULES }, () => newId());
  for (const [place, id] of ruleIds.entries()) {
    await db.run(sql`
      insert into dunning_collection_rules (organization_id, id, name, is_default, active, created_by)
      values (${organizationId}, ${id}, ${`Régua ${place + 1}`}, ${place === 0}, true, ${userId})`);
    for (const { offset, time, channel } of steps) {
      await db.run(sql`
        insert into dunning_rule_steps (organization_id, id, rule_id, position, offset_days, day_kind, time_of_day,
                                        action, channel, template_id, created_by)
        values (${organizationId}, ${newId()}, ${id}, 0, ${offset}, 'calendar', ${time}::time,
                ${channel === null ? 'task' : 'message'}, ${channel ?? 'phone'},
                ${channel === null ? null : templates[channel]!}, ${userId})`);
    }
  }
  return ruleIds;
}

/**
 * The same id for the same kind and number, so that rows can name each other without being looked up; rising with the
 * number, as ids made in time order are.
 */
function idOf({ organizationId }: ScaleOptions, kind: string, number: string): Sql {
  const place = raw(number);
  return sql`(lpad(to_hex((${place})::bigint), 12, '0') || '7' || substr(md5(${organizationId}::text || ${kind}::text || (${place})::text), 1, 3)
             || '8' || substr(md5(${kind}::text || ${organizationId}::text || (${place})::text), 1, 15))::uuid`;
}

/** A check digit of a CPF, of the digits `d` before it. */
const digit = (count: number) =>
  `(11 - mod((select sum(substr(d, k, 1)::int * (${count} - k)) from generate_series(1, ${count - 2}) k)::int, 11))`;

function debtorRows(options: ScaleOptions, debtors: number): Statement {
  const { organizationId, userId, today } = options;
  const check = (count: number) =>
    raw(`(select case when r > 9 then 0 else r end from (select ${digit(count)} as r) x)`);
  return sql`
    insert into dunning_people (organization_id, id, name, kind, document_number, address, state, is_consumer, search_text,
                                created_by, created_at, updated_at)
    select ${organizationId}, ${idOf(options, 'debtor', 'n')}, 'Devedor ' || n, 'natural', document,
           jsonb_build_object('street', 'Rua do Horizonte', 'number', n::text, 'city', 'Centro', 'state', state,
                              'postal_code', lpad(n::text, 8, '0')),
           state, true, 'devedor ' || n || ' ' || document || ' '
             || regexp_replace(document, '^(...)(...)(...)(..)$', '\\1.\\2.\\3-\\4'), ${userId}, made_at, made_at
      from (select n, state, made_at, d || ${check(12)}::text as document
              from (select n, state, made_at, d || ${check(11)}::text as d
                      from (select n, '9' || lpad(n::text, 8, '0') as d,
                                   case when n % 2 = 0 then 'SP' else (string_to_array(${STATES}, ','))[1 + n / 2 % 26] end as state,
                                   ${today}::date - interval '300 days' + n * interval '0.1 second' as made_at
                              from generate_series(1, ${debtors}::int) n) numbered) first) second`;
}

function contactRows(options: ScaleOptions, debtors: number): Statement[] {
  const { organizationId, userId, today } = options;
  const contact = (channel: string, value: string, identity: string) => sql`
    insert into dunning_contacts (organization_id, id, person_id, channel, value, identity, is_primary, created_by,
                                  created_at, updated_at)
    select ${organizationId}, ${idOf(options, channel, 'n')}, ${idOf(options, 'debtor', 'n')}, ${channel}, ${raw(value)},
           ${raw(identity)}, true, ${userId}, ${today}::date - interval '300 days', ${today}::date - interval '300 days'
      from generate_series(1, ${debtors}::int) n`;
  const mail = `'devedor' || n || '@example.com'`;
  // No mobile number begins with 90.
  const [phone, identity] = [`'+55119' || lpad(n::text, 8, '0')`, `'+5511' || lpad(n::text, 8, '0')`];
  return [
    contact('email', mail, mail),
    contact('sms', phone, identity),
    contact('whatsapp', phone, identity),
  ];
}

/** The next business day of a date, as far as the bank holidays of these years go. */
function adjusted({ today }: ScaleOptions, due: string): Sql {
  const year = Number(today.slice(0, 4));
  const holidays = [year - 2, year - 1, year, year + 1].flatMap((one) => [...bankHolidaysOf(one).keys()]);
  return sql`(select min(${raw(due)} + ahead) from generate_series(0, 7) ahead
               where extract(isodow from ${raw(due)} + ahead) < 6 and ${raw(due)} + ahead <> all(${holidays}::date[]))`;
}

/** Most of what is due was paid, some of it late. Rules begin today: nothing of the past is sent. */
function chargeRows(options: ScaleOptions, debtors: number, ruleIds: readonly string[]): Statement {
  const { organizationId, userId, charges, today, daysBefore = 150, daysAfter = 30, openEvery = 4 } = options;
  const days = daysBefore + daysAfter + 1;
  return sql`
    with days as materialized (
      select due, ${adjusted(options, 'due')} as adjusted
        from (select ${today}::date - ${daysBefore}::int + day as due from generate_series(0, ${days}::int - 1) day) every)
    insert into dunning_charges (organization_id, id, person_id, amount_cents, open_cents, ledger, due_date,
                                 adjusted_due_date, description, document_number, status, paid_on, collection_rule_id,
                                 rule_started_at, dunning_state, search_text, created_by, created_at, updated_at)
    select ${organizationId}, ${idOf(options, 'charge', 'n')}, ${idOf(options, 'debtor', `1 + n % ${debtors}`)}, cents,
           case when paid_on is null then cents else 0 end,
           case when paid_on is not null then jsonb_build_object(
             'on', paid_on, 'exact', '0', 'accruedUntil', case when paid_on > adjusted then paid_on else due end,
             'isFined', paid_on > adjusted, 'unpaidFine', 0, 'paidInterest', 0, 'discount', 0) end,
           due, adjusted, 'Mensalidade ' || n, 'NF-' || n,
           case when paid_on is not null then 'paid' when adjusted < ${today}::date then 'overdue' else 'pending' end,
           paid_on, (${ruleIds}::uuid[])[1 + n % ${raw(String(RULES))}], now(),
           case when paid_on is null then 'active' else 'completed' end, 'mensalidade ' || n || ' nf-' || n, ${userId},
           made_at, made_at
      from (select n, due, adjusted, cents, made_at,
                   case when n % ${openEvery}::int <> 0 and paid_on < ${today}::date then paid_on end as paid_on
              from (select n, due, adjusted, 1000 + (n * 37::bigint) % 500000 as cents,
                           (due - 20)::timestamptz + n % 86400 * interval '1 second' as made_at,
                           due + case when n % 3 = 0 then 1 + n % 40 else -(n % 4) end as paid_on
                      from generate_series(1, ${charges}::int) n
                      join days on days.due = ${today}::date - ${daysBefore}::int + (n * 7::bigint % ${days}::int)::int) drawn) told`;
}

function paymentRows(options: ScaleOptions): Statement {
  const { organizationId, userId } = options;
  return sql`
    insert into dunning_payments (organization_id, id, person_id, charge_id, amount_cents, paid_on, effective_on, credited_on,
                                  method, principal_cents, kind, steps_before, recovered_cents, days_overdue,
                                  created_by, created_at, updated_at)
    select organization_id, uuid_v7(), person_id, id, amount_cents, paid_on, paid_on, paid_on, 'pix', amount_cents, 'regular',
           0, case when paid_on > adjusted_due_date then amount_cents end,
           case when paid_on > adjusted_due_date then paid_on - due_date end, ${userId},
           paid_on + interval '15 hours', paid_on + interval '15 hours'
      from dunning_charges where organization_id = ${organizationId} and status = 'paid'`;
}
