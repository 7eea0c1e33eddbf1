import { ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { changeTemplate, requireTemplate, requireUnused, type TemplateRow, templateOf } from '../resource.ts';
import { templateSchema } from '../schema.ts';
import { channelWords } from '../words.ts';

export const archiveTemplate = operation({
  name: 'dunning_templates_archive',
  title: 'Archive message template',
  titlePortuguese: 'Arquivar modelo de mensagem',
  summary: 'Retire a template that no active step sends. Messages made of it keep their text.',
  effect: 'destructive',
  scope: 'dunning.templates',
  hints: { idempotent: true },
  input: { id: id('the template') },
  output: templateSchema,
  async question(input, context) {
    const row = await prepareArchive(input.id, context);
    return [
      outside('name', 'Modelo', 'Template', row.name),
      ours('channel', 'Canal', 'Channel', channelWords[templateOf(row).channel]),
    ];
  },
  async run(input, context) {
    const before = await prepareArchive(input.id, context);
    if (before.archived_at !== null) return templateOf(before);
    const archived = { ...before, active: false, archived_at: context.now.toISOString() };
    return templateOf(await changeTemplate(context, before, archived));
  },
});

async function prepareArchive(templateId: string, context: Context): Promise<TemplateRow> {
  const row = await requireTemplate(context, templateId, context.isWriting ? 'update' : 'none');
  await requireUnused(context, row);
  return row;
}
