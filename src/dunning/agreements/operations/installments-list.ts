import { z } from 'zod';
import { listArguments, listOutput, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import {
  installmentSorts,
  type ShownPaymentRow,
  selectInstallmentPage,
  selectPaymentsOf,
} from '../part-queries.ts';
import { installmentOf, requireAgreement } from '../resource.ts';
import { agreementId, installmentStatuses, paidInstallmentSchema } from '../schema.ts';

const { cursor, limit } = listArguments;

export const listAgreementInstallments = operation({
  name: 'dunning_agreement_installments_list',
  title: 'List installments',
  summary: 'Installments of an agreement with their payments, in order.',
  effect: 'read',
  scope: 'dunning.agreements',
  input: {
    agreement_id: agreementId(),
    status: z.enum(installmentStatuses).optional(),
    sort: z.enum(['number', '-number']).default('number'),
    cursor,
    limit,
  },
  output: listOutput(paidInstallmentSchema),
  async run(input, context) {
    const { db, organizationId, today } = context;
    const { id, version } = await requireAgreement(context, input.agreement_id);
    const sort = installmentSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectInstallmentPage(db, organizationId, id, input.status, {
      sort,
      position,
      limit: input.limit,
    });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: String(row.number), id: row.id }));
    const payments = Map.groupBy(
      await selectPaymentsOf(
        db,
        organizationId,
        id,
        page.rows.map((row) => row.id),
      ),
      ({ installment_id }) => installment_id,
    );
    return {
      items: page.rows.map((row) => ({
        ...installmentOf(row, version, today),
        payments: (payments.get(row.id) ?? []).map(shownPayment),
      })),
      next_cursor: page.next_cursor,
    };
  },
});

function shownPayment({ id, paid_on, amount_cents, status }: ShownPaymentRow) {
  return { id, paid_on, amount: moneyText(amount_cents), status };
}
