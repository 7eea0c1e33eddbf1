/** A company that can pay by bank, and the worker's jobs run one by one on the real queue. */

import { finance, jobs } from '../../src/finance/index.ts';
import type { BankPort } from '../../src/gateways/bank/index.ts';
import { financeGatewaysOf } from '../../src/gateways/bank/index.ts';
import type { MailPort } from '../../src/gateways/mail/port.ts';
import { runJob } from '../../src/worker/index.ts';
import { cnpjOf, createAccount, createCompany } from './records.ts';
import type { World } from './world.ts';

export interface Payer {
  readonly companyId: string;
  readonly accountId: string;
}

/** A company with a bank account that holds R$ 100.000,00. */
export async function createPayer(world: World): Promise<Payer> {
  const companyId = await createCompany(world);
  const accountId = await createAccount(world, { company_id: companyId, opening_balance_cents: 10_000_000 });
  return { companyId, accountId };
}

let suppliers = 0;

/** A supplier with the Pix key of its own CNPJ unless other fields are given. */
export async function createSupplier(world: World, fields: object = {}): Promise<string> {
  suppliers += 1;
  const document = cnpjOf(70_000 + suppliers);
  const person = await world.call('finance_people_create', {
    name: `Fornecedor ${suppliers}`,
    document_number: document,
    roles: ['supplier'],
    pix_keys: [{ type: 'cnpj', key: document }],
    ...fields,
  });
  return person['id'];
}

/** An open bill due 2026-10-05, paid by Pix to the supplier's key unless other fields are given. */
export async function createBill(
  world: World,
  payer: Payer,
  fields: { person_id?: string; amount?: string } & Record<string, unknown> = {},
): Promise<string> {
  const person_id = fields.person_id ?? (await createSupplier(world));
  const person = await world.call('finance_people_get', { id: person_id });
  const payable = await world.call('finance_payables_create', {
    company_id: payer.companyId,
    description: 'Aluguel',
    amount: '1234.56',
    due_date: '2026-10-05',
    payment_details: { kind: 'pix_key', key: person['document_number'], key_type: 'cnpj' },
    ...fields,
    person_id,
  });
  return payable['id'] ?? payable['items']?.[0].id;
}

/**
 * Many bills of one supplier, alike but for their document numbers: the first is registered through its tool and
 * copied by one statement.
 */
export async function createBills(
  world: World,
  payer: Payer,
  count: number,
  fields: { amount?: string } = {},
): Promise<string[]> {
  const person_id = await createSupplier(world);
  const id = await createBill(world, payer, { ...fields, person_id });
  const copies = await world.look<{ id: string }>(
    `insert into payables (workspace_id, id, company_id, person_id, description, amount_cents, due_date,
                           adjusted_due_date, competence_month, payment_details, status, approval_status,
                           document_number, search_text, created_by)
     select workspace_id, gen_random_uuid(), company_id, person_id, description, amount_cents, due_date,
            adjusted_due_date, competence_month, payment_details, status, approval_status, number::text,
            search_text, created_by
       from payables, generate_series(2, $2::int) as number where id = $1
     returning id`,
    [id, count],
  );
  return [id, ...copies.map((row) => row.id)];
}

interface QueuedJob extends Record<string, unknown> {
  id: string;
  task: string;
  payload: unknown;
}

/** The jobs that wait, oldest first. */
export function queued(world: World): Promise<QueuedJob[]> {
  return world.look<QueuedJob>(
    `select j.id, t.identifier as task, j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`,
  );
}

/** Takes every waiting job once and runs it, as the worker would; gives the tasks that ran and what they threw. */
export async function runQueued(world: World, bank: BankPort, mail?: MailPort): Promise<string[]> {
  const ran: string[] = [];
  for (const { id, task, payload } of await queued(world)) {
    await world.look('delete from graphile_worker._private_jobs where id = $1', [id]);
    const { error } = await runTask(world, bank, task, payload, mail);
    ran.push(error === undefined ? task : `${task}: ${(error as Error).name}`);
  }
  return ran;
}

/** Runs one job outside the queue and gives what it threw. */
export async function runTask(
  world: World,
  bank: BankPort,
  task: string,
  payload: unknown,
  mail?: MailPort,
): Promise<{ error: unknown }> {
  const job = jobs.find((known) => known.task === task);
  if (job === undefined) throw new Error(`no job ${task}`);
  const { runtime } = world;
  try {
    await runJob(
      {
        ports: runtime.portsOf(finance.catalogue),
        shared: runtime.database.shared,
        gateways: financeGatewaysOf({ simulator: bank }, mail),
      },
      job,
      payload,
    );
    return { error: undefined };
  } catch (error) {
    return { error };
  }
}
