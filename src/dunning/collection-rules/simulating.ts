/** Simulating a rule for a charge as things are now, or for one that does not exist. */

import type { CivilDate } from '../../core/dates.ts';
import type { Context } from '../../core/operation.ts';
import { requireCharge } from '../charges/index.ts';
import { clearancesOf } from '../contact-gate/index.ts';
import { instantAt } from '../contact-law/index.ts';
import { settingsOf } from '../settings/index.ts';
import { selectKnownSteps } from './execution-queries.ts';
import { type RuleRow, selectTemplateNames } from './queries.ts';
import { conditionsOf, plannedStepsOf } from './resource.ts';
import type { PlannedCharge } from './rules.ts';
import { type SimulatedStep, simulateSteps } from './simulation.ts';
import { plannedChargesOf } from './subject.ts';

export interface Subject {
  readonly charge: PlannedCharge;
  readonly startsAt: Date;
  /** A day was asked for: it is simulated even when it is past. */
  readonly isAsked: boolean;
  /** Of a charge that exists. */
  readonly known: { readonly chargeId: string; readonly personId: string } | null;
}

/** What is simulated, and from when: as the charge stands under the rule, else as if it came under it now. */
export async function subjectOf(
  context: Context,
  rule: Pick<RuleRow, 'id'>,
  asked: {
    readonly chargeId?: string | undefined;
    readonly sample?: PlannedCharge | undefined;
    readonly startOn?: CivilDate | undefined;
  },
): Promise<Subject> {
  const { chargeId, sample, startOn } = asked;
  const startOf = (state: string | null) =>
    startOn === undefined ? undefined : instantAt(startOn, '00:00', state);
  if (chargeId === undefined) {
    const charge = sample!;
    return { charge, startsAt: startOf(charge.state) ?? context.now, isAsked: true, known: null };
  }
  const row = await requireCharge(context, chargeId);
  const charge = (await plannedChargesOf(context, [row])).get(row.id)!;
  const stands = row.collection_rule_id === rule.id && row.rule_started_at !== null;
  const startsAt = stands ? new Date(row.rule_started_at!) : context.now;
  return {
    charge,
    startsAt: startOf(charge.state) ?? startsAt,
    isAsked: startOn !== undefined,
    known: { chargeId: row.id, personId: row.person_id },
  };
}

/** Each step with its day, or why it would not come. */
export async function simulateFor(context: Context, rule: RuleRow, subject: Subject) {
  const { charge, startsAt, isAsked, known } = subject;
  const steps = await plannedStepsOf(context, [rule]);
  const { contactPolicy } = await settingsOf(context);
  const simulated = simulateSteps({ steps, conditions: conditionsOf(rule.conditions) }, charge, {
    // What did not come until now does not come any more.
    startsAt: isAsked || startsAt > context.now ? startsAt : context.now,
    policy: contactPolicy,
  });
  const reasons =
    known === null ? new Map<string, string | null>() : await reasonsOf(context, simulated, known);
  const names = await templateNames(context, simulated);
  return simulated.map(({ step, date, at, isMoved, reason }) => ({
    step_id: step.id,
    offset_days: step.offsetDays,
    day_kind: step.dayKind,
    date,
    at: at === null ? null : at.toISOString(),
    moved: isMoved,
    action: step.action,
    channel: step.channel,
    template_id: step.templateId,
    message: step.templateId === null ? null : (names.get(step.templateId) ?? null),
    skipped_reason: reasons.has(step.id) ? reasons.get(step.id)! : reason,
  }));
}

/** What has become of steps of a charge already, and what stands against those to come as things are now. */
async function reasonsOf(
  context: Context,
  simulated: readonly SimulatedStep[],
  { chargeId, personId }: NonNullable<Subject['known']>,
): Promise<Map<string, string | null>> {
  const { db, organizationId } = context;
  const reasons = new Map<string, string | null>();
  for (const { step_id, status } of await selectKnownSteps(db, organizationId, [chargeId])) {
    reasons.set(step_id, status === 'scheduled' ? null : `already_${status}`);
  }
  const coming = simulated.filter(
    ({ step, reason }) => (reasons.has(step.id) ? reasons.get(step.id) : reason) === null,
  );
  const clearances = await clearancesOf(
    context,
    coming.map(({ step, at }) => ({
      personId,
      chargeId,
      channel: step.channel,
      purpose: step.action === 'message' ? 'message' : 'task',
      ...(at !== null && { at }),
    })),
  );
  for (const [index, clearance] of clearances.entries()) {
    // A full day only moves a message to the next.
    if (clearance.isCleared || clearance.code === 'daily_cap') continue;
    reasons.set(coming[index]!.step.id, clearance.code);
  }
  return reasons;
}

async function templateNames(
  { db, organizationId }: Context,
  simulated: readonly SimulatedStep[],
): Promise<ReadonlyMap<string, string>> {
  const ids = simulated.flatMap(({ step }) => step.templateId ?? []);
  const rows = await selectTemplateNames(db, organizationId, [...new Set(ids)]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
