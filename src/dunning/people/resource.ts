import { formatTaxId } from '../../core/documents/tax-id.ts';
import { fail } from '../../core/errors.ts';
import { ours, outside } from '../../core/facts.ts';
import type { Context, Fact, WriteContext } from '../../core/operation.ts';
import { cleanOutsideText } from '../../core/text.ts';
import { searchTextOf } from '../../db/listing.ts';
import { planSearch } from '../../db/search.ts';
import { addContacts, type ContactDraft } from './contacts.ts';
import {
  insertPerson,
  type Lock,
  lockKey,
  type PersonRow,
  personSorts,
  selectPeople,
  selectPerson,
  selectPersonByDocument,
  selectPersonByExternalId,
  selectRecentPersonIds,
} from './queries.ts';
import {
  cleanAddress,
  documentNumberOf,
  kindOf,
  maskDocument,
  newPerson,
  type PersonData,
  searchedTexts,
} from './rules.ts';
import type { Address, Person, PersonSummary } from './schema.ts';

export type { PersonRow } from './queries.ts';

const NAME_MAX = 200;
const SUGGESTIONS_MAX = 101;

/** The public record of a row. */
export function personOf(row: PersonRow): Person {
  return {
    id: row.id,
    ...personDataOf(row),
    status: statusOf(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** What a row says about the debtor. */
export function personDataOf(row: PersonRow): PersonData {
  return {
    name: row.name,
    kind: row.kind as PersonData['kind'],
    document_number: row.document_number,
    address: cleanAddress(row.address as Address | null),
    state: row.state,
    is_consumer: row.is_consumer,
    do_not_contact: row.do_not_contact,
    deceased: row.deceased,
    language: row.language as PersonData['language'],
    external_id: row.external_id,
    tags: row.tags,
  };
}

/** What records of other kinds say of their debtor; of a CPF only its middle. */
export function personSummary(row: Pick<PersonRow, 'id' | 'name' | 'document_number'>): PersonSummary {
  return { id: row.id, name: row.name, document_number: maskDocument(row.document_number) };
}

/** Who it is, for a question: the name quoted, the document whole, because whoever confirms has to recognize it. */
export function personFacts(row: Pick<PersonRow, 'name' | 'document_number'>): Fact[] {
  const name = outside('debtor', 'Devedor', 'Debtor', row.name);
  if (row.document_number === null) return [name];
  return [name, ours('document', 'CPF/CNPJ', 'CPF/CNPJ', formatTaxId(row.document_number))];
}

/** The debtor of this organization; while the caller is writing, nobody else can change it. Fails with `not_found`. */
export function requirePerson(context: Context, id: string): Promise<PersonRow> {
  return lockedPerson(context, id, 'share');
}

/** The same debtor, locked to be changed here when the caller is writing. Fails with `not_found`. */
export function requirePersonToChange(context: Context, id: string): Promise<PersonRow> {
  return lockedPerson(context, id, 'update');
}

/** The debtor with this CPF or CNPJ (stored form), if there is one. */
export function findPersonByDocument(
  context: Context,
  documentNumber: string,
): Promise<PersonRow | undefined> {
  return selectPersonByDocument(context.db, context.organizationId, documentNumber);
}

/** Somebody who owes, as read elsewhere; every text is a stranger's. */
export interface PersonDraft {
  readonly name: string;
  readonly documentNumber: string | null;
  /** Needed only without a document; default then: a company. */
  readonly kind?: 'natural' | 'legal' | undefined;
  readonly address?: Readonly<Record<string, unknown>> | null | undefined;
  readonly emails?: readonly string[] | undefined;
  /** Each is one for messages and calls. */
  readonly phones?: readonly string[] | undefined;
  readonly externalId?: string | null | undefined;
}

/**
 * Registers the debtor of a debt read elsewhere. Gives the debtor who has the document number or the external id
 * already, unchanged, when there is one. Contacts that are none are left out. Fails with `invalid_document_number`.
 */
export async function registerPerson(context: WriteContext, draft: PersonDraft): Promise<PersonRow> {
  const documentNumber =
    draft.documentNumber === null ? null : documentNumberOf(draft.documentNumber, 'document_number');
  const known = await knownPerson(context, documentNumber, draft.externalId ?? null);
  if (known !== undefined) return known;
  const name = cleanOutsideText(draft.name, NAME_MAX);
  const kind = documentNumber === null ? (draft.kind ?? 'legal') : kindOf(documentNumber, undefined);
  const person = newPerson({
    name: name === '' ? (documentNumber ?? '?') : name,
    kind,
    document_number: documentNumber,
    address: addressOf(draft.address ?? null),
    external_id: draft.externalId ?? null,
  });
  const row = await addPerson(context, person);
  await addContacts(context, row.id, contactDraftsOf(draft), 'skip');
  return row;
}

/** Refuses a document number or external id that another debtor has, also one who takes it at this moment. */
export async function requireFreeKeys(
  context: WriteContext,
  keys: { documentNumber?: string | null; externalId?: string | null },
  ownId: string | null,
): Promise<void> {
  const holder = await knownPerson(context, keys.documentNumber ?? null, keys.externalId ?? null);
  if (holder !== undefined && holder.id !== ownId) fail('duplicate', { of: holder.id });
}

/** Writes a new debtor, whose keys were found free under their locks. */
export async function addPerson(context: WriteContext, data: PersonData): Promise<PersonRow> {
  const id = context.newId();
  await insertPerson(context.db, {
    ...data,
    organization_id: context.organizationId,
    id,
    search_text: searchTextOf(...searchedTexts(data)),
    created_by: context.caller.user.id,
    created_at: context.now.toISOString(),
  });
  const row = await requirePersonToChange(context, id);
  context.changed('person', id, null, personOf(row));
  return row;
}

/** Ids of debtors for what was typed: found by words, else the newest that begin with it; all by name for nothing. */
export async function suggestPersonIds(context: Context, typed: string): Promise<string[]> {
  const { db, organizationId, today } = context;
  const isSearch = searchTextOf(typed).replace(/[^a-z0-9]/g, '').length >= 2;
  const search = isSearch ? await planSearch(db, organizationId, 'd', typed) : undefined;
  const page = { sort: personSorts['name']!, position: null, limit: SUGGESTIONS_MAX - 1 };
  const rows = await selectPeople(db, organizationId, { search, archived: false }, page, today);
  if (rows.length > 0) return rows.map(({ id }) => id);
  return selectRecentPersonIds(db, organizationId, typed);
}

async function lockedPerson(context: Context, id: string, whenWriting: Lock): Promise<PersonRow> {
  const lock = context.isWriting ? whenWriting : 'none';
  const row = await selectPerson(context.db, context.organizationId, id, lock);
  return row ?? fail('not_found', { kind: 'person', id });
}

/** Locks in one order, document first, so that two who want both do not wait for each other. */
async function knownPerson(
  { db, organizationId }: WriteContext,
  documentNumber: string | null,
  externalId: string | null,
): Promise<PersonRow | undefined> {
  if (documentNumber !== null) {
    await lockKey(db, organizationId, `document/${documentNumber}`);
    const known = await selectPersonByDocument(db, organizationId, documentNumber);
    if (known !== undefined) return known;
  }
  if (externalId === null) return undefined;
  await lockKey(db, organizationId, `external/${externalId}`);
  return selectPersonByExternalId(db, organizationId, externalId);
}

function statusOf(row: PersonRow): Person['status'] {
  if (row.anonymized_at !== null) return 'anonymized';
  return row.archived_at === null ? 'active' : 'archived';
}

/** An address of elsewhere: the fields we know, as far as they are texts in our form. */
function addressOf(given: Readonly<Record<string, unknown>> | null): Address | null {
  if (given === null) return null;
  const fields = ['street', 'number', 'complement', 'district', 'city', 'state', 'postal_code'];
  const known = fields.flatMap((field) => {
    const value = given[field];
    const isFit =
      typeof value === 'string' &&
      (field !== 'state' || /^[A-Z]{2}$/.test(value)) &&
      (field !== 'postal_code' || /^\d{8}$/.test(value));
    return isFit ? [[field, value]] : [];
  });
  return known.length === 0 ? null : cleanAddress(Object.fromEntries(known));
}

function contactDraftsOf({ emails = [], phones = [] }: PersonDraft): ContactDraft[] {
  return [
    ...emails.map((value) => ({ channel: 'email' as const, value })),
    ...phones.flatMap((value) =>
      (['sms', 'whatsapp', 'phone'] as const).map((channel) => ({ channel, value })),
    ),
  ];
}
