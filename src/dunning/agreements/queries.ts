import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  recentIds,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { empty, raw, type Sql, sql } from '../../db/sql.ts';
import type { AgreementStatus, Ender } from './schema.ts';

/** An agreement with whose it is and how far it is paid. */
export type AgreementRow = Tables['dunning_agreements'] & {
  status: AgreementStatus;
  ended_by: Ender | null;
  person_name: string;
  person_document_number: string | null;
  installment_count: number;
  paid_cents: Cents;
  next_due_date: CivilDate | null;
};

export type NewAgreement = Pick<
  AgreementRow,
  | 'organization_id'
  | 'id'
  | 'person_id'
  | 'as_of'
  | 'original_total_cents'
  | 'discount_cents'
  | 'negotiated_total_cents'
  | 'valid_until'
  | 'default_after_days'
  | 'campaign_id'
  | 'notes'
  | 'created_by'
>;

/** Agreements that the daily job looks up at once. */
const FOUND_MAX = 500;

export const agreementSorts = sortsOf({
  created_at: { column: 'agreement.created_at', keyForm: 'instant' },
});

export interface AgreementFilter extends TimeFilters {
  person_id?: string | undefined;
  status?: AgreementStatus | undefined;
  campaign_id?: string | undefined;
  charge_id?: string | undefined;
}

export function selectAgreements(
  db: Db,
  organizationId: string,
  filter: AgreementFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<AgreementRow[]> {
  const { person_id: personId, status, campaign_id: campaignId, charge_id: chargeId } = filter;
  return db.rows<AgreementRow>(sql`
    ${agreements(organizationId)}
       ${all(
         personId !== undefined && sql`agreement.person_id = ${personId}`,
         status !== undefined && sql`agreement.status = ${status}`,
         campaignId !== undefined && sql`agreement.campaign_id = ${campaignId}`,
         chargeId !== undefined &&
           sql`agreement.id in (select agreement_id from dunning_agreement_charges
                                 where organization_id = ${organizationId} and charge_id = ${chargeId})`,
       )}
       ${timeFilters(filter, 'agreement')}
       ${after(page.sort, page.position, 'agreement.id')}
     ${orderAndLimit(page.sort, page.limit, 'agreement.id')}`);
}

/** `lock` keeps it and its installments as they are: whoever changes them locks it first. */
export function selectAgreement(
  db: Db,
  organizationId: string,
  id: string,
  lock: boolean,
): Promise<AgreementRow | undefined> {
  return db.row<AgreementRow>(sql`
    ${agreements(organizationId)} and agreement.id = ${id}
    ${lock ? raw('for no key update of agreement') : empty}`);
}

/** Columns of whoever owes come with it; what was paid is kept on the installments alone. */
function agreements(organizationId: string): Sql {
  return sql`
    select agreement.*, person.name as person_name, person.document_number as person_document_number,
           (select count(*)::integer from dunning_installments i
             where i.organization_id = agreement.organization_id and i.agreement_id = agreement.id)
             as installment_count,
           (select coalesce(sum(i.paid_cents), 0)::bigint from dunning_installments i
             where i.organization_id = agreement.organization_id and i.agreement_id = agreement.id) as paid_cents,
           (select min(i.due_date) from dunning_installments i
             where i.organization_id = agreement.organization_id and i.agreement_id = agreement.id
               and i.status = 'open') as next_due_date
      from dunning_agreements agreement
      join dunning_people person
        on person.organization_id = agreement.organization_id and person.id = agreement.person_id
     where agreement.organization_id = ${organizationId}`;
}

export function insertAgreement(db: Db, agreement: NewAgreement, now: Date): Promise<number> {
  return db.run(sql`
    insert into dunning_agreements (organization_id, id, person_id, status, as_of, original_total_cents,
                                    discount_cents, negotiated_total_cents, valid_until, default_after_days,
                                    campaign_id, notes, created_by, created_at, updated_at)
    values (${agreement.organization_id}, ${agreement.id}, ${agreement.person_id}, 'proposed',
            ${agreement.as_of}::date, ${agreement.original_total_cents}, ${agreement.discount_cents},
            ${agreement.negotiated_total_cents}, ${agreement.valid_until}::date, ${agreement.default_after_days},
            ${agreement.campaign_id}, ${agreement.notes}, ${agreement.created_by}, ${now}, ${now})`);
}

export function updateAgreement(db: Db, agreement: AgreementRow, now: Date): Promise<number> {
  return db.run(sql`
    update dunning_agreements
       set status = ${agreement.status}, as_of = ${agreement.as_of}::date,
           original_total_cents = ${agreement.original_total_cents}, discount_cents = ${agreement.discount_cents},
           negotiated_total_cents = ${agreement.negotiated_total_cents},
           valid_until = ${agreement.valid_until}::date, campaign_id = ${agreement.campaign_id},
           notes = ${agreement.notes}, sent_at = ${agreement.sent_at}::timestamptz,
           accepted_at = ${agreement.accepted_at}::timestamptz, accepted_by = ${agreement.accepted_by},
           evidence = ${agreement.evidence}, ended_at = ${agreement.ended_at}::timestamptz,
           ended_by = ${agreement.ended_by}, ended_reason = ${agreement.ended_reason}, updated_at = ${now},
           version = version + 1
     where organization_id = ${agreement.organization_id} and id = ${agreement.id}`);
}

/** The newest ids that start with what was typed. */
export async function selectRecentIds(db: Db, organizationId: string, typed: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(recentIds('dunning_agreements', organizationId, typed));
  return rows.map(({ id }) => id);
}

/** Proposals whose last day is over, some at a time, after the id. */
export function selectLapsed(
  db: Db,
  organizationId: string,
  today: CivilDate,
  afterId: string,
): Promise<{ id: string }[]> {
  return db.rows(sql`
    select id from dunning_agreements
     where organization_id = ${organizationId} and status = 'proposed' and valid_until < ${today}::date
       and id > ${afterId}
     order by id limit ${FOUND_MAX}`);
}

/** Live agreements with an installment that is later than the agreement allows, some at a time, after the id. */
export function selectDefaulted(
  db: Db,
  organizationId: string,
  today: CivilDate,
  afterId: string,
): Promise<{ id: string }[]> {
  return db.rows(sql`
    select distinct agreement.id
      from dunning_installments installment
      join dunning_agreements agreement
        on agreement.organization_id = installment.organization_id and agreement.id = installment.agreement_id
     where installment.organization_id = ${organizationId} and installment.status = 'open'
       and installment.adjusted_due_date < ${today}::date and agreement.status in ('accepted', 'active')
       and installment.adjusted_due_date + agreement.default_after_days < ${today}::date
       and agreement.id > ${afterId}
     order by agreement.id limit ${FOUND_MAX}`);
}
