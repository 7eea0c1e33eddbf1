import { type PixKeyReading, readPixKey } from '../../core/documents/pix-key.ts';
import { formatTaxId, maskTaxId, parseTaxId } from '../../core/documents/tax-id.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { BankAccount, BankAccountInput, Person, PersonInput, PixKey, PixKeyInput } from './schema.ts';

const DAY_MS = 86_400_000;
const ADDRESS_TEXT_MAX = 200;

/** Stands for hidden characters, the same for every length, so that the length stays hidden too. */
const MASK = '***';

export type PersonKind = Person['kind'];

/** What a person is made of; the rest is given by the system. */
export type PersonData = Pick<
  Person,
  | 'name'
  | 'kind'
  | 'document_number'
  | 'roles'
  | 'emails'
  | 'phones'
  | 'address'
  | 'bank_accounts'
  | 'pix_keys'
>;

export type BankDetails = Pick<PersonData, 'bank_accounts' | 'pix_keys'>;

/** The stored form of a CPF or CNPJ. Fails with `invalid_document_number`, naming the argument. */
export function documentNumberOf(text: string, path: string): string {
  return parseTaxId(text)?.number ?? fail('invalid_document_number', { path });
}

/**
 * Natural or legal: what the document tells, or what was given where there is none. Fails with
 * `invalid_argument` when neither tells or both disagree.
 */
export function kindOf(documentNumber: string | null, given: PersonKind | undefined): PersonKind {
  if (documentNumber === null) {
    return given ?? failArgument('kind', '"natural" or "legal", or a document number that tells it');
  }
  const kind = documentNumber.length === 11 ? 'natural' : 'legal';
  if (given !== undefined && given !== kind) failArgument('kind', `"${kind}", as the document number tells`);
  return kind;
}

/** A new person of validated arguments: everything in its stored form, lists without repetition. */
export function newPerson(input: PersonInput): PersonData {
  const documentNumber = documentNumberOrNull(input.document_number ?? null);
  return {
    name: input.name,
    kind: kindOf(documentNumber, input.kind),
    document_number: documentNumber,
    roles: distinct(input.roles, String),
    emails: distinct(input.emails ?? [], String),
    phones: distinct(input.phones ?? [], String),
    address: cleanAddress(input.address ?? null),
    bank_accounts: bankAccountsOf(input.bank_accounts ?? [], documentNumber),
    pix_keys: pixKeysOf(input.pix_keys ?? []),
  };
}

/** The person after a change of the fields given; lists are replaced whole. Without a document the kind stays. */
export function changedPerson(before: PersonData, input: Partial<PersonInput>): PersonData {
  const documentNumber =
    input.document_number === undefined
      ? before.document_number
      : documentNumberOrNull(input.document_number);
  const kind = documentNumber === null ? (input.kind ?? before.kind) : input.kind;
  return {
    name: input.name ?? before.name,
    kind: kindOf(documentNumber, kind),
    document_number: documentNumber,
    roles: distinct(input.roles ?? before.roles, String),
    emails: distinct(input.emails ?? before.emails, String),
    phones: distinct(input.phones ?? before.phones, String),
    address: input.address === undefined ? before.address : cleanAddress(input.address),
    bank_accounts:
      input.bank_accounts === undefined
        ? before.bank_accounts
        : bankAccountsOf(input.bank_accounts, documentNumber),
    pix_keys: input.pix_keys === undefined ? before.pix_keys : pixKeysOf(input.pix_keys),
  };
}

/** Bank accounts in their stored form, each once. The holder is the person unless another one is named. */
function bankAccountsOf(given: readonly BankAccountInput[], documentNumber: string | null): BankAccount[] {
  const accounts = given.map((account, index): BankAccount => {
    const path = `bank_accounts.${index}.holder_document`;
    const holder = account.holder_document ?? documentNumber;
    if (holder === null) failArgument(path, 'the CPF or CNPJ of the holder, as the person has none');
    if (/^0+$/.test(account.number)) failArgument(`bank_accounts.${index}.number`, 'not only zeros');
    return {
      bank_code: account.bank_code,
      ispb: account.ispb ?? null,
      agency: account.agency,
      agency_digit: account.agency_digit ?? null,
      number: account.number,
      digit: account.digit,
      kind: account.kind,
      holder_document: documentNumberOf(holder, path),
    };
  });
  return distinct(accounts, accountIdentity);
}

