import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { changeTemplate, requireTemplate, requireUnused, templateOf } from '../resource.ts';
import { requireSendable } from '../rules.ts';
import { bodyText, lineText, templateSchema } from '../schema.ts';

export const updateTemplate = operation({
  name: 'dunning_templates_update',
  title: 'Update message template',
  summary: 'Change a template. A new text is a new version; messages made before keep theirs.',
  effect: 'write',
  scope: 'dunning.templates',
  hints: { idempotent: true },
  input: {
    id: id('the template'),
    name: lineText(120).optional(),
    subject: lineText(200).optional().describe('E-mails only.'),
    body: bodyText().optional().describe('Plain text with {{variables}}.'),
    active: z.boolean().optional(),
  },
  output: templateSchema,
  async run({ id: templateId, ...changes }, context) {
    const before = await requireTemplate(context, templateId, 'update');
    if (before.archived_at !== null)
      fail('invalid_state', { from: 'archived', allowed: ['active', 'inactive'] });
    const row = { ...before, ...changes };
    const hasNewText = row.subject !== before.subject || row.body !== before.body;
    if (hasNewText) {
      requireSendable({ ...row, channel: templateOf(row).channel });
      row.text_version += 1;
    }
    if (before.active && !row.active) await requireUnused(context, before);
    const isSame = !hasNewText && row.name === before.name && row.active === before.active;
    return templateOf(isSame ? before : await changeTemplate(context, before, row));
  },
});
