/** What decides on a report or a protest, read from the charge, its debtor and the settings. */

import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import type { Amounts } from '../../core/terms.ts';
import { amountsOf, type ChargeRow } from '../charges/index.ts';
import { type BlockCode, clearancesOf } from '../contact-gate/index.ts';
import { contactsOf, type PersonRow, pickContact, requirePerson } from '../people/index.ts';
import { type Settings, settingsOf } from '../settings/index.ts';
import { selectLiveAction, selectObstacles } from './queries.ts';
import { completeAddress, type Situation } from './rules.ts';
import type { LegalKind, LegalRule } from './schema.ts';

const electronicChannels = ['email', 'whatsapp', 'sms'] as const;

/** The charge with everything that decides. */
export interface Setting {
  readonly charge: ChargeRow;
  readonly amounts: Amounts;
  readonly person: PersonRow;
  readonly settings: Settings;
  readonly situation: Situation;
}

/** An action that exists already: its own lock is no obstacle, and what is owed has to reach its amount. */
export interface OwnAction {
  readonly id: string;
  readonly amount_cents: Cents;
}

/** Reads the setting of a charge, which the caller holds locked when writing. */
export async function settingOf(
  context: Context,
  kind: LegalKind,
  charge: ChargeRow,
  options: { own?: OwnAction | undefined; title?: Situation['title'] } = {},
): Promise<Setting> {
  const { db, organizationId, today } = context;
  const reading = { ...context, isWriting: false };
  const settings = await settingsOf(context);
  const amounts = await amountsOf(context, charge);
  const person = await requirePerson(reading, charge.person_id);
  const live = await selectLiveAction(db, organizationId, charge.id);
  const obstacles = await selectObstacles(db, organizationId, charge.id, today);
  const isOwn = live !== undefined && live.action_id === options.own?.id;
  return {
    charge,
    amounts,
    person,
    settings,
    situation: {
      kind,
      today,
      charge: {
        status: charge.status,
        isArchived: charge.archived_at !== null,
        isDisputed: charge.is_disputed,
        hasPaymentClaim: obstacles?.has_payment_claim ?? false,
        isHeld: obstacles?.is_held ?? false,
        dueDate: charge.due_date as CivilDate,
        adjustedDueDate: charge.adjusted_due_date as CivilDate,
        amountDue: amounts.amountDue,
      },
      person: {
        kind: person.kind as 'natural' | 'legal',
        documentNumber: person.document_number,
        address: completeAddress(person.address),
        isDeceased: person.deceased,
        isArchived: person.archived_at !== null || person.anonymized_at !== null,
        isReachable: await isReachable(reading, person.id, settings),
      },
      isCreditorKnown: creditorOf(settings) !== null,
      minDaysOverdue: settings.legal.minDaysOverdue,
      minAmount: settings.legal.minAmountCents,
      otherAction: live === undefined || isOwn ? null : { kind: live.kind, id: live.action_id },
      frozenAmount: options.own?.amount_cents ?? null,
      title: options.title ?? null,
    },
  };
}

/** The rules that the contact gate sees broken, for the last look before something leaves. */
export async function rulesBlockedByGate(context: Context, charge: ChargeRow): Promise<LegalRule[]> {
  const [clearance] = await clearancesOf(context, [
    { personId: charge.person_id, chargeId: charge.id, channel: null, purpose: 'legal' },
  ]);
  return clearance === undefined || clearance.isCleared ? [] : [ruleBehind(clearance.code)];
}

/** The creditor as offices are told; null while the settings do not name it. */
export function creditorOf({ creditor }: Settings): { name: string; documentNumber: string } | null {
  const { legalName, documentNumber } = creditor;
  return legalName === null || documentNumber === null ? null : { name: legalName, documentNumber };
}

/** An opt-out is heeded when the message is sent; here it counts that there is an address at all. */
async function isReachable(context: Context, personId: string, settings: Settings): Promise<boolean> {
  const contacts = await contactsOf(context, personId);
  return electronicChannels.some(
    (channel) => settings.contactPolicy.channels.includes(channel) && pickContact(contacts, channel) !== null,
  );
}

function ruleBehind(code: BlockCode): LegalRule {
  switch (code) {
    case 'paid':
      return 'not_paid';
    case 'canceled':
      return 'not_canceled';
    case 'in_agreement':
      return 'not_in_agreement';
    case 'disputed':
      return 'not_disputed';
    case 'archived':
      return 'not_archived';
    case 'deceased':
      return 'not_deceased';
    case 'not_late_yet':
      return 'days_overdue';
    default:
      return 'not_paused';
  }
}
