/** Receivables of finance that were handed over for collection, with the customers who owe them. */

import type { Terms } from '../../../core/accruals.ts';
import { addDays, addMonths, monthOf } from '../../../core/dates.ts';
import type { PaymentMethod } from '../../../dunning/charges/index.ts';
import { instantOn, type NewRow } from '../setting.ts';
import { type Debtor, debtorOfCustomer } from './debtors.ts';
import { pay } from './paying.ts';
import { type DunningSetting, dayOf, msOf, type Row } from './setting.ts';
import { beginStory, type Cast } from './story.ts';

/** What of a workspace of finance is handed over. */
export interface FinanceBooks {
  readonly workspaceId: string;
  readonly people: readonly NewRow<'people'>[];
  readonly receivables: readonly NewRow<'receivables'>[];
  readonly settlements: readonly NewRow<'settlements'>[];
}

export interface Linked {
  readonly debtor: Debtor;
  readonly receivable: NewRow<'receivables'>;
  readonly receipts: readonly NewRow<'settlements'>[];
  readonly createdAt: string;
}

const OPEN = 12;
const PARTLY_PAID = 3;

const methods: Readonly<Record<string, PaymentMethod>> = {
  ted: 'transfer',
  debit: 'transfer',
  boleto: 'boleto',
  pix: 'pix',
  card: 'card',
  cash: 'cash',
};

/** Those late since before the month whose statements are still to be brought in. */
export function chooseLinked(setting: DunningSetting, books: FinanceBooks): Linked[] {
  const { random, today } = setting;
  const before = `${addMonths(monthOf(today), -1)}-01`;
  const customers = new Map(books.people.map((person) => [person.id, person]));
  const isFit = ({ person_id }: NewRow<'receivables'>) => customers.get(person_id)?.document_number != null;
  const open = books.receivables.filter(
    (one) => one.status === 'open' && one.adjusted_due_date < before && isFit(one),
  );
  const partly = books.receivables.filter(
    (one) => one.status === 'partially_paid' && one.adjusted_due_date < addDays(today, -3) && isFit(one),
  );
  const debtors = new Map<string, Debtor>();
  return [...open.slice(0, OPEN), ...partly.slice(0, PARTLY_PAID)]
    .map((receivable) => ({
      receivable,
      createdAt: instantOn(addDays(today, -random.integer(1, 2)), random),
    }))
    .sort((left, right) => (left.createdAt < right.createdAt ? -1 : 1))
    .map(({ receivable, createdAt }) => {
      const { id, person_id } = receivable;
      const debtor =
        debtors.get(person_id) ?? debtorOfCustomer(setting, customers.get(person_id)!, createdAt);
      debtors.set(person_id, debtor);
      const receipts = books.settlements.filter(
        (one) => one.receivable_id === id && one.status === 'effective',
      );
      return { debtor, receivable, receipts, createdAt };
    });
}

export function tellLinked(
  cast: Cast,
  linked: readonly Linked[],
  workspaceId: string,
): Row<'dunning_receivable_links'>[] {
  const { setting } = cast;
  return linked.map(({ debtor, receivable, receipts, createdAt }) => {
    const story = beginStory(cast, {
      debtor,
      dueDate: receivable.due_date,
      amount: receivable.amount_cents - receivable.abatement_cents - receivable.withheld_cents,
      terms: receivable.terms as Terms | null,
      createdOn: dayOf(createdAt),
      hasRule: false,
      given: {
        created_at: createdAt,
        updated_at: createdAt,
        description: receivable.description,
        document_number: receivable.document_number,
        external_id: null,
        title_kind: null,
        payment_options: {},
        tags: [],
        source: 'finance',
        finance_workspace_id: workspaceId,
        finance_receivable_id: receivable.id,
      },
    });
    for (const receipt of receipts) {
      const payment = pay(setting, story, {
        paidOn: receipt.paid_at,
        method: methods[receipt.method] ?? 'other',
        amount: receipt.amount_cents,
        at: new Date(msOf(createdAt) + 2_000).toISOString(),
        externalId: `finance:${receipt.id}`,
        source: 'finance',
      });
      Object.assign(payment, { fee_cents: receipt.fee_cents, credited_on: null, end_to_end_id: null });
    }
    return {
      workspace_id: workspaceId,
      receivable_id: receivable.id,
      organization_id: setting.organizationId,
      charge_id: story.charge.id,
    };
  });
}
