import { z } from 'zod';
import { date, id, moneyOut, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { describe, letterFields } from '../files.ts';
import { statementOf } from '../gather.ts';
import { statementPdf } from '../statement.ts';

export const statementOfPerson = operation({
  name: 'dunning_people_statement_pdf',
  title: 'Statement of a debtor',
  summary: 'Describes the statement of account of a debtor and names the resource that holds the PDF.',
  effect: 'read',
  scope: 'dunning.people',
  input: {
    id: id('the debtor'),
    as_of: date().optional().describe('Day of the amounts; default: today.'),
  },
  output: z.object({
    ...letterFields,
    resource_uri: z.string().nullable().describe('Holds the bytes; of today only, else null.'),
    as_of: z.string(),
    charges: z.int(),
    open_due: moneyOut().describe('Of open charges in no agreement, fine and interest included.'),
    agreements_due: moneyOut().describe('Open installments.'),
    total_due: moneyOut(),
  }),
  async run(input, context) {
    const asOf = input.as_of ?? context.today;
    const { totals, ...letter } = await statementPdf(await statementOf(context, input.id, asOf));
    return {
      ...describe(`extrato-${input.id}-${asOf}.pdf`, letter),
      resource_uri: asOf === context.today ? `kobana://dunning/people/${input.id}/statement-pdf` : null,
      as_of: asOf,
      charges: totals.charges,
      open_due: moneyText(totals.openDue),
      agreements_due: moneyText(totals.agreementsDue),
      total_due: moneyText(totals.totalDue),
    };
  },
});
