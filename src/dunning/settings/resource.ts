import type { InterestFrom, Terms } from '../../core/accruals.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { AllocationOrder } from '../../core/terms.ts';
import type { Hours } from '../contact-law/index.ts';
import { insertDefaults, type SettingsRow, selectSettings, updateSettings } from './queries.ts';
import {
  type Creditor,
  contactPolicyOf,
  defaultSettings,
  hasOtherPolicy,
  type LegalSettings,
  type Preferences,
  policyVersionText,
  preferenceFieldsOf,
  type Settings,
  type StoredSettings,
  settingsFieldsOf,
} from './rules.ts';
import type { PreferencesRecord, SettingsRecord } from './schema.ts';
import type { Windows } from './windows.ts';

/** Settings, and the row they come from; null when nobody has changed any. */
export interface SettingsInForce {
  readonly stored: StoredSettings;
  readonly row: SettingsRow | null;
}

/** What the organization decided about collecting, defaults where it decided nothing. */
export async function settingsOf(context: Context): Promise<Settings> {
  const { stored, row } = await settingsInForce(context);
  const { creditor, defaultTerms, allocationOrder, interestFrom, legal, preferences } = stored;
  return {
    creditor,
    defaultTerms,
    allocationOrder,
    interestFrom,
    agreementDefaultAfterDays: stored.agreementDefaultAfterDays,
    promiseGraceBusinessDays: stored.promiseGraceBusinessDays,
    legal,
    preferences,
    contactPolicy: contactPolicyOf(stored, row?.policy_version ?? 1),
  };
}

export async function settingsInForce({ db, organizationId }: Context): Promise<SettingsInForce> {
  const row = await selectSettings(db, organizationId);
  return row === undefined ? { row: null, stored: defaultSettings } : { row, stored: storedOf(row) };
}

/** Changes the settings by the rule given; every change waits for the one before it, so that none is lost. */
export async function changeSettings(
  context: WriteContext,
  change: (before: StoredSettings) => StoredSettings,
): Promise<SettingsInForce> {
  const { db, organizationId, now } = context;
  await insertDefaults(db, organizationId, now);
  const row = (await selectSettings(db, organizationId, true))!;
  const before = { row, stored: storedOf(row) };
  const stored = change(before.stored);
  const isOther = hasOtherPolicy(before.stored, stored);
  await updateSettings(db, { ...row, ...columnsOf(stored), ...stamp(context, row, isOther) }, now);
  const after = await settingsInForce(context);
  context.changed('settings', organizationId, recorded(before, context), recorded(after, context));
  return after;
}

/** The public record. */
export function settingsRecordOf({ stored, row }: SettingsInForce, context: Context): SettingsRecord {
  return {
    time_zone: context.timeZone,
    ...settingsFieldsOf(stored),
    policy_version: policyVersionText(row?.policy_version ?? 1),
    updated_by: row?.updated_by ?? null,
    updated_at: row?.updated_at ?? null,
    version: row?.version ?? null,
  };
}

/** The public record of how messages go out. */
export function preferencesOf({ stored, row }: SettingsInForce): PreferencesRecord {
  return {
    ...preferenceFieldsOf(stored),
    policy_version: policyVersionText(row?.policy_version ?? 1),
    updated_at: row?.updated_at ?? null,
    version: row?.version ?? null,
  };
}

/** The whole, as the audit chain keeps it. */
function recorded(settings: SettingsInForce, context: Context) {
  return { ...settingsRecordOf(settings, context), notification_preferences: preferencesOf(settings) };
}

function stamp(context: WriteContext, row: SettingsRow, isOtherPolicy: boolean) {
  return {
    policy_version: row.policy_version + (isOtherPolicy ? 1 : 0),
    updated_by: context.caller.user.id,
  };
}

/** What `notification_preferences` holds. */
interface StoredPreferences extends Preferences {
  readonly channelCaps: Readonly<Record<string, number>>;
  readonly quietHours: Hours | null;
}

function storedOf(row: SettingsRow): StoredSettings {
  const { channelCaps, quietHours, ...preferences } =
    row.notification_preferences as Partial<StoredPreferences>;
  return {
    creditor: { ...defaultSettings.creditor, ...(row.creditor as Partial<Creditor>) },
    defaultTerms: row.default_terms as Terms | null,
    allocationOrder: row.payment_allocation as AllocationOrder,
    interestFrom: row.interest_from as InterestFrom,
    windows: row.contact_windows as Windows,
    isEmailInWindows: row.is_email_in_windows,
    dailyCapPerPerson: row.daily_cap_per_person,
    agreementDefaultAfterDays: row.agreement_default_after_days,
    promiseGraceBusinessDays: row.promise_grace_business_days,
    legal: { ...defaultSettings.legal, ...(row.legal as Partial<LegalSettings>) },
    preferences: { ...defaultSettings.preferences, ...preferences },
    channelCaps: channelCaps ?? {},
    quietHours: quietHours ?? null,
  };
}

function columnsOf(stored: StoredSettings) {
  const { preferences, channelCaps, quietHours } = stored;
  return {
    creditor: stored.creditor,
    default_terms: stored.defaultTerms,
    payment_allocation: stored.allocationOrder,
    interest_from: stored.interestFrom,
    contact_windows: stored.windows,
    is_email_in_windows: stored.isEmailInWindows,
    daily_cap_per_person: stored.dailyCapPerPerson,
    agreement_default_after_days: stored.agreementDefaultAfterDays,
    promise_grace_business_days: stored.promiseGraceBusinessDays,
    legal: stored.legal,
    notification_preferences: { ...preferences, channelCaps, quietHours },
  };
}
