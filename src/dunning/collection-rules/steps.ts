/** What a step of a rule has to be like, and what changing one does to what is planned of it. */

import { fail, failArgument } from '../../core/errors.ts';
import type { WriteContext } from '../../core/operation.ts';
import { requireTemplate, requireUsableTemplate } from '../templates/index.ts';
import { deletePlannedOfStep, skipPlannedOfStep, updatePlannedOfStep } from './execution-queries.ts';
import { type RuleRow, type StepRow, selectStep, updateStep } from './queries.ts';
import { plannedStep, stepOf } from './resource.ts';
import { collisionOf } from './rules.ts';
import { STEPS_MAX, type StepChannel } from './schema.ts';
import { PLAN_TASK } from './tasks.ts';

type StepDraft = Pick<
  StepRow,
  'id' | 'offset_days' | 'day_kind' | 'time_of_day' | 'action' | 'channel' | 'template_id' | 'active'
>;

/** Fails with `invalid_argument` when the rule has as many steps as a rule may. */
export function requireRoom(others: readonly StepRow[]): void {
  if (others.length >= STEPS_MAX) failArgument('rule_id', `a rule of fewer than ${STEPS_MAX} steps`);
}

/** Behind the steps of the same day. */
export function nextPosition(
  others: readonly StepRow[],
  { offset_days, day_kind }: { offset_days: number; day_kind: string },
): number {
  const sameDay = others.filter((step) => step.offset_days === offset_days && step.day_kind === day_kind);
  return Math.max(-1, ...sameDay.map(({ position }) => position)) + 1;
}

/**
 * The step with the channel it has by its template. Fails with `invalid_argument`, with what `requireUsableTemplate`
 * says of the template, or with `steps_collide`.
 */
export async function requireFitting<Draft extends StepDraft>(
  context: WriteContext,
  draft: Draft,
  others: readonly StepRow[],
): Promise<Draft> {
  const step = { ...draft, channel: await fittingChannel(context, draft) };
  const collision = collisionOf(
    {
      id: step.id,
      offsetDays: step.offset_days,
      dayKind: step.day_kind as 'calendar' | 'business',
      time: step.time_of_day.slice(0, 5),
      action: step.action as 'message',
      channel: step.channel as StepChannel | null,
      templateId: step.template_id,
      isActive: step.active,
    },
    others.map((other) => plannedStep(other, other)),
  );
  if (collision !== undefined) fail('steps_collide', { with: collision.id });
  return step;
}

async function fittingChannel(context: WriteContext, draft: StepDraft): Promise<string | null> {
  const { action, channel, template_id: templateId } = draft;
  if (action === 'message') {
    if (templateId === null) failArgument('template_id', 'the id of a template: a message is made of one');
    if (channel === 'phone') failArgument('channel', 'one of: email, sms, whatsapp, letter');
    const known = channel ?? (await requireTemplate(context, templateId)).channel;
    return (await requireUsableTemplate(context, templateId, known)).channel;
  }
  if (templateId !== null) failArgument('template_id', 'none: only messages are made of a template');
  if (action !== 'task' && channel !== null) failArgument('channel', 'none: a suggestion contacts nobody');
  return channel;
}

/** Writes a changed step and records the change. The caller holds the rule. */
export async function changeStep(
  context: WriteContext,
  before: StepRow,
  changed: StepRow,
): Promise<StepRow | undefined> {
  const { db, organizationId, now } = context;
  await updateStep(db, changed, now);
  const after = await selectStep(db, organizationId, before.id);
  context.changed('step', before.id, stepOf(before), after === undefined ? null : stepOf(after));
  return after;
}

/** What is planned of the step follows it: what has run already stays, and nothing runs twice. */
export async function followChange(
  context: WriteContext,
  rule: RuleRow,
  before: StepRow,
  after: StepRow,
): Promise<void> {
  const { db, organizationId, today, now } = context;
  const isElsewhen =
    before.offset_days !== after.offset_days ||
    before.day_kind !== after.day_kind ||
    before.time_of_day !== after.time_of_day;
  if (isElsewhen) await deletePlannedOfStep(db, organizationId, after.id, today);
  if (before.action !== after.action || before.channel !== after.channel) {
    await updatePlannedOfStep(db, organizationId, after, now);
  }
  if (before.active && !after.active) await skipPlannedOfStep(db, organizationId, after.id, now);
  const isNew = isElsewhen || (after.active && !before.active);
  if (isNew && after.active && rule.active) {
    context.enqueue({ task: PLAN_TASK, payload: { organizationId, ruleId: rule.id } });
  }
}
