/** Records that tests start from, written past the operations where there is no tool for it. */

import { newId } from '../../src/core/ids.ts';
import type { World } from './world.ts';

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
