import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';

export type SettingsRow = Tables['dunning_settings'];

export function selectSettings(
  db: Db,
  organizationId: string,
  isForUpdate = false,
): Promise<SettingsRow | undefined> {
  return db.row<SettingsRow>(sql`
    select * from dunning_settings where organization_id = ${organizationId} ${raw(isForUpdate ? 'for update' : '')}`);
}

/** The row that a first change starts from, so that two first changes wait for each other. */
export function insertDefaults(db: Db, organizationId: string, now: Date): Promise<number> {
  return db.run(sql`
    insert into dunning_settings (organization_id, updated_at, version) values (${organizationId}, ${now}, 0)
    on conflict do nothing`);
}

export function updateSettings(db: Db, settings: SettingsRow, now: Date): Promise<number> {
  return db.run(sql`
    update dunning_settings
       set creditor = ${JSON.stringify(settings.creditor)}::jsonb,
           default_terms = ${settings.default_terms === null ? null : JSON.stringify(settings.default_terms)}::jsonb,
           payment_allocation = ${settings.payment_allocation}, interest_from = ${settings.interest_from},
           contact_windows = ${JSON.stringify(settings.contact_windows)}::jsonb,
           is_email_in_windows = ${settings.is_email_in_windows},
           daily_cap_per_person = ${settings.daily_cap_per_person},
           agreement_default_after_days = ${settings.agreement_default_after_days},
           promise_grace_business_days = ${settings.promise_grace_business_days},
           legal = ${JSON.stringify(settings.legal)}::jsonb,
           notification_preferences = ${JSON.stringify(settings.notification_preferences)}::jsonb,
           policy_version = ${settings.policy_version}, updated_by = ${settings.updated_by},
           updated_at = ${now}, version = version + 1
     where organization_id = ${settings.organization_id}`);
}
