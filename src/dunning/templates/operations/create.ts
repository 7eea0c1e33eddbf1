import { operation } from '../../../core/operation.ts';
import { insertTemplate } from '../queries.ts';
import { keepVersion, requireTemplate, templateOf } from '../resource.ts';
import { requireSendable } from '../rules.ts';
import { bodyText, lineText, templateChannel, templateLanguage, templateSchema } from '../schema.ts';

export const createTemplate = operation({
  name: 'dunning_templates_create',
  title: 'Create message template',
  summary: 'Add a message template. Unknown variables, threats, and debt details in a subject are refused.',
  effect: 'write',
  scope: 'dunning.templates',
  input: {
    name: lineText(120),
    channel: templateChannel.describe('How messages made of it go out; it never changes.'),
    language: templateLanguage.default('pt-BR').describe('How amounts and dates are written.'),
    subject: lineText(200)
      .optional()
      .describe('E-mails only; others may read it, so it tells nothing of a debt.'),
    body: bodyText().describe('Plain text with {{variables}} of dunning_template_variables_list.'),
  },
  output: templateSchema,
  async run({ name, channel, language, subject = null, body }, context) {
    requireSendable({ channel, subject, body });
    const row = {
      organization_id: context.organizationId,
      id: context.newId(),
      name,
      channel,
      language,
      subject,
      body,
      created_by: context.caller.user.id,
      created_at: context.now.toISOString(),
    };
    await insertTemplate(context.db, row);
    const stored = await requireTemplate(context, row.id, 'update');
    await keepVersion(context, stored);
    const template = templateOf(stored);
    context.changed('template', row.id, null, template);
    return template;
  },
});
