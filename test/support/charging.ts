/** Customers, what they owe, and a bank that issues boletos and Pix codes for it. */

import { newId } from '../../src/core/ids.ts';
import { type JobContext, jobContextOf } from '../../src/core/job.ts';
import { finance } from '../../src/finance/index.ts';
import { createReceivables, type ReceivableDraft } from '../../src/finance/receivables/index.ts';
import { type BankPort, createSimulatedBank } from '../../src/gateways/bank/index.ts';
import {
  createSimulatedCharges,
  type SimulatedCharges,
  type SimulatedChargesOptions,
} from '../../src/gateways/bank/simulated-charges.ts';
import type { Payer } from './banking.ts';
import { cnpjOf } from './records.ts';
import type { World } from './world.ts';

/** What a job works in: doors of slices that no tool opens are called in it. */
export function workIn(world: World): JobContext<unknown> {
  const { organizationId, workspaceId } = world;
  const place = { organizationId, workspaceId, timeZone: 'America/Sao_Paulo' };
  return jobContextOf(world.runtime.portsOf(finance.catalogue), 'test', {}, place, undefined);
}

let customers = 0;

/** A customer with a CNPJ and an e-mail address unless other fields are given. */
export async function createCustomer(world: World, fields: object = {}): Promise<string> {
  customers += 1;
  const person = await world.call('finance_people_create', {
    name: `Cliente ${customers}`,
    document_number: cnpjOf(30_000 + customers),
    roles: ['customer'],
    emails: [`contas${customers}@example.com`],
    ...fields,
  });
  return person['id'];
}

/** One customer for whatever does not ask for another. */
const anyCustomer = new WeakMap<World, Promise<string>>();

/** An open receivable of 1,234.56 due 2026-10-05 of any customer unless other fields are given. */
export async function createReceivable(
  world: World,
  payer: Payer,
  fields: Partial<ReceivableDraft> = {},
): Promise<string> {
  const customer = anyCustomer.get(world) ?? createCustomer(world);
  anyCustomer.set(world, customer);
  const personId = fields.personId ?? (await customer);
  const [receivable] = await workIn(world).write((context) =>
    createReceivables(context, [
      {
        companyId: payer.companyId,
        description: 'Mensalidade',
        amountCents: 123_456,
        dueDate: '2026-10-05',
        documentNumber: newId().slice(-12),
        ...fields,
        personId,
      },
    ]),
  );
  return receivable!.id;
}

/** Issues a charge by both methods, sent to nobody, unless other arguments are given. */
export function issueCharge(
  world: World,
  payer: Payer,
  receivableId: string,
  args: object = {},
): ReturnType<World['call']> {
  return world.call('finance_receivables_charge', {
    id: receivableId,
    account_id: payer.accountId,
    methods: ['boleto', 'pix'],
    ...args,
  });
}

export function chargeOf(world: World, id: string): ReturnType<World['call']> {
  return world.call('finance_charges_get', { id });
}

/** A bank and its charges desk, where customers pay. */
export function createChargingBank(options: SimulatedChargesOptions = {}): {
  bank: BankPort;
  charges: SimulatedCharges;
} {
  const charges = createSimulatedCharges(options);
  return { bank: { ...createSimulatedBank(), charges }, charges };
}

/** Our key at the bank of a charge by both methods; see `chargeKeyOf`. */
export function keyOf(charge: Record<string, unknown>): string {
  const cents = String(charge['amount']).replace('.', '').replace(/^0+/, '');
  const methods = [...(charge['methods'] as string[])].sort().join('_');
  return `${charge['id']}.${String(charge['due_date']).replaceAll('-', '')}.${cents}.${methods}`;
}
