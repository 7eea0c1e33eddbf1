import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { cleanOutsideText } from '../../core/text.ts';
import { searchTextOf } from '../../db/listing.ts';
import {
  insertPerson,
  lockDocument,
  type PersonRow,
  selectPerson,
  selectPersonByDocument,
  selectRecentPersonIds,
} from './queries.ts';
import {
  type BankDetails,
  daysSince,
  documentNumberOf,
  kindOf,
  maskBankAccount,
  maskPixKey,
  type PersonData,
  searchedTexts,
} from './rules.ts';
import type { Person } from './schema.ts';

export type { PersonRow } from './queries.ts';

const BANK_DETAILS_SCOPE = 'finance.people.bank_details';
const NAME_MAX = 200;

/** The public record of a row as this caller may see it: bank details masked unless the scopes include them. */
export function personOf(row: PersonRow, scopes: ReadonlySet<string>): Person {
  const data = personDataOf(row);
  const isShown = scopes.has(BANK_DETAILS_SCOPE);
  return {
    id: row.id,
    ...data,
    bank_accounts: isShown ? data.bank_accounts : data.bank_accounts.map(maskBankAccount),
    pix_keys: isShown ? data.pix_keys : data.pix_keys.map(maskPixKey),
    bank_details_changed_at: row.bank_details_changed_at,
    active: row.active,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The record as the audit chain keeps it: always masked, because its readers need not be those of bank details. */
export function recordedPerson(row: PersonRow): Person {
  return personOf(row, new Set());
}

/** What a row says about the person, bank details unmasked. */
export function personDataOf(row: PersonRow): PersonData {
  return {
    name: row.name,
    kind: row.kind as PersonData['kind'],
    document_number: row.document_number,
    roles: row.roles as PersonData['roles'],
    emails: row.emails,
    phones: row.phones,
    address: row.address as PersonData['address'],
    ...bankDetailsOf(row),
  };
}

/** Bank accounts and Pix keys of a row, unmasked: for paying, never for results. */
export function bankDetailsOf(row: PersonRow): BankDetails {
  return {
    bank_accounts: row.bank_accounts as BankDetails['bank_accounts'],
    pix_keys: row.pix_keys as BankDetails['pix_keys'],
  };
}

/** The person of this workspace; while the caller is writing, nobody else can change it. Fails with `not_found`. */
export async function requirePerson(context: Context, id: string): Promise<PersonRow> {
  const lock = context.isWriting ? 'share' : 'none';
  const row = await selectPerson(context.db, context.workspaceId, id, lock);
  return row ?? fail('not_found', { kind: 'person', id });
}

/** The same person, locked to be changed here when the caller is writing. Fails with `not_found`. */
export async function requirePersonToChange(context: Context, id: string): Promise<PersonRow> {
  const row = await selectPerson(context.db, context.workspaceId, id, context.isWriting ? 'update' : 'none');
  return row ?? fail('not_found', { kind: 'person', id });
}

/** The person with this CPF or CNPJ (stored form) in the workspace of the call, if there is one. */
export function findPersonByDocument(
  context: Context,
  documentNumber: string,
): Promise<PersonRow | undefined> {
  return selectPersonByDocument(context.db, context.workspaceId, documentNumber);
}

/**
 * Registers the party of a document read elsewhere; its name is a stranger's text. Gives the person who has the
 * document number already, unchanged, when there is one. Fails with `invalid_document_number`.
 */
export async function registerPerson(
  context: WriteContext,
  party: { name: string; documentNumber: string; roles: Person['roles'] },
): Promise<PersonRow> {
  const documentNumber = documentNumberOf(party.documentNumber, 'document_number');
  await lockDocument(context.db, context.workspaceId, documentNumber);
  const known = await findPersonByDocument(context, documentNumber);
  if (known !== undefined) return known;
  const name = cleanOutsideText(party.name, NAME_MAX);
  return addPerson(context, {
    name: name === '' ? documentNumber : name,
    kind: kindOf(documentNumber, undefined),
    document_number: documentNumber,
    roles: party.roles,
    emails: [],
    phones: [],
    address: null,
    bank_accounts: [],
    pix_keys: [],
  });
}

/** Refuses a document number that another person of the workspace has, also one who takes it at this moment. */
export async function requireFreeDocument(
  context: WriteContext,
  documentNumber: string,
  ownId: string | null,
): Promise<void> {
  await lockDocument(context.db, context.workspaceId, documentNumber);
  const holder = await findPersonByDocument(context, documentNumber);
  if (holder !== undefined && holder.id !== ownId) fail('duplicate', { of: holder.id });
}

/** Writes a new person, whose document number was found free under its lock. */
export async function addPerson(context: WriteContext, draft: PersonData): Promise<PersonRow> {
  const id = context.newId();
  await insertPerson(context.db, {
    ...draft,
    workspace_id: context.workspaceId,
    id,
    search_text: searchTextOf(...searchedTexts(draft)),
    active: true,
    created_by: context.caller.user.id,
    created_at: context.now.toISOString(),
  });
  const row = await requirePersonToChange(context, id);
  context.changed('person', id, null, recordedPerson(row));
  return row;
}

/** Whole days since the bank details were last changed; null when never. Less than 7 belongs into a payment question. */
export function bankDetailsChangedDaysAgo(person: PersonRow, context: Context): number | null {
  return daysSince(person.bank_details_changed_at, context.now);
}

export function suggestPersonIds(context: Context, typed: string): Promise<string[]> {
  return selectRecentPersonIds(context.db, context.workspaceId, typed);
}
