/** Persons, tokens and records of a world, for tests of the real products. */

import { servicesOf } from '../../src/apps/server.ts';
import type { AccessLevel, Caller, Product } from '../../src/core/caller.ts';
import { scopesAnywhere } from '../../src/core/caller.ts';
import { newId } from '../../src/core/ids.ts';
import { insertMembership, insertUser } from '../../src/identity/queries.ts';
import type { Role } from '../../src/identity/roles.ts';
import { createToken } from '../../src/identity/tokens.ts';
import { ProtocolError } from '../../src/mcp/protocol.ts';
import { WHOLE_VIEW } from '../../src/mcp/view.ts';
import { importNote, noteXml, RECIPIENT } from '../support/notes.ts';
import { createRawClient, type RawClient } from '../support/raw-client.ts';
import { cnpjOf, createAccount, createCompany } from '../support/records.ts';
import type { Who, World } from '../support/world.ts';

/** A client of this product's endpoint on a port of loopback. */
export function clientOf(port: number, token: string | null, product: Product = 'finance'): RawClient {
  return createRawClient(`http://127.0.0.1:${port}/${product}/mcp`, token);
}

export interface PersonRequest {
  readonly role: Role;
  readonly product?: Product;
  readonly access?: AccessLevel;
  /** The workspace the token is pinned to; default Matriz in finance, null for none. */
  readonly workspaceId?: string | null;
  readonly expiresAt?: string;
}

let people = 0;

/** A new member of Aurora with this role, and a token. */
export async function tokenFor(world: World, request: PersonRequest): Promise<{ id: string; token: string }> {
  const { role, product = 'finance', access = 'write', expiresAt = '2030-01-01T00:00:00Z' } = request;
  const db = world.runtime.database.shared;
  const { organizationId } = world;
  people += 1;
  const userId = newId();
  await insertUser(db, {
    id: userId,
    email: `member${people}@example.com`,
    name: `Member ${people}`,
    locale: 'en',
  });
  await insertMembership(db, { organizationId, userId, workspaceId: null, role });
  const pinned = request.workspaceId === undefined ? world.workspaceId : request.workspaceId;
  return createToken(db, {
    userId,
    organizationId,
    product,
    access,
    workspaceId: product === 'finance' ? pinned : null,
    expiresAt: new Date(expiresAt),
  });
}

/** The caller as if no role of theirs gave these scopes anywhere. */
export function withoutScopes(caller: Caller, removed: readonly string[]): Caller {
  const keep = (scopes: ReadonlySet<string>) =>
    new Set([...scopes].filter((scope) => !removed.includes(scope)));
  const changed = {
    ...caller,
    organizationScopes: keep(caller.organizationScopes),
    workspaces: new Map(
      [...caller.workspaces].map(([id, workspace]) => [id, { ...workspace, scopes: keep(workspace.scopes) }]),
    ),
  };
  const held = [...scopesAnywhere(changed)].sort().join(' ');
  return { ...changed, visibilityKey: `${caller.access}:${held}` };
}

/** One record of each kind that finance has a resource for. */
export interface Records {
  readonly company: string;
  readonly account: string;
  readonly person: string;
  readonly payable: string;
  readonly receivable: string;
  readonly transaction: string;
  readonly fiscalDocument: string;
  readonly attachment: string;
}

export const PDF = Buffer.from('%PDF-1.4\nreceipt of the bank\n%%EOF', 'latin1');

/** Makes the records in the default workspace of this person, each through its tool where there is one. */
export async function createRecords(world: World, who: Who, workspaceId: string): Promise<Records> {
  const company = await createCompany(world, { document_number: RECIPIENT, workspaceId });
  const account = await createAccount(world, {
    company_id: company,
    opening_balance_cents: 100_000,
    workspaceId,
  });
  await world.call(
    'finance_financial_account_balances_create',
    { account_id: account, amount: '990.00', as_of: '2026-10-01T08:00:00-03:00' },
    who,
  );
  people += 1;
  const person = await world.call(
    'finance_people_create',
    { name: 'Fornecedor Exemplo', document_number: cnpjOf(40_000 + people), roles: ['supplier', 'customer'] },
    who,
  );
  const bills = await world.call(
    'finance_payables_create',
    {
      company_id: company,
      person_id: person['id'],
      description: 'Aluguel',
      amount: '100.00',
      due_date: '2026-09-15',
    },
    who,
  );
  const payable = bills['items'][0].id as string;
  const sales = await world.call(
    'finance_receivables_create',
    {
      company_id: company,
      person_id: person['id'],
      description: 'Mensalidade',
      amount: '100.00',
      due_date: '2026-09-15',
    },
    who,
  );
  // On an account of its own, so that the other one keeps its balance.
  const till = await createAccount(world, { company_id: company, kind: 'cash', workspaceId });
  const transaction = await world.call(
    'finance_financial_transactions_create',
    {
      account_id: till,
      date: '2026-09-15',
      direction: 'debit',
      amount: '12.34',
      description: 'Tarifa bancária',
    },
    who,
  );
  const { document } = await importNote(world, noteXml(800), {}, who);
  const attachment = await world.call(
    'finance_attachments_upload',
    {
      file: { name: 'recibo.pdf', content_base64: PDF.toString('base64') },
      kind: 'receipt',
      link_to: { kind: 'payable', id: payable },
    },
    who,
  );
  return {
    company,
    account,
    person: person['id'],
    payable,
    receivable: sales['items'][0].id,
    transaction: transaction['id'],
    fiscalDocument: document.id,
    attachment: attachment['attachment'].id,
  };
}

/** What each resource template of finance stands for, as a URI of these records. */
export function urisOf(records: Records): Readonly<Record<string, string>> {
  const base = 'kobana://finance';
  return {
    [`${base}/payables/{id}`]: `${base}/payables/${records.payable}`,
    [`${base}/receivables/{id}`]: `${base}/receivables/${records.receivable}`,
    [`${base}/financial-transactions/{id}`]: `${base}/financial-transactions/${records.transaction}`,
    [`${base}/financial-accounts/{account_id}`]: `${base}/financial-accounts/${records.account}`,
    [`${base}/financial-accounts/{account_id}/balances/latest`]: `${base}/financial-accounts/${records.account}/balances/latest`,
    [`${base}/people/{id}`]: `${base}/people/${records.person}`,
    [`${base}/companies/{id}`]: `${base}/companies/${records.company}`,
    [`${base}/fiscal-documents/{id}`]: `${base}/fiscal-documents/${records.fiscalDocument}`,
    [`${base}/attachments/{attachment_id}`]: `${base}/attachments/${records.attachment}`,
    [`${base}/attachments/{attachment_id}/download`]: `${base}/attachments/${records.attachment}/download`,
  };
}

export interface ProductAnswer {
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
}

/** What the product answers this caller, past the token: the result, or the error as a client sees it. */
export async function answerTo(
  world: World,
  caller: Caller,
  method: string,
  params: object = {},
): Promise<ProductAnswer> {
  const service = servicesOf(world.runtime)[caller.product as Product];
  try {
    const exchange = {
      era: '2026',
      caller,
      capabilities: {},
      now: world.now(),
      canChallenge: false,
      view: WHOLE_VIEW,
    } as const;
    return { result: JSON.parse(await service.answer(method, params, exchange)) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { error: { code: error.code, message: error.message, data: error.data } };
  }
}
