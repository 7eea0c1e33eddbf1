/** What tells recurring payables and receivables apart. */

import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { DebtDraft } from '../debts/index.ts';
import {
  cancelPayable,
  createPayables,
  type PaymentDetails,
  requireCancelable as requireCancelablePayable,
} from '../payables/index.ts';
import {
  cancelReceivable,
  createReceivables,
  requireCancelable as requireCancelableReceivable,
} from '../receivables/index.ts';
import type { Template } from './rules.ts';
import type { RecurrenceKind } from './schema.ts';

type Draft = DebtDraft & Pick<Template, 'paymentDetails'>;

interface Made {
  readonly id: string;
  readonly due_date: string;
  readonly amount_cents: number;
}

interface Kind {
  /** Needed besides the right to change recurrences: nobody registers by repeating what they may not register. */
  readonly scope: string;
  readonly register: (context: WriteContext, draft: Draft) => Promise<Made>;
  readonly cancel: (context: WriteContext, id: string, reason: string) => Promise<unknown>;
}

export const kinds: Readonly<Record<RecurrenceKind, Kind>> = {
  payable: {
    scope: 'finance.payables.write',
    register: async (context, { paymentDetails, ...draft }) => {
      const details = paymentDetails as PaymentDetails | null;
      return (await createPayables(context, [{ ...draft, paymentDetails: details }]))[0]!;
    },
    cancel: async (context, id, reason) =>
      cancelPayable(context, await requireCancelablePayable(context, id), reason),
  },
  receivable: {
    scope: 'finance.receivables.write',
    register: async (context, { paymentDetails: _none, ...draft }) =>
      (await createReceivables(context, [draft]))[0]!,
    cancel: async (context, id, reason) =>
      cancelReceivable(context, await requireCancelableReceivable(context, id), reason),
  },
};

/** Fails with `forbidden` unless the caller may register such records by hand. */
export function requireRightTo(context: Context, kind: string): void {
  const { scope } = kinds[kind as RecurrenceKind];
  if (!context.scopes.has(scope)) fail('forbidden', { required: [scope] });
}
