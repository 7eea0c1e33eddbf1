import { formatTaxId, maskTaxId, parseTaxId } from '../../core/documents/tax-id.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { Address, Person, PersonInput } from './schema.ts';

const ADDRESS_TEXT_MAX = 200;

export type PersonKind = Person['kind'];

/** What a debtor is made of; the rest is given by the system. */
export type PersonData = Pick<
  Person,
  | 'name'
  | 'kind'
  | 'document_number'
  | 'address'
  | 'state'
  | 'is_consumer'
  | 'do_not_contact'
  | 'deceased'
  | 'language'
  | 'external_id'
  | 'tags'
>;

/** The stored form of a CPF or CNPJ. Fails with `invalid_document_number`, naming the argument. */
export function documentNumberOf(text: string, path: string): string {
  return parseTaxId(text)?.number ?? fail('invalid_document_number', { path });
}

/**
 * Natural or legal: what the document tells, or what was given where there is none. Fails with `invalid_argument`
 * when neither tells or both disagree.
 */
export function kindOf(documentNumber: string | null, given: PersonKind | undefined): PersonKind {
  if (documentNumber === null) {
    return given ?? failArgument('kind', '"natural" or "legal", or a document number that tells it');
  }
  const kind = documentNumber.length === 11 ? 'natural' : 'legal';
  if (given !== undefined && given !== kind) failArgument('kind', `"${kind}", as the document number tells`);
  return kind;
}

/** A new debtor of validated arguments. */
export function newPerson(input: PersonInput): PersonData {
  const documentNumber = documentNumberOrNull(input.document_number ?? null);
  const kind = kindOf(documentNumber, input.kind);
  const address = cleanAddress(input.address ?? null);
  return {
    name: input.name,
    kind,
    document_number: documentNumber,
    address,
    state: input.state ?? address?.state ?? null,
    is_consumer: input.is_consumer ?? kind === 'natural',
    do_not_contact: input.do_not_contact ?? false,
    deceased: input.deceased ?? false,
    language: input.language ?? 'pt-BR',
    external_id: input.external_id ?? null,
    tags: input.tags ?? [],
  };
}

/**
 * The debtor after a change of the fields given. A new address brings its state along, unless the state is given too.
 * Without a document the kind stays.
 */
export function changedPerson(before: PersonData, input: Partial<PersonInput>): PersonData {
  const documentNumber =
    input.document_number === undefined
      ? before.document_number
      : documentNumberOrNull(input.document_number);
  const address = input.address === undefined ? before.address : cleanAddress(input.address);
  const stateOfAddress = input.address === undefined ? before.state : (address?.state ?? before.state);
  return {
    name: input.name ?? before.name,
    kind: kindOf(documentNumber, documentNumber === null ? (input.kind ?? before.kind) : input.kind),
    document_number: documentNumber,
    address,
    state: input.state === undefined ? stateOfAddress : input.state,
    is_consumer: input.is_consumer ?? before.is_consumer,
    do_not_contact: input.do_not_contact ?? before.do_not_contact,
    deceased: input.deceased ?? before.deceased,
    language: input.language ?? before.language,
    external_id: input.external_id === undefined ? before.external_id : input.external_id,
    tags: input.tags ?? before.tags,
  };
}

/** A document number for the eyes of those who look at many: of a CPF its middle only, a CNPJ is public. */
export function maskDocument(documentNumber: string | null): string | null {
  return documentNumber === null ? null : maskTaxId(documentNumber);
}

/** The texts a search looks at: name, document with and without its punctuation, external id. */
export function searchedTexts(
  person: Pick<Person, 'name' | 'document_number' | 'external_id'>,
): (string | null)[] {
  const { name, document_number: number, external_id: externalId } = person;
  return [name, number, number === null ? null : formatTaxId(number), externalId];
}

/** The address with every text cleaned; fields that are null or nothing but unseen characters are left out. */
export function cleanAddress(
  address: Readonly<Record<string, string | null | undefined>> | null,
): Address | null {
  if (address === null) return null;
  const cleaned = Object.entries(address)
    .map(([field, value]) => [field, cleanOutsideText(value ?? '', ADDRESS_TEXT_MAX)] as const)
    .filter(([, value]) => value !== '');
  return Object.fromEntries(cleaned);
}

function documentNumberOrNull(text: string | null): string | null {
  return text === null ? null : documentNumberOf(text, 'document_number');
}
