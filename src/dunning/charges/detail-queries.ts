import type { Db } from '../../core/ports.ts';
import { sql } from '../../db/sql.ts';

export interface RulePosition {
  readonly id: string;
  readonly name: string;
  readonly steps_done: number;
  readonly last: StepRow | null;
  readonly next: StepRow | null;
}

export interface StepRow {
  readonly step_id: string;
  readonly action: string;
  readonly channel: string | null;
  /** When it ran or is to run. */
  readonly at: string;
}

/** Where the rule of a charge stands in its present cycle. */
export async function selectRulePosition(
  db: Db,
  organizationId: string,
  charge: { readonly id: string; readonly collection_rule_id: string | null; readonly rule_cycle: number },
): Promise<RulePosition | null> {
  if (charge.collection_rule_id === null) return null;
  const rule = await db.row<{ id: string; name: string; steps_done: number }>(sql`
    select r.id, r.name,
           (select count(*) from dunning_step_executions e
             where e.organization_id = ${organizationId} and e.charge_id = ${charge.id}
               and e.cycle = ${charge.rule_cycle} and e.status = 'done') as steps_done
      from dunning_collection_rules r
     where r.organization_id = ${organizationId} and r.id = ${charge.collection_rule_id}`);
  const steps = await db.rows<StepRow & { is_done: boolean }>(sql`
    (select step_id, action, channel, done_at as at, true as is_done from dunning_step_executions
      where organization_id = ${organizationId} and charge_id = ${charge.id} and cycle = ${charge.rule_cycle}
        and status = 'done'
      order by done_at desc limit 1)
    union all
    (select step_id, action, channel, due_at, false from dunning_step_executions
      where organization_id = ${organizationId} and charge_id = ${charge.id} and cycle = ${charge.rule_cycle}
        and status = 'scheduled'
      order by due_at limit 1)`);
  const stepOf = (isDone: boolean): StepRow | null => {
    const found = steps.find(({ is_done }) => is_done === isDone);
    if (found === undefined) return null;
    const { is_done: _, ...step } = found;
    return step;
  };
  return { ...rule!, last: stepOf(true), next: stepOf(false) };
}

/** The open dispute of a charge. */
export function selectOpenDispute(
  db: Db,
  organizationId: string,
  chargeId: string,
): Promise<{ id: string; status: string; reason: string } | undefined> {
  return db.row(sql`
    select id, status, reason from dunning_disputes
     where organization_id = ${organizationId} and charge_id = ${chargeId} and status in ('open', 'under_review')`);
}

/** The live report or protest of a charge. */
export function selectLegalAction(
  db: Db,
  organizationId: string,
  chargeId: string,
): Promise<{ kind: string; id: string; status: string } | undefined> {
  return db.row(sql`
    select l.kind, l.action_id as id, coalesce(n.status, p.status) as status
      from dunning_live_legal_actions l
      left join dunning_negativations n on n.organization_id = l.organization_id and n.id = l.action_id
      left join dunning_protests p on p.organization_id = l.organization_id and p.id = l.action_id
     where l.organization_id = ${organizationId} and l.charge_id = ${chargeId}
       and coalesce(n.status, p.status) is not null`);
}

export function selectAgreementOf(
  db: Db,
  organizationId: string,
  agreementId: string,
): Promise<{ id: string; status: string } | undefined> {
  return db.row(sql`
    select id, status from dunning_agreements
     where organization_id = ${organizationId} and id = ${agreementId}`);
}
