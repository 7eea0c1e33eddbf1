/**
 * Messages on their way. A batch is claimed, with its texts and its places of the day, and committed; then it is handed
 * over; then what came of it is recorded. A process that dies in between leaves claims, which a later run settles by
 * asking the carrier: nothing is sent a second time because nobody knows whether it was sent.
 */

import { approvalStore } from '../../approvals/index.ts';
import type { WriteContext } from '../../core/operation.ts';
import type { MessageChannel, OutgoingMessage, PostalAddress } from '../../gateways/messages/port.ts';
import type { BlockCode } from '../contact-gate/index.ts';
import { type Settings, settingsOf } from '../settings/index.ts';
import { type Decision, decide } from './deciding.ts';
import type { NotificationRow } from './queries.ts';
import { owedOf, renderMessage, type Wording, wordingsOf } from './rendering.ts';
import { changeNotifications } from './resource.ts';
import {
  type Claimed,
  insertSlots,
  type SendableRow,
  selectContactValues,
  selectDue,
  selectJudgedMessages,
  updateClaimed,
  updateExecutions,
} from './sending-queries.ts';
import { insertTrail } from './trail-queries.ts';

const BATCH_MAX = 100;

export interface Batch {
  readonly claimId: string;
  readonly messages: readonly OutgoingMessage[];
  /** Messages whose time had come, sent or not; 0 when nothing is left to do. */
  readonly seen: number;
}

/**
 * Takes the next messages to send; the others that are due are skipped, or wait for the time that is open next. While
 * the organization is frozen all wait as they are: the next run looks again.
 */
export async function claimBatch(context: WriteContext): Promise<Batch> {
  const claimId = context.newId();
  const { organizationId } = context;
  const { isFrozen } = await approvalStore.holdControls(context.db, { organizationId, workspaceId: null });
  if (isFrozen) return { claimId, messages: [], seen: 0 };
  const rows = await selectDue(context, BATCH_MAX);
  if (rows.length === 0) return { claimId, messages: [], seen: 0 };
  const settings = await settingsOf(context);
  const decisions = await decisionsOf(context, settings, rows);
  await skip(context, ofKind(rows, decisions, 'skip'));
  await move(context, ofKind(rows, decisions, 'move'));
  const messages = await claim(context, settings, claimId, ofKind(rows, decisions, 'send'));
  return { claimId, messages, seen: rows.length };
}

type Decided<Kind extends Decision['kind']> = {
  readonly row: SendableRow;
  readonly decision: Extract<Decision, { kind: Kind }>;
};

async function decisionsOf(
  context: WriteContext,
  settings: Settings,
  rows: readonly SendableRow[],
): Promise<ReadonlyMap<string, Decision>> {
  const judged = await selectJudgedMessages(
    context,
    settings,
    rows.map(({ id }) => id),
  );
  const byMessage = Map.groupBy(judged, ({ candidate_id }) => candidate_id);
  return new Map(
    rows.map((row): [string, Decision] => {
      if (row.rule_reason !== null) return [row.id, { kind: 'skip', reason: row.rule_reason }];
      const judgements = (byMessage.get(row.id) ?? []).map((judgement) => ({
        chargeId: judgement.charge_id,
        reason: judgement.reason as BlockCode | null,
        nextAt: judgement.next_at,
        contactId: judgement.contact_id,
      }));
      const dueSince = row.queued_at ?? row.scheduled_for;
      return [row.id, decide(judgements, { isOwnText: row.own_body !== null, dueSince })];
    }),
  );
}

function ofKind<Kind extends Decision['kind']>(
  rows: readonly SendableRow[],
  decisions: ReadonlyMap<string, Decision>,
  kind: Kind,
): Decided<Kind>[] {
  return rows.flatMap((row) => {
    const decision = decisions.get(row.id)!;
    return decision.kind === kind ? [{ row, decision } as Decided<Kind>] : [];
  });
}

async function skip(
  context: WriteContext,
  skipped: readonly { row: NotificationRow; decision: { reason: string } }[],
): Promise<void> {
  if (skipped.length === 0) return;
  const { db, organizationId, now } = context;
  await changeNotifications(
    context,
    skipped.map(({ row, decision }) => ({
      before: row,
      after: { ...row, status: 'skipped', status_reason: decision.reason },
    })),
  );
  await insertTrail(
    db,
    organizationId,
    skipped.map(({ row, decision }) => lineOf(context, row.id, 'skipped', decision.reason)),
  );
  const executions = skipped.flatMap(({ row, decision: { reason } }) =>
    row.execution_id === null ? [] : [{ executionId: row.execution_id, status: 'skipped' as const, reason }],
  );
  if (executions.length > 0) await updateExecutions(db, organizationId, executions, now);
}

