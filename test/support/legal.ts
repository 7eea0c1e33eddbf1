/** An organization that may report and protest, with its offices simulated, and days that pass as the worker lives them. */

import { createSimulatedBureau, type SimulatedBureau } from '../../src/gateways/bureau/index.ts';
import type { DunningGateways } from '../../src/gateways/dunning.ts';
import { createSimulatedMessages, type SimulatedMessages } from '../../src/gateways/messages/simulator.ts';
import { createSimulatedNotary, type SimulatedNotary } from '../../src/gateways/notary/index.ts';
import { createCharge, createDebtor, type DebtorFields, runDunningJob, runDunningQueue } from './dunning.ts';
import { cnpjOf } from './records.ts';
import { openWorld, type World } from './world.ts';

export interface LegalWorld {
  readonly world: World;
  readonly bureau: SimulatedBureau;
  readonly notary: SimulatedNotary;
  readonly messages: SimulatedMessages;
  readonly gateways: DunningGateways;
  /** A charge of 100.00, due on 2026-09-01, of a new debtor. `digit` decides how the offices treat it. */
  charge(
    fields?: DebtorFields & { digit?: number; amount_cents?: number; due_date?: string },
  ): Promise<string>;
  /** Asks for a report and approves it. Gives its id. */
  approvedReport(chargeId: string): Promise<string>;
  /** Asks for a protest and approves it. Gives its id. */
  approvedProtest(chargeId: string): Promise<string>;
  /** What the worker does at an instant: what waits in the queue, then the jobs that come round. */
  at(instant: string): Promise<void>;
  /** A whole day: its nightly runs, noon in São Paulo, and an hour after it. */
  on(date: string): Promise<void>;
}

/** What comes round every few minutes, in the order in which news travels. */
const everyFewMinutes = [
  'dunning_send_messages',
  'dunning_collect_reports',
  'dunning_watch_prior_notices',
  'dunning_collect_bureau_answers',
  'dunning_collect_notary_answers',
];
const everyNight = ['dunning_negativations_daily', 'dunning_protests_daily'];

export async function openLegalWorld(): Promise<LegalWorld> {
  const world = await openWorld({ product: 'dunning' });
  const messages = createSimulatedMessages({ now: world.now });
  const bureau = createSimulatedBureau();
  const notary = createSimulatedNotary();
  const gateways: DunningGateways = {
    messages,
    bureau,
    notary,
    webhooks: {
      name: 'none',
      send: async () => ({ kind: 'answered', status: 200, text: '', durationMs: 1 }),
    },
  };
  await world.call('dunning_settings_update', {
    creditor: { legal_name: 'Aurora Credora Ltda', document_number: cnpjOf(70_001) },
  });
  const run = async (tasks: readonly string[]) => {
    for (const task of tasks) {
      const error = await runDunningJob(world, gateways, task);
      if (error !== undefined) throw error;
    }
    // An office that could not be reached is tried again by the queue itself; here by the next instant.
    await runDunningQueue(world, gateways);
  };
  const at = async (instant: string) => {
    world.setNow(instant);
    await runDunningQueue(world, gateways);
    await run(everyFewMinutes);
  };
  return {
    world,
    bureau,
    notary,
    messages,
    gateways,
    async charge({ digit, amount_cents, due_date, ...fields } = {}) {
      const person_id = await createDebtor(world, { document_number: cnpjEnding(digit ?? 0), ...fields });
      return createCharge(world, {
        person_id,
        ...(amount_cents !== undefined && { amount_cents }),
        ...(due_date !== undefined && { due_date }),
      });
    },
    async approvedReport(charge_id) {
      const { id } = await world.call('dunning_negativations_create', { charge_id, bureau: 'serasa' });
      const decision = { id, status: 'approved', note: 'ok' };
      await world.call('dunning_negativations_update', decision, 'colleague');
      return id;
    },
    async approvedProtest(charge_id) {
      const { id } = await world.call('dunning_protests_create', { charge_id, title_kind: 'DMI' });
      await world.call('dunning_protests_update', { id, status: 'approved', note: 'ok' }, 'colleague');
      return id;
    },
    at,
    async on(date) {
      world.setNow(`${date}T03:10:00Z`);
      await run(everyNight);
      await at(`${date}T15:00:00Z`);
      await at(`${date}T16:00:00Z`);
    },
  };
}

let numbers = 40_000;

/** A CNPJ that no other test has, with this last digit. */
export function cnpjEnding(digit: number): string {
  for (;;) {
    numbers += 1;
    const found = cnpjOf(numbers);
    if (found.endsWith(String(digit))) return found;
  }
}
