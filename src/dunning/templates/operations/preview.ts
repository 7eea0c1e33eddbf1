import { z } from 'zod';
import { date, id, money } from '../../../core/fields.ts';
import type { Context } from '../../../core/operation.ts';
import { operation } from '../../../core/operation.ts';
import { amountsOf, requireCharge } from '../../charges/index.ts';
import { settingsOf } from '../../settings/index.ts';
import { messageChargeOf, messageCreditorOf } from '../message.ts';
import { renderText } from '../render.ts';
import { requireTemplate, templateOf } from '../resource.ts';
import { type Sample, sampleView, warningsOf } from '../rules.ts';
import { type TemplateLanguage, warningSchema } from '../schema.ts';
import { type MessageView, messageValues } from '../view.ts';

export const previewTemplate = operation({
  name: 'dunning_templates_preview',
  title: 'Preview message template',
  summary:
    'Show the message that a template makes of a charge, or of made-up ones, and what to look at. Sends nothing.',
  effect: 'read',
  scope: 'dunning.templates',
  input: {
    id: id('the template'),
    charge_id: id('the charge it is shown for').optional(),
    sample: z
      .strictObject({
        amount: money().optional(),
        due_date: date().optional(),
        charges: z
          .int({ error: 'a whole number from 1 to 5' })
          .min(1, { error: 'a whole number from 1 to 5' })
          .max(5, { error: 'a whole number from 1 to 5' })
          .optional(),
      })
      .optional()
      .describe('Without `charge_id`: made-up charges, one of 100.00 unless said otherwise.'),
  },
  output: z.object({
    subject: z.string().nullable(),
    body: z.string(),
    is_sample: z.boolean().describe('true: nobody owes this.'),
    warnings: z.array(warningSchema),
  }),
  async run(input, context) {
    const template = templateOf(await requireTemplate(context, input.id));
    const { charge_id: chargeId } = input;
    const view =
      chargeId === undefined
        ? await sampleOf(context, input.sample ?? {}, template.language)
        : await viewOf(context, chargeId, template.language);
    const rendered = renderText(template, messageValues(view));
    return {
      subject: rendered.subject,
      body: rendered.body,
      is_sample: chargeId === undefined,
      warnings: warningsOf(template, rendered),
    };
  },
});

async function viewOf(context: Context, chargeId: string, language: TemplateLanguage): Promise<MessageView> {
  const charge = await requireCharge(context, chargeId);
  const amounts = await amountsOf(context, charge);
  return {
    creditor: messageCreditorOf(await settingsOf(context)),
    person: { name: charge.person_name, documentNumber: charge.person_document_number },
    charges: [messageChargeOf(charge, amounts)],
    totalDueCents: amounts.amountDue,
    today: context.today,
    language,
  };
}

async function sampleOf(context: Context, sample: Sample, language: TemplateLanguage): Promise<MessageView> {
  const creditor = messageCreditorOf(await settingsOf(context));
  return sampleView({ creditor, sample, today: context.today, language });
}
