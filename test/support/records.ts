/** Records that tests start from, written past the operations where there is no tool for it. */

import { newId } from '../../src/core/ids.ts';
import type { Who, World } from './world.ts';

/** A CNPJ with right check digits, different for every number. */
export function cnpjOf(number: number): string {
  const base = `${String(number).padStart(8, '0')}0001`;
  const digit = (text: string) => {
    const sum = [...text]
      .reverse()
      .reduce((total, character, index) => total + Number(character) * (2 + (index % 8)), 0);
    return sum % 11 < 2 ? 0 : 11 - (sum % 11);
  };
  const first = digit(base);
  return `${base}${first}${digit(`${base}${first}`)}`;
}

let companies = 0;

export async function createCompany(
  world: World,
  fields: { document_number?: string; legal_name?: string; active?: boolean; workspaceId?: string } = {},
): Promise<string> {
  companies += 1;
  const id = newId();
  await world.look(
    'insert into companies (workspace_id, id, document_number, legal_name, active, created_by) values ($1, $2, $3, $4, $5, $2)',
    [
      fields.workspaceId ?? world.workspaceId,
      id,
      fields.document_number ?? cnpjOf(90_000 + companies),
      fields.legal_name ?? `Company ${companies}`,
      fields.active ?? true,
    ],
  );
  return id;
}

let accounts = 0;

export async function createAccount(
  world: World,
  fields: {
    company_id: string;
    name?: string;
    kind?: string;
    opening_balance_cents?: number;
    opening_date?: string;
    active?: boolean;
    workspaceId?: string;
  },
): Promise<string> {
  accounts += 1;
  const id = newId();
  await world.look(
    `insert into financial_accounts (workspace_id, id, company_id, name, kind, bank_code, agency, number, digit,
                                     opening_balance_cents, opening_date, active, created_by)
     values ($1, $2, $3, $4, $5, '341', '1234', '1234556', '7', $6, $7, $8, $1)`,
    [
      fields.workspaceId ?? world.workspaceId,
      id,
      fields.company_id,
      fields.name ?? `Account ${accounts}`,
      fields.kind ?? 'checking',
      fields.opening_balance_cents ?? 0,
      fields.opening_date ?? '2026-01-01',
      fields.active ?? true,
    ],
  );
  return id;
}

let categories = 0;

export async function createCategory(
  world: World,
  fields: { kind: 'income' | 'expense'; name?: string; parent_id?: string; workspaceId?: string },
): Promise<string> {
  categories += 1;
  const id = newId();
  await world.look(
    'insert into categories (workspace_id, id, name, kind, parent_id, created_by) values ($1, $2, $3, $4, $5, $1)',
    [
      fields.workspaceId ?? world.workspaceId,
      id,
      fields.name ?? `Category ${categories}`,
      fields.kind,
      fields.parent_id ?? null,
    ],
  );
  return id;
}

export async function createPayableRow(
  world: World,
  fields: {
    company_id: string;
    person_id: string;
    category_id?: string;
    status?: 'draft' | 'open' | 'canceled';
  },
): Promise<string> {
  const id = newId();
  await world.look(
    `insert into payables (workspace_id, id, company_id, person_id, category_id, status, description, amount_cents,
                           due_date, adjusted_due_date, competence_month, approval_status, search_text, created_by)
     values ($1, $2, $3, $4, $5, $6, 'Rent', 100000, '2026-10-05', '2026-10-05', '2026-10', 'not_required', 'rent', $1)`,
    [
      world.workspaceId,
      id,
      fields.company_id,
      fields.person_id,
      fields.category_id ?? null,
      fields.status ?? 'open',
    ],
  );
  return id;
}

let suppliers = 0;

/** A supplier with a CNPJ, registered through its tool. */
export async function createSupplier(
  world: World,
  fields: { name?: string; roles?: ('supplier' | 'customer')[] } = {},
): Promise<string> {
  suppliers += 1;
  const person = await world.call('finance_people_create', {
    name: fields.name ?? `Supplier ${suppliers}`,
    document_number: cnpjOf(50_000 + suppliers),
    roles: fields.roles ?? ['supplier'],
  });
  return person['id'];
}

/** The record of a bill of 100.00 due on 2026-10-05 unless `fields` say otherwise, registered through its tool. */
export async function createBill(
  world: World,
  fields: { company_id: string; person_id: string } & Record<string, unknown>,
  who?: Who,
): ReturnType<World['call']> {
  const bill = { description: 'Rent', amount: '100.00', due_date: '2026-10-05', ...fields };
  return (await world.call('finance_payables_create', bill, who))['items'][0];
}

/** The record of a receivable of 100.00 due on 2026-10-05 unless `fields` say otherwise, registered through its tool. */
export async function createReceivable(
  world: World,
  fields: { company_id: string; person_id: string } & Record<string, unknown>,
  who?: Who,
): ReturnType<World['call']> {
  const sale = { description: 'Sale', amount: '100.00', due_date: '2026-10-05', ...fields };
  return (await world.call('finance_receivables_create', sale, who))['items'][0];
}

/** A charge of a receivable past every rule, to see what it forbids. */
export async function insertCharge(
  world: World,
  fields: { receivable_id: string; account_id: string; status: string },
): Promise<string> {
  const id = newId();
  await world.look(
    `insert into charges (workspace_id, id, receivable_id, account_id, methods, amount_cents, due_date, our_number,
                          status, registration_status, created_by)
     values ($1, $2::uuid, $3, $4, '{boleto}', 10000, '2026-10-05', $2::text, $5, 'confirmed', $1)`,
    [world.workspaceId, id, fields.receivable_id, fields.account_id, fields.status],
  );
  return id;
}

/** An active reconciliation that ties a settlement to lines of the bank, past every rule. */
export async function reconcileSettlement(
  world: World,
  fields: { account_id: string; settlement_id: string },
): Promise<string> {
  const id = newId();
  await world.look(
    `insert into reconciliations (workspace_id, id, account_id, direction, total_cents, origin, status, created_by)
     values ($1, $2, $3, 'credit', 10000, 'manual', 'active', $1)`,
    [world.workspaceId, id, fields.account_id],
  );
  await world.look(
    `insert into reconciliation_documents (workspace_id, reconciliation_id, position, kind, document_id, settlement_id,
                                           made_settlement, amount_cents)
     values ($1, $2, 1, 'settlement', $3, $3, false, 10000)`,
    [world.workspaceId, id, fields.settlement_id],
  );
  return id;
}