/**
 * Pix keys as the directory stores them, each once. Fails with `invalid_argument` and both readings where eleven
 * digits may be a CPF and a phone number, and with `invalid_pix_code` where the key is none.
 */
function pixKeysOf(given: readonly PixKeyInput[]): PixKey[] {
  const keys = given.map(({ key, type }, index): PixKey => {
    const path = `pix_keys.${index}`;
    // An e-mail address may hold asterisks, so a masked one sent back would pass as a key.
    if (key.includes('*')) failArgument(`${path}.key`, 'the whole key, not a masked one');
    const reading = readPixKey(key, type);
    if (reading.ok) return { type: reading.type, key: reading.value };
    if (reading.reason === 'ambiguous') failAmbiguous(`${path}.type`, reading.readings);
    return fail('invalid_pix_code', { path: `${path}.key`, reason: reading.message });
  });
  return distinct(keys, pixKeyIdentity);
}

/** Whether two sets of bank details lead to the same places, whatever their order. */
export function hasSameBankDetails(left: BankDetails, right: BankDetails): boolean {
  return detailsIdentity(left) === detailsIdentity(right);
}

/** Whole 24-hour days from an instant until now, at least 0; null when it never was. */
export function daysSince(instant: string | null, now: Date): number | null {
  if (instant === null) return null;
  return Math.max(0, Math.floor((now.getTime() - Date.parse(instant)) / DAY_MS));
}

/** A bank account for those who may not see it: the last two characters of the number and the check digit. */
export function maskBankAccount(account: BankAccount): BankAccount {
  return {
    ...account,
    number: lastTwo(account.number),
    holder_document: maskTaxId(account.holder_document),
  };
}

/** A Pix key for those who may not see it. A CNPJ is public; of the others enough stays to tell them apart. */
export function maskPixKey({ type, key }: PixKey): PixKey {
  switch (type) {
    case 'cpf':
    case 'cnpj':
      return { type, key: maskTaxId(key) };
    case 'phone':
      return { type, key: `${key.slice(0, 5)}${lastTwo(key)}` };
    case 'email':
      return { type, key: `${key.slice(0, 1)}${MASK}${key.slice(key.lastIndexOf('@'))}` };
    case 'random':
      return { type, key: lastTwo(key) };
  }
}

/** The address with every text cleaned; fields that were nothing but unseen characters are left out. */
function cleanAddress(address: Person['address']): Person['address'] {
  if (address === null) return null;
  const cleaned = Object.entries(address)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, cleanOutsideText(value, ADDRESS_TEXT_MAX)] as const)
    .filter(([, value]) => value !== '');
  return Object.fromEntries(cleaned);
}

/** The texts a search looks at: name, document with and without its punctuation, e-mails. */
export function searchedTexts(
  person: Pick<Person, 'name' | 'document_number' | 'emails'>,
): (string | null)[] {
  const { name, document_number: number, emails } = person;
  return [name, number, number === null ? null : formatTaxId(number), ...emails];
}

/** Each value once, the first of equals. */
function distinct<Value>(values: readonly Value[], identityOf: (value: Value) => string): Value[] {
  const byIdentity = new Map<string, Value>();
  for (const value of values) {
    const identity = identityOf(value);
    if (!byIdentity.has(identity)) byIdentity.set(identity, value);
  }
  return [...byIdentity.values()];
}

function documentNumberOrNull(text: string | null): string | null {
  return text === null ? null : documentNumberOf(text, 'document_number');
}

function failAmbiguous(path: string, readings: readonly PixKeyReading[]): never {
  const types = readings.map(({ type }) => type).join(' or ');
  fail('invalid_argument', { path, expected: `the type of the key: ${types}`, readings });
}

function detailsIdentity({ bank_accounts, pix_keys }: BankDetails): string {
  return JSON.stringify([bank_accounts.map(accountIdentity).sort(), pix_keys.map(pixKeyIdentity).sort()]);
}

/** Fields by name, because the database gives them back in another order. */
function accountIdentity(account: BankAccount): string {
  const { bank_code, ispb, agency, agency_digit, number, digit, kind, holder_document } = account;
  return JSON.stringify([bank_code, ispb, agency, agency_digit, number, digit, kind, holder_document]);
}

function pixKeyIdentity({ type, key }: PixKey): string {
  return `${type}:${key}`;
}

/** Two of three characters would be nearly the whole, so short ones are hidden altogether. */
function lastTwo(text: string): string {
  return text.length < 4 ? MASK : `${MASK}${text.slice(-2)}`;
}
