import { fail, failArgument } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { searchTextOf } from '../../db/listing.ts';
import {
  insertVersion,
  type Lock,
  selectStepsOf,
  selectTemplate,
  selectTemplateIds,
  selectVersions,
  type TemplateRow,
  updateTemplate,
} from './queries.ts';
import type { Template, TemplateItem } from './schema.ts';

export type { TemplateRow } from './queries.ts';

/** A line of a list. */
export function templateItemOf(row: TemplateRow): TemplateItem {
  return {
    id: row.id,
    name: row.name,
    channel: row.channel as TemplateItem['channel'],
    language: row.language as TemplateItem['language'],
    subject: row.subject,
    text_version: row.text_version,
    active: row.active,
    archived_at: row.archived_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The public record of a row. */
export function templateOf(row: TemplateRow): Template {
  return { ...templateItemOf(row), body: row.body };
}

/** The template of this organization; while the caller is writing, it stays as it is. Fails with `not_found`. */
export async function requireTemplate(context: Context, id: string, lock?: Lock): Promise<TemplateRow> {
  const { db, organizationId, isWriting } = context;
  const row = await selectTemplate(db, organizationId, id, lock ?? (isWriting ? 'share' : 'none'));
  return row ?? fail('not_found', { kind: 'template', id });
}

/**
 * A template that may be sent over the channel. Fails with `not_found`, `invalid_state` when it is archived or not
 * active, and `invalid_argument` when it is of another channel.
 */
export async function requireUsableTemplate(
  context: Context,
  id: string,
  channel: string,
): Promise<TemplateRow> {
  const row = await requireTemplate(context, id);
  requireActive(row);
  if (row.channel !== channel) failArgument('template_id', `a template of the channel "${channel}"`);
  return row;
}

/** Refuses a template that is out of use. */
export function requireActive(row: TemplateRow): void {
  if (row.archived_at !== null) fail('invalid_state', { from: 'archived', allowed: ['active'] });
  if (!row.active) fail('invalid_state', { from: 'inactive', allowed: ['active'] });
}

/** Refuses to take a template out of use that an active step sends. Fails with `in_use`. */
export async function requireUnused(context: Context, row: TemplateRow): Promise<void> {
  const by = await selectStepsOf(context.db, context.organizationId, row.id);
  if (by.length > 0) fail('in_use', { by });
}

/** The text of a version, as a message made of it keeps it. */
export interface VersionText {
  readonly channel: Template['channel'];
  readonly language: Template['language'];
  readonly subject: string | null;
  readonly body: string;
}

/** The texts of versions, by `versionKey`; one statement for any number. Unknown ones are missing. */
export async function versionTexts(
  { db, organizationId }: Context,
  versions: readonly { templateId: string; textVersion: number }[],
): Promise<ReadonlyMap<string, VersionText>> {
  const asked = [...new Map(versions.map((one) => [versionKey(one), one])).values()];
  if (asked.length === 0) return new Map();
  const rows = await selectVersions(
    db,
    organizationId,
    asked.map(({ templateId }) => templateId),
    asked.map(({ textVersion }) => textVersion),
  );
  return new Map(
    rows.map((row) => [
      versionKey({ templateId: row.template_id, textVersion: row.text_version }),
      {
        channel: row.channel as Template['channel'],
        language: row.language as Template['language'],
        subject: row.subject,
        body: row.body,
      },
    ]),
  );
}

/** Names a version of a template in `versionTexts`. */
export function versionKey({ templateId, textVersion }: { templateId: string; textVersion: number }): string {
  return `${templateId}/${textVersion}`;
}

/** Writes a changed row, keeps its text if that is new, and records the change. Gives the row as it is now. */
export async function changeTemplate(
  context: WriteContext,
  before: TemplateRow,
  changed: TemplateRow,
): Promise<TemplateRow> {
  await updateTemplate(context.db, changed, context.now);
  if (changed.text_version !== before.text_version) await keepVersion(context, changed);
  const after = await requireTemplate(context, before.id, 'update');
  context.changed('template', before.id, templateOf(before), templateOf(after));
  return after;
}

/** Keeps the text that messages are made of from now on. */
export function keepVersion(
  context: WriteContext,
  row: Omit<TemplateRow, 'updated_at' | 'version'>,
): Promise<number> {
  return insertVersion(context.db, {
    organization_id: row.organization_id,
    template_id: row.id,
    text_version: row.text_version,
    subject: row.subject,
    body: row.body,
    created_by: context.caller.user.id,
    created_at: context.now.toISOString(),
  });
}

export function suggestTemplateIds({ db, organizationId }: Context, typed: string): Promise<string[]> {
  const letters = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`);
  return selectTemplateIds(db, organizationId, {
    pattern: `%${letters(searchTextOf(typed))}%`,
    prefix: `${letters(typed.toLowerCase())}%`,
  });
}
