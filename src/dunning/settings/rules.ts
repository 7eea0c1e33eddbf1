import type { InterestFrom, Terms } from '../../core/accruals.ts';
import { parseTaxId } from '../../core/documents/tax-id.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { AllocationOrder } from '../../core/terms.ts';
import { chargesOf, termsOf } from '../../finance/debts/index.ts';
import {
  type ContactPolicy,
  channels,
  type Hours,
  LAW_VERSION,
  priorNoticeDays,
  REMOVAL_BUSINESS_DAYS,
  STATES,
  termsWarnings,
  type WeekHours,
} from '../contact-law/index.ts';
import type { PreferencesInput, PreferencesRecord, SettingsInput, SettingsRecord } from './schema.ts';
import {
  groupStates,
  hoursInForce,
  noticeDaysOf,
  requireOpenSomeDay,
  type Window,
  type Windows,
  windowsOf,
} from './windows.ts';

/** Who the debts are owed to. */
export interface Creditor {
  readonly legalName: string | null;
  readonly documentNumber: string | null;
  readonly address: string | null;
  readonly phone: string | null;
  readonly email: string | null;
}

export interface LegalSettings {
  /** Own days by state, where they are longer than the law's. */
  readonly priorNoticeDays: Readonly<Record<string, number>>;
  readonly minDaysOverdue: number;
  readonly minAmountCents: Cents;
  readonly removalBusinessDays: number;
  readonly removeBureauOn: 'first_installment' | 'full_payment' | 'accept';
}

export interface Preferences {
  readonly channels: readonly string[];
  readonly senderName: string | null;
  readonly replyTo: string | null;
  readonly language: 'pt-BR' | 'en';
}

/** What an organization decided about collecting, as it is kept. */
export interface StoredSettings {
  readonly creditor: Creditor;
  readonly defaultTerms: Terms | null;
  readonly allocationOrder: AllocationOrder;
  readonly interestFrom: InterestFrom;
  readonly windows: Windows;
  readonly isEmailInWindows: boolean;
  readonly dailyCapPerPerson: number;
  readonly agreementDefaultAfterDays: number;
  readonly promiseGraceBusinessDays: number;
  readonly legal: LegalSettings;
  readonly preferences: Preferences;
  readonly channelCaps: Readonly<Record<string, number>>;
  readonly quietHours: Hours | null;
}

/** The same as other slices read it. */
export interface Settings
  extends Pick<
    StoredSettings,
    | 'creditor'
    | 'defaultTerms'
    | 'allocationOrder'
    | 'interestFrom'
    | 'agreementDefaultAfterDays'
    | 'promiseGraceBusinessDays'
    | 'legal'
    | 'preferences'
  > {
  readonly contactPolicy: ContactPolicy;
}

/** Of an organization that decided nothing yet. */
export const defaultSettings: StoredSettings = {
  creditor: { legalName: null, documentNumber: null, address: null, phone: null, email: null },
  defaultTerms: null,
  allocationOrder: 'interest_fine_principal',
  interestFrom: 'original',
  windows: {},
  isEmailInWindows: true,
  dailyCapPerPerson: 1,
  agreementDefaultAfterDays: 15,
  promiseGraceBusinessDays: 1,
  legal: {
    priorNoticeDays: {},
    minDaysOverdue: 1,
    minAmountCents: 0,
    removalBusinessDays: REMOVAL_BUSINESS_DAYS,
    removeBureauOn: 'first_installment',
  },
  preferences: { channels, senderName: null, replyTo: null, language: 'pt-BR' },
  channelCaps: {},
  quietHours: null,
};

/** What decides on contacts, of these settings in this version. */
export function contactPolicyOf(stored: StoredSettings, policyVersion: number): ContactPolicy {
  // The database orders keys its own way, and two policies are compared as text.
  const windows = STATES.flatMap((state) => {
    const own = stored.windows[state];
    return own === undefined ? [] : [[state, weekOf(own)] as const];
  });
  return {
    version: policyVersionText(policyVersion),
    windows: Object.fromEntries(windows),
    isEmailInWindows: stored.isEmailInWindows,
    quietHours: hoursOf(stored.quietHours),
    dailyCapPerPerson: stored.dailyCapPerPerson,
    dailyCaps: capsWith(stored.channelCaps, {}),
    channels: stored.preferences.channels,
  };
}

/** By weekday, 0 = Sunday. */
function weekOf({ weekdays, saturday }: Window): Partial<WeekHours> {
  const day = weekdays === undefined ? undefined : hoursOf(weekdays);
  return {
    ...(day !== undefined && { 1: day, 2: day, 3: day, 4: day, 5: day }),
    ...(saturday !== undefined && { 6: hoursOf(saturday) }),
  };
}

function hoursOf(hours: Hours | null): Hours | null {
  return hours && { from: hours.from, to: hours.to };
}

export function policyVersionText(policyVersion: number): string {
  return `${LAW_VERSION}.${policyVersion}`;
}

/** Settings with what was given. Fails with `invalid_argument` where it is laxer than the law or shuts a state. */
export function changedSettings(before: StoredSettings, given: SettingsInput): StoredSettings {
  const { creditor, legal } = given;
  const after: StoredSettings = {
    ...before,
    creditor: creditor === undefined ? before.creditor : changedCreditor(before.creditor, creditor),
    defaultTerms:
      given.default_terms === undefined
        ? before.defaultTerms
        : given.default_terms && termsOf(given.default_terms),
    allocationOrder: given.payment_allocation ?? before.allocationOrder,
    interestFrom: given.interest_from ?? before.interestFrom,
    windows: given.contact_windows === undefined ? before.windows : windowsOf(given.contact_windows),
    isEmailInWindows: given.email_in_contact_windows ?? before.isEmailInWindows,
    dailyCapPerPerson: given.daily_cap_per_person ?? before.dailyCapPerPerson,
    agreementDefaultAfterDays: given.agreement_default_after_days ?? before.agreementDefaultAfterDays,
    promiseGraceBusinessDays: given.promise_grace_business_days ?? before.promiseGraceBusinessDays,
    legal: legal === undefined ? before.legal : changedLegal(before.legal, legal),
  };
  requireOpenSomeDay(after, 'contact_windows');
  return after;
}

