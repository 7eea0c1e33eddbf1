/** Shared zod fields: the edge forms of ids, money, dates and lists, each with the text an error shows. */

import { z } from 'zod';
import { isCivilDate, isCivilMonth } from './dates.ts';
import { formatMoney, parseMoney, parsePercent } from './money.ts';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './paging.ts';
import { cleanOutsideText } from './text.ts';

const moneyForm = 'an amount in reais as a decimal string with a point, such as "1234.56"';

/** A UUID, any version, lower-cased. */
export const id = (what = 'the record') =>
  z
    .uuid({ error: `the id of ${what}, a UUID` })
    .toLowerCase()
    .describe(`Id of ${what}.`);

/** Free text of the caller, kept as written; the database cannot hold U+0000. */
export const text = (max: number, min = 1) => {
  const error = `text of ${min} to ${max} characters`;
  return z
    .string({ error })
    .min(min, { error })
    .max(max, { error })
    .refine((value) => !value.includes('\0'), { error: `${error}, without U+0000` });
};

/** Text that names a third party or is shown beside one: cleaned of unseen characters, and not empty after that. */
export const cleanText = (max: number) =>
  text(max)
    .transform((value) => cleanOutsideText(value, max))
    .refine((value) => value !== '', { error: `text of 1 to ${max} characters` });

/** Money in: a decimal string (or a JSON number written with at most two decimals); inside, integer centavos. */
export const signedMoney = () =>
  z
    .union([z.string().max(20), z.number()], { error: moneyForm })
    .transform((value, context) => parseMoney(value) ?? issue(context, moneyForm));

/** Money in, at least 0.00. */
export const moneyOrZero = () =>
  signedMoney().refine((cents) => cents >= 0, { error: `${moneyForm}, not negative` });

/** Money in, at least 0.01. */
export const money = () =>
  signedMoney().refine((cents) => cents > 0, { error: `${moneyForm}, greater than zero` });

/** A rate or share in percent with up to four decimals; inside, ten-thousandths of a percent. */
export const percent = () => {
  const form = 'a percentage as a decimal string with up to four decimals, such as "2.5"';
  return z
    .union([z.string().max(12), z.number()], { error: form })
    .transform((value, context) => parsePercent(value) ?? issue(context, form));
};

/** A civil date. */
export const date = () => {
  const error = 'a real calendar date as YYYY-MM-DD';
  return z.string({ error }).refine(isCivilDate, { error }).meta({ format: 'date' });
};

/** A civil month. */
export const month = () => {
  const error = 'a month as YYYY-MM';
  return z.string({ error }).refine(isCivilMonth, { error }).meta({ pattern: '^\\d{4}-\\d{2}$' });
};

/** An instant with offset. */
export const instant = () => z.iso.datetime({ offset: true, error: 'an instant as YYYY-MM-DDThh:mm:ssZ' });

/** Money out. */
export const moneyOut = () => z.string().describe('Reais with two decimals.');

/** Centavos as the edge shows them. */
export const moneyText = formatMoney;

/** Arguments every list tool has. */
export const listArguments = {
  cursor: text(512).optional().describe('`next_cursor` of the page before.'),
  limit: z
    .int({ error: `a whole number from 1 to ${PAGE_SIZE_MAX}` })
    .min(1, { error: `a whole number from 1 to ${PAGE_SIZE_MAX}` })
    .max(PAGE_SIZE_MAX, { error: `a whole number from 1 to ${PAGE_SIZE_MAX}` })
    .default(PAGE_SIZE_DEFAULT)
    .describe('Page size.'),
  created_from: instant().optional(),
  created_to: instant().optional(),
  updated_from: instant().optional(),
  updated_to: instant().optional(),
};

/** The result of every list tool. */
export const listOutput = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });

function issue(context: z.core.$RefinementCtx, message: string): never {
  context.issues.push({ code: 'custom', message, input: context.value });
  return z.NEVER;
}
