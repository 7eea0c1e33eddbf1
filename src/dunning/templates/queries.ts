import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  plainText,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';

const SHOWN_MAX = 5;
const SUGGESTED_MAX = 101;

export type TemplateRow = Tables['dunning_templates'];
export type TemplateVersionRow = Tables['dunning_template_versions'];

export const templateSorts = sortsOf({
  name: { column: 'name', keyForm: 'text' },
  created_at: { column: 'created_at', keyForm: 'instant' },
});

export interface TemplateFilter extends TimeFilters {
  search?: string | undefined;
  channel?: string | undefined;
  language?: string | undefined;
  active?: boolean | undefined;
  archived: boolean;
}

export function selectTemplates(
  db: Db,
  organizationId: string,
  filter: TemplateFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<TemplateRow[]> {
  return db.rows<TemplateRow>(sql`
    select * from dunning_templates
     where organization_id = ${organizationId} and (archived_at is not null) = ${filter.archived}
       ${all(
         filter.active !== undefined && sql`active = ${filter.active}`,
         filter.channel !== undefined && sql`channel = ${filter.channel}`,
         filter.language !== undefined && sql`language = ${filter.language}`,
         filter.search !== undefined && sql`${plainText('name')} like ${filter.search}`,
       )}
       ${timeFilters(filter, 'dunning_templates')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** How long the row stays as it is: `share` keeps others from changing it, `update` is for changing it here. */
export type Lock = 'none' | 'share' | 'update';

const lockClauses: Readonly<Record<Lock, string>> = { none: '', share: 'for share', update: 'for update' };

export function selectTemplate(
  db: Db,
  organizationId: string,
  id: string,
  lock: Lock,
): Promise<TemplateRow | undefined> {
  return db.row<TemplateRow>(sql`
    select * from dunning_templates
     where organization_id = ${organizationId} and id = ${id} ${raw(lockClauses[lock])}`);
}

/** The texts that messages were made of; `templateIds` and `versions` belong together by place. */
export function selectVersions(
  db: Db,
  organizationId: string,
  templateIds: readonly string[],
  versions: readonly number[],
): Promise<(TemplateVersionRow & { language: string; channel: string })[]> {
  return db.rows(sql`
    select kept.*, template.language, template.channel
      from unnest(${templateIds}::uuid[], ${versions}::integer[]) asked(template_id, text_version)
      join dunning_template_versions kept
        on kept.organization_id = ${organizationId} and kept.template_id = asked.template_id
           and kept.text_version = asked.text_version
      join dunning_templates template
        on template.organization_id = ${organizationId} and template.id = asked.template_id`);
}

/** Some of the active steps that send the template. */
export function selectStepsOf(
  db: Db,
  organizationId: string,
  id: string,
): Promise<{ kind: string; id: string }[]> {
  return db.rows(sql`
    select 'step' as kind, id from dunning_rule_steps
     where organization_id = ${organizationId} and template_id = ${id} and active and deleted_at is null
     order by id limit ${SHOWN_MAX}`);
}

/** Templates whose name has the text or whose id begins with it, by name. */
export async function selectTemplateIds(
  db: Db,
  organizationId: string,
  typed: { pattern: string; prefix: string },
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from dunning_templates
     where organization_id = ${organizationId} and archived_at is null
       and (${plainText('name')} like ${typed.pattern} or id::text like ${typed.prefix})
     order by name, id limit ${raw(String(SUGGESTED_MAX))}`);
  return rows.map(({ id }) => id);
}

export type TemplateInsert = Omit<
  TemplateRow,
  'text_version' | 'active' | 'archived_at' | 'updated_at' | 'version'
>;

export function insertTemplate(db: Db, template: TemplateInsert): Promise<number> {
  return db.run(sql`
    insert into dunning_templates (organization_id, id, name, channel, language, subject, body,
                                   created_by, created_at, updated_at)
    values (${template.organization_id}, ${template.id}, ${template.name}, ${template.channel}, ${template.language},
            ${template.subject}, ${template.body}, ${template.created_by}, ${template.created_at},
            ${template.created_at})`);
}

export function insertVersion(db: Db, version: TemplateVersionRow): Promise<number> {
  return db.run(sql`
    insert into dunning_template_versions (organization_id, template_id, text_version, subject, body,
                                           created_by, created_at)
    values (${version.organization_id}, ${version.template_id}, ${version.text_version}, ${version.subject},
            ${version.body}, ${version.created_by}, ${version.created_at})`);
}

export function updateTemplate(db: Db, template: TemplateRow, now: Date): Promise<number> {
  return db.run(sql`
    update dunning_templates
       set name = ${template.name}, subject = ${template.subject}, body = ${template.body},
           text_version = ${template.text_version}, active = ${template.active},
           archived_at = ${template.archived_at}, updated_at = ${now}, version = version + 1
     where organization_id = ${template.organization_id} and id = ${template.id}`);
}
