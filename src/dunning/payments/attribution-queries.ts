import type { Db } from '../../core/ports.ts';
import { sql } from '../../db/sql.ts';

/** Days before a payment in which a message may have brought it about (MODEL §16). */
const ATTRIBUTION_DAYS = 7;

/** What a payment is for. */
export interface PaidFor {
  readonly personId: string;
  readonly chargeId: string | null;
  readonly agreementId: string | null;
}

export interface Attribution {
  readonly channel: string | null;
  readonly notification_id: string | null;
  readonly step_id: string | null;
}

const NOBODY: Attribution = { channel: null, notification_id: null, step_id: null };

/**
 * The last message about the charge, or about the agreement and its charges, that reached the debtor in the seven days
 * up to the payment. Days are those of the organization.
 */
export async function selectAttribution(
  db: Db,
  organizationId: string,
  { personId, chargeId, agreementId }: PaidFor,
  paidOn: string,
  timeZone: string,
): Promise<Attribution> {
  const row = await db.row<Attribution>(sql`
    with paid as (
      select ${chargeId}::uuid as charge_id where ${chargeId}::uuid is not null
      union all
      select charge_id from dunning_agreement_charges
       where organization_id = ${organizationId} and agreement_id = ${agreementId}::uuid)
    select n.channel, n.id as notification_id, e.step_id
      from dunning_notifications n
      left join dunning_step_executions e on e.organization_id = n.organization_id and e.id = n.execution_id
     where n.organization_id = ${organizationId} and n.person_id = ${personId}
       and n.status in ('delivered', 'read')
       and n.delivered_at >= (${paidOn}::date - ${ATTRIBUTION_DAYS}::integer)::timestamp at time zone ${timeZone}
       and n.delivered_at < (${paidOn}::date + 1)::timestamp at time zone ${timeZone}
       and (n.charge_id in (select charge_id from paid)
            or n.agreement_id = ${agreementId}::uuid
            or exists (select 1 from dunning_notification_charges also
                        where also.organization_id = n.organization_id and also.notification_id = n.id
                          and also.charge_id in (select charge_id from paid)))
     order by n.delivered_at desc, n.id desc limit 1`);
  return row ?? NOBODY;
}

export interface AgreementDebt {
  /** Of the charge due first. */
  readonly due_date: string;
  readonly adjusted_due_date: string;
  /** Messages of rules that had gone out for its charges up to the day, on average and rounded. */
  readonly steps: number;
  /** Whether money came in under the agreement before. */
  readonly is_paid_before: boolean;
}

/** What the metrics count of a payment under an agreement: the debt it settles is that of its charges. */
export async function selectAgreementDebt(
  db: Db,
  organizationId: string,
  agreementId: string,
  paymentId: string,
  paidOn: string,
  timeZone: string,
): Promise<AgreementDebt> {
  const row = await db.row<AgreementDebt>(sql`
    select min(c.due_date) as due_date, min(c.adjusted_due_date) as adjusted_due_date,
           round(avg((select count(*) from dunning_step_executions e
                       where e.organization_id = c.organization_id and e.charge_id = c.id and e.status = 'done'
                         and e.action = 'message'
                         and (e.done_at at time zone ${timeZone})::date <= ${paidOn}::date)))::integer as steps,
           exists (select 1 from dunning_payments p
                    where p.organization_id = ${organizationId} and p.agreement_id = ${agreementId}
                      and p.status = 'confirmed' and p.id <> ${paymentId}) as is_paid_before
      from dunning_agreement_charges a
      join dunning_charges c on c.organization_id = a.organization_id and c.id = a.charge_id
     where a.organization_id = ${organizationId} and a.agreement_id = ${agreementId}`);
  return row!;
}
