/** What the records of a portfolio say, read past every rule of the product. */

import type { WriteContext } from '../../src/core/operation.ts';
import type { Tables } from '../../src/db/rows.ts';
import { raw, sql } from '../../src/db/sql.ts';

export interface State {
  readonly charges: readonly Tables['dunning_charges'][];
  readonly payments: readonly Tables['dunning_payments'][];
  readonly agreements: readonly Tables['dunning_agreements'][];
  readonly installments: readonly Tables['dunning_installments'][];
  readonly shares: readonly Tables['dunning_agreement_charges'][];
  readonly credits: readonly Tables['dunning_agreement_credits'][];
  readonly holds: readonly Tables['dunning_holds'][];
  readonly disputes: readonly Tables['dunning_disputes'][];
  readonly promises: readonly Tables['dunning_promises'][];
  readonly negativations: readonly Tables['dunning_negativations'][];
  readonly protests: readonly Tables['dunning_protests'][];
  readonly liveActions: readonly Tables['dunning_live_legal_actions'][];
  readonly executions: readonly Tables['dunning_step_executions'][];
}

const orders = {
  charges: 'id',
  payments: 'id',
  agreements: 'id',
  installments: 'agreement_id, number',
  agreement_charges: 'agreement_id, charge_id',
  agreement_credits: 'id',
  holds: 'charge_id, reason, source_id',
  disputes: 'id',
  promises: 'id',
  negativations: 'id',
  protests: 'id',
  live_legal_actions: 'charge_id',
  step_executions: 'id',
} as const;

export async function stateOf({ db, organizationId }: WriteContext): Promise<State> {
  const all = async (table: keyof typeof orders): Promise<any[]> =>
    db.rows(
      sql`select * from ${raw(`dunning_${table}`)} where organization_id = ${organizationId} order by ${raw(orders[table])}`,
    );
  return {
    charges: await all('charges'),
    payments: await all('payments'),
    agreements: await all('agreements'),
    installments: await all('installments'),
    shares: await all('agreement_charges'),
    credits: await all('agreement_credits'),
    holds: await all('holds'),
    disputes: await all('disputes'),
    promises: await all('promises'),
    negativations: await all('negativations'),
    protests: await all('protests'),
    liveActions: await all('live_legal_actions'),
    executions: await all('step_executions'),
  };
}

export const isOver = {
  negativation: new Set(['removed', 'rejected', 'canceled', 'failed']),
  protest: new Set(['canceled', 'rejected', 'returned', 'paid_at_notary', 'withdrawn']),
};
export const isLiveAgreement = ({ status }: { status: string }) =>
  status === 'accepted' || status === 'active';
export const isOpenDispute = ({ status }: { status: string }) =>
  status === 'open' || status === 'under_review';
export const isOpenCharge = ({ status }: { status: string }) => status === 'pending' || status === 'overdue';