async function move(context: WriteContext, moved: readonly Decided<'move'>[]): Promise<void> {
  if (moved.length === 0) return;
  const now = context.now.toISOString();
  await changeNotifications(
    context,
    moved.map(({ row, decision }) => ({
      before: row,
      after: { ...row, status: 'queued', scheduled_for: decision.to, queued_at: row.queued_at ?? now },
    })),
  );
  await insertTrail(
    context.db,
    context.organizationId,
    moved.map(({ row, decision }) => lineOf(context, row.id, 'moved', decision.reason)),
  );
}

/** Those that got a place of the day, with the text and the contact they go out with. */
async function claim(
  context: WriteContext,
  settings: Settings,
  claimId: string,
  cleared: readonly Decided<'send'>[],
): Promise<OutgoingMessage[]> {
  // One for each person and batch: the next one is judged again with this one counted.
  const first = [...Map.groupBy(cleared, ({ row }) => row.person_id).values()].map(([one]) => one!);
  const taken = await withPlaces(context, settings, await withWordings(context, first));
  if (taken.length === 0) return [];
  const claimed = await renderedOf(context, settings, taken);
  await updateClaimed(context, { id: claimId, policyVersion: settings.contactPolicy.version }, claimed);
  const contacts = await contactValues(context, claimed);
  return taken.map(({ row }, index) => outgoingOf(settings, row, claimed[index]!, contacts));
}

type Worded = Decided<'send'> & { readonly wording: Wording };

/** Each with its text; one whose template has gone says nothing. */
async function withWordings(context: WriteContext, cleared: readonly Decided<'send'>[]): Promise<Worded[]> {
  const wordingOf = await wordingsOf(
    context,
    cleared.map(({ row }) => row),
  );
  const mute = cleared.filter(({ row }) => wordingOf(row) === undefined);
  await skip(
    context,
    mute.map(({ row }) => ({ row, decision: { reason: 'template_missing' } })),
  );
  return cleared.flatMap((one) => {
    const wording = wordingOf(one.row);
    return wording === undefined ? [] : [{ ...one, wording }];
  });
}

/** Those that got a place; another sender took the places of the others, which are judged again. */
async function withPlaces(
  context: WriteContext,
  settings: Settings,
  worded: readonly Worded[],
): Promise<Worded[]> {
  const places = await insertSlots(
    context,
    settings,
    worded.map(({ row }) => ({ notificationId: row.id, personId: row.person_id, channel: row.channel })),
  );
  return worded.filter(({ row }) => places.has(row.id));
}

/** The texts with the figures of today. */
async function renderedOf(
  context: WriteContext,
  settings: Settings,
  taken: readonly Worded[],
): Promise<Claimed[]> {
  const owed = await owedOf(
    context,
    taken.flatMap(({ decision }) => decision.chargeIds),
  );
  return taken.map(({ row, decision: { contactId, chargeIds }, wording }) => ({
    id: row.id,
    contactId,
    templateVersion: row.template_version,
    rendered: renderMessage(settings, wording, {
      person: { name: row.person_name, documentNumber: row.person_document_number },
      charges: chargeIds.map((id) => owed.get(id)!),
      today: context.today,
    }),
  }));
}

async function contactValues(
  { db, organizationId }: WriteContext,
  claimed: readonly Claimed[],
): Promise<ReadonlyMap<string, string>> {
  const ids = claimed.flatMap(({ contactId }) => (contactId === null ? [] : [contactId]));
  const rows = await selectContactValues(db, organizationId, ids);
  return new Map(rows.map(({ id, value }) => [id, value]));
}

function outgoingOf(
  { creditor, preferences }: Settings,
  row: SendableRow,
  { contactId, rendered }: Claimed,
  contacts: ReadonlyMap<string, string>,
): OutgoingMessage {
  const isLetter = row.channel === 'letter';
  return {
    key: row.id,
    channel: row.channel as MessageChannel,
    to: isLetter || contactId === null ? '' : (contacts.get(contactId) ?? ''),
    address: isLetter ? postalAddressOf(row.person_address) : null,
    recipientName: row.person_name,
    language: row.person_language === 'en' ? 'en' : 'pt-BR',
    subject: rendered.subject,
    text: rendered.body,
    senderName: preferences.senderName ?? creditor.legalName ?? '',
    replyTo: preferences.replyTo,
  };
}

function postalAddressOf(kept: unknown): PostalAddress {
  const address = (kept ?? {}) as Readonly<Record<string, string | null | undefined>>;
  return {
    street: address['street'] ?? '',
    number: address['number'] ?? null,
    complement: address['complement'] ?? null,
    district: address['district'] ?? null,
    city: address['city'] ?? '',
    state: address['state'] ?? '',
    postalCode: address['postal_code'] ?? '',
  };
}

function lineOf(context: WriteContext, notificationId: string, status: string, detail: string | null) {
  return { notificationId, at: context.now.toISOString(), status, detail, reportId: null };
}
