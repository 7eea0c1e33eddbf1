import { z } from 'zod';
import { text } from '../../core/fields.ts';
import { address, cleanText } from '../schema.ts';

const LIST_MAX = 20;
const PIX_KEY_MAX = 140;

const emailForm = 'an e-mail address';
const phoneForm = 'a phone number with area code, such as "+5511987654321"';

const role = z.enum(['supplier', 'customer']);
const pixKeyType = z.enum(['cpf', 'cnpj', 'phone', 'email', 'random']);
const accountKind = z.enum(['checking', 'savings', 'payment']);

const digits = (min: number, max: number, error: string) =>
  z.string({ error }).regex(new RegExp(`^\\d{${min},${max}}$`), { error });
const checkDigit = () => {
  const error = 'one or two digits or letters';
  return z
    .string({ error })
    .regex(/^[0-9A-Za-z]{1,2}$/, { error })
    .transform((value) => value.toUpperCase());
};

const bankAccountInput = z.strictObject({
  bank_code: digits(3, 3, 'the three digits of the bank, such as "341"').describe('Three digits.'),
  ispb: digits(8, 8, 'the eight digits of the ISPB').optional().describe('Eight digits.'),
  agency: digits(1, 5, 'the branch, one to five digits, without its check digit'),
  agency_digit: checkDigit().optional(),
  number: digits(1, 20, 'the account, digits only, without its check digit').describe(
    'Without check digit; zeros in front are kept.',
  ),
  digit: checkDigit().describe('Check digit of the account.'),
  kind: accountKind,
  holder_document: text(30).optional().describe("CPF or CNPJ of the holder; default: the person's own."),
});

const pixKeyInput = z.strictObject({
  key: text(PIX_KEY_MAX),
  type: pixKeyType.optional().describe('Needed where the key alone may be read in two ways.'),
});

const phone = z
  .string({ error: phoneForm })
  .max(30, { error: phoneForm })
  .transform((value, context) => {
    const stored = phoneOf(value);
    if (stored !== null) return stored;
    context.issues.push({ code: 'custom', message: phoneForm, input: value });
    return z.NEVER;
  });

/** Arguments of create; update takes the same, each optional. */
export const personFields = {
  name: cleanText(200),
  roles: z
    .array(role)
    .min(1, { error: 'at least one of: supplier, customer' })
    .max(2, { error: 'each role once' }),
  kind: z.enum(['natural', 'legal']).optional().describe('Only without a document number, which tells it.'),
  document_number: text(30).nullable().optional().describe('CPF or CNPJ, with or without punctuation.'),
  emails: z
    .array(z.email({ error: emailForm }).max(254, { error: emailForm }).toLowerCase())
    .max(LIST_MAX, { error: `at most ${LIST_MAX}` })
    .optional(),
  phones: z
    .array(phone)
    .max(LIST_MAX, { error: `at most ${LIST_MAX}` })
    .optional(),
  address: address.nullable().optional(),
  bank_accounts: z
    .array(bankAccountInput)
    .max(LIST_MAX, { error: `at most ${LIST_MAX}` })
    .optional(),
  pix_keys: z
    .array(pixKeyInput)
    .max(LIST_MAX, { error: `at most ${LIST_MAX}` })
    .optional(),
};

export const personRole = role;

export const personSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['natural', 'legal']),
    document_number: z.string().nullable().describe('CPF (11 digits) or CNPJ (14 characters).'),
    roles: z.array(role),
    emails: z.array(z.string()),
    phones: z.array(z.string()),
    address: address.nullable(),
    bank_accounts: z
      .array(
        z.object({
          bank_code: z.string(),
          ispb: z.string().nullable(),
          agency: z.string(),
          agency_digit: z.string().nullable(),
          number: z.string(),
          digit: z.string(),
          kind: accountKind,
          holder_document: z.string(),
        }),
      )
      .describe('Masked unless the caller may see bank details.'),
    pix_keys: z
      .array(z.object({ type: pixKeyType, key: z.string() }))
      .describe('Masked unless the caller may see bank details.'),
    bank_details_changed_at: z
      .string()
      .nullable()
      .describe('When bank accounts or Pix keys were last changed; null when never since registration.'),
    active: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'person', description: 'A supplier, a customer, or both.' });

export type Person = z.infer<typeof personSchema>;
export type BankAccount = Person['bank_accounts'][number];
export type PixKey = Person['pix_keys'][number];
export type PersonInput = z.output<z.ZodObject<typeof personFields>>;
export type BankAccountInput = z.output<typeof bankAccountInput>;
export type PixKeyInput = z.output<typeof pixKeyInput>;

/** The number with country code and without punctuation; null when it cannot be one. Ten or eleven digits are Brazilian. */
function phoneOf(value: string): string | null {
  if (!/^\+?[\d\s().-]{8,30}$/.test(value)) return null;
  const number = value.replace(/\D/g, '');
  if (value.startsWith('+')) return number.length >= 8 && number.length <= 15 ? `+${number}` : null;
  if (number.length === 10 || number.length === 11) return `+55${number}`;
  return /^55\d{10,11}$/.test(number) ? `+${number}` : null;
}
