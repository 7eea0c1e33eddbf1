import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';

interface Joined {
  readonly person_name: string;
  readonly person_document_number: string | null;
  readonly person_state: string | null;
  readonly person_kind: string;
  readonly person_is_consumer: boolean;
}

/** A charge with what its record and its questions show of the debtor. */
export type ChargeRow = Tables['dunning_charges'] & Joined;

export type NewCharge = Omit<Tables['dunning_charges'], 'created_at' | 'updated_at' | 'version'>;

/** Columns that are written; the rest is set by the database or by every change. */
const written = [
  'organization_id, id, person_id, amount_cents, abatement_cents, open_cents, ledger, due_date',
  'adjusted_due_date, description, document_number, title_kind, terms, payment_options, status, paid_on',
  'canceled_reason, collection_rule_id, rule_started_at, rule_cycle, dunning_state, paused_reason',
  'agreement_id, legal_kind, is_disputed, archived_at, external_id, source, finance_workspace_id',
  'finance_receivable_id, tags, search_text, created_by',
].join(', ');
const columns = raw(written);
const newColumns = raw(written.replace(/\w+/g, 'n.$&'));

/** What a charge `c` shows of its debtor `p`. */
export const personColumns = raw(
  `p.name as person_name, p.document_number as person_document_number, p.state as person_state,
   p.kind as person_kind, p.is_consumer as person_is_consumer`,
);

export const withPerson = raw(
  'dunning_charges c join dunning_people p on p.organization_id = c.organization_id and p.id = c.person_id',
);

/** In order of the ids, locked or not. Rows that are locked one after the other in one order never wait in a circle. */
export function selectCharges(
  db: Db,
  organizationId: string,
  ids: readonly string[],
  lock: boolean,
): Promise<ChargeRow[]> {
  return db.rows<ChargeRow>(sql`
    select c.*, ${personColumns} from ${withPerson}
     where c.organization_id = ${organizationId} and c.id = any(${ids}::uuid[])
     order by c.id ${raw(lock ? 'for update of c' : '')}`);
}

export async function selectChargeIdByExternalId(
  db: Db,
  organizationId: string,
  externalId: string,
): Promise<string | undefined> {
  const row = await db.row<{ id: string }>(sql`
    select id from dunning_charges where organization_id = ${organizationId} and external_id = ${externalId}`);
  return row?.id;
}

/** False when another charge has the external id, or stands for the receivable, already. */
export async function insertCharge(db: Db, charge: NewCharge, now: Date): Promise<boolean> {
  const count = await db.run(sql`
    insert into dunning_charges (${columns}, created_at, updated_at)
    select ${columns}, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_populate_record(null::dunning_charges, ${JSON.stringify(charge)}::jsonb)
    on conflict do nothing`);
  return count === 1;
}

/** One statement, with the same text whatever the number of charges. */
export function updateCharges(
  db: Db,
  organizationId: string,
  charges: readonly ChargeRow[],
  now: Date,
): Promise<number> {
  return db.run(sql`
    update dunning_charges c
       set (${columns}, updated_at, version) = (
         select ${newColumns}, ${now}::timestamptz, c.version + 1)
      from jsonb_populate_recordset(null::dunning_charges, ${JSON.stringify(charges)}::jsonb) n
     where c.organization_id = ${organizationId} and c.id = n.id`);
}

/** The rule for charges that nobody chose one for. */
export async function selectDefaultRuleId(db: Db, organizationId: string): Promise<string | null> {
  const row = await db.row<{ id: string }>(sql`
    select id from dunning_collection_rules where organization_id = ${organizationId} and is_default`);
  return row?.id ?? null;
}

/** The latest day of a step of the rule that has run for the charge in its present cycle. */
export async function selectLastStepDay(
  db: Db,
  organizationId: string,
  chargeId: string,
  cycle: number,
): Promise<string | null> {
  const row = await db.row<{ step_on: string | null }>(sql`
    select max(step_on) as step_on from dunning_step_executions
     where organization_id = ${organizationId} and charge_id = ${chargeId} and cycle = ${cycle}
       and status = 'done'`);
  return row!.step_on;
}

/** The one live legal action of a charge, if there is one. */
export function selectLiveLegalAction(
  db: Db,
  organizationId: string,
  chargeId: string,
): Promise<{ kind: string; action_id: string } | undefined> {
  return db.row(sql`
    select kind, action_id from dunning_live_legal_actions
     where organization_id = ${organizationId} and charge_id = ${chargeId}`);
}

/** False when another action lives on the charge. */
export async function insertLiveLegalAction(
  db: Db,
  organizationId: string,
  chargeId: string,
  kind: string,
  actionId: string,
): Promise<boolean> {
  const count = await db.run(sql`
    insert into dunning_live_legal_actions (organization_id, charge_id, kind, action_id)
    values (${organizationId}, ${chargeId}, ${kind}, ${actionId})
    on conflict do nothing`);
  return count === 1;
}

export function deleteLiveLegalAction(
  db: Db,
  organizationId: string,
  chargeId: string,
  actionId: string,
): Promise<number> {
  return db.run(sql`
    delete from dunning_live_legal_actions
     where organization_id = ${organizationId} and charge_id = ${chargeId} and action_id = ${actionId}`);
}
