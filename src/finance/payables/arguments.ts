/** Arguments that registering and changing a bill share. */

import { z } from 'zod';
import { date, money, month, text } from '../../core/fields.ts';
import { withholdingKinds } from './schema.ts';

const WITHHOLDINGS_MAX = 10;

export const descriptionArgument = () => text(300).describe('What is paid.');
export const competenceArgument = () =>
  month().describe('Month of the expense; default: of the issue date, else of the due date.');
export const documentNumberArgument = () => text(60).describe('Number on the document.');
export const plannedDateArgument = () => date().describe('When it is meant to be paid.');

export const withholdingsArgument = z
  .array(z.strictObject({ kind: z.enum(withholdingKinds), amount: money() }))
  .max(WITHHOLDINGS_MAX, { error: `at most ${WITHHOLDINGS_MAX} withholdings` })
  .describe('Taxes withheld: not paid to the supplier.');