/** Preferences with what was given. Fails with `invalid_argument` where quiet hours shut a state altogether. */
export function changedPreferences(before: StoredSettings, given: PreferencesInput): StoredSettings {
  const { preferences } = before;
  const quiet = given.quiet_hours;
  if (quiet && quiet.from <= quiet.to) {
    failArgument('quiet_hours', 'from an evening hour to a morning one, such as 20:00 to 09:00');
  }
  const after: StoredSettings = {
    ...before,
    preferences: {
      channels: given.channels === undefined ? preferences.channels : inOrder(given.channels),
      senderName: given.sender_name === undefined ? preferences.senderName : given.sender_name,
      replyTo: given.reply_to === undefined ? preferences.replyTo : given.reply_to,
      language: given.language ?? preferences.language,
    },
    channelCaps: capsWith(before.channelCaps, given.channel_caps ?? {}),
    quietHours: quiet === undefined ? before.quietHours : quiet,
  };
  requireOpenSomeDay(after, 'quiet_hours');
  return after;
}

/** Whether something that decides on contacts differs. */
export function hasOtherPolicy(left: StoredSettings, right: StoredSettings): boolean {
  return JSON.stringify(contactPolicyOf(left, 0)) !== JSON.stringify(contactPolicyOf(right, 0));
}

/** The parts of the public record that the settings themselves tell. */
export function settingsFieldsOf(
  stored: StoredSettings,
): Omit<SettingsRecord, 'time_zone' | 'policy_version' | 'updated_by' | 'updated_at' | 'version'> {
  const { creditor, legal } = stored;
  return {
    creditor: {
      legal_name: creditor.legalName,
      document_number: creditor.documentNumber,
      address: creditor.address,
      phone: creditor.phone,
      email: creditor.email,
    },
    default_terms: stored.defaultTerms && chargesOf(stored.defaultTerms),
    warnings: termsWarnings(stored.defaultTerms),
    payment_allocation: stored.allocationOrder,
    interest_from: stored.interestFrom,
    contact_windows: groupStates((state) => hoursInForce(stored.windows, state)),
    email_in_contact_windows: stored.isEmailInWindows,
    daily_cap_per_person: stored.dailyCapPerPerson,
    agreement_default_after_days: stored.agreementDefaultAfterDays,
    promise_grace_business_days: stored.promiseGraceBusinessDays,
    legal: {
      prior_notice_days: groupStates((state) => ({ days: priorNoticeDays(state, legal.priorNoticeDays) })),
      min_days_overdue: legal.minDaysOverdue,
      min_amount: moneyText(legal.minAmountCents),
      removal_business_days: legal.removalBusinessDays,
      remove_bureau_on: legal.removeBureauOn,
    },
  };
}

/** The same of the preferences. */
export function preferenceFieldsOf(
  stored: StoredSettings,
): Omit<PreferencesRecord, 'policy_version' | 'updated_at' | 'version'> {
  const { preferences, channelCaps, quietHours } = stored;
  const cap = (channel: string) => channelCaps[channel] ?? null;
  return {
    channels: [...preferences.channels] as PreferencesRecord['channels'],
    sender_name: preferences.senderName,
    reply_to: preferences.replyTo,
    language: preferences.language,
    daily_cap_per_person: stored.dailyCapPerPerson,
    channel_caps: {
      email: cap('email'),
      sms: cap('sms'),
      whatsapp: cap('whatsapp'),
      phone: cap('phone'),
      letter: cap('letter'),
    },
    quiet_hours: quietHours && { ...quietHours },
  };
}

function changedCreditor(before: Creditor, given: NonNullable<SettingsInput['creditor']>): Creditor {
  const number = given.document_number;
  return {
    legalName: given.legal_name === undefined ? before.legalName : given.legal_name,
    documentNumber: number === undefined ? before.documentNumber : number && creditorDocument(number),
    address: given.address === undefined ? before.address : given.address,
    phone: given.phone === undefined ? before.phone : given.phone,
    email: given.email === undefined ? before.email : given.email,
  };
}

function creditorDocument(text: string): string {
  return parseTaxId(text)?.number ?? fail('invalid_document_number', { path: 'creditor.document_number' });
}

function changedLegal(before: LegalSettings, given: NonNullable<SettingsInput['legal']>): LegalSettings {
  return {
    priorNoticeDays:
      given.prior_notice_days === undefined ? before.priorNoticeDays : noticeDaysOf(given.prior_notice_days),
    minDaysOverdue: given.min_days_overdue ?? before.minDaysOverdue,
    minAmountCents: given.min_amount ?? before.minAmountCents,
    removalBusinessDays: given.removal_business_days ?? before.removalBusinessDays,
    removeBureauOn: given.remove_bureau_on ?? before.removeBureauOn,
  };
}

function inOrder(given: readonly string[]): string[] {
  return channels.filter((channel) => given.includes(channel));
}

function capsWith(
  before: Readonly<Record<string, number>>,
  given: NonNullable<PreferencesInput['channel_caps']>,
): Record<string, number> {
  const caps = new Map(Object.entries(before));
  for (const [channel, cap] of Object.entries(given)) {
    if (cap === null) caps.delete(channel);
    else if (cap !== undefined) caps.set(channel, cap);
  }
  return Object.fromEntries([...caps].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
