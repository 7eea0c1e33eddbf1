/** Transfers of the simulated bank: orders like any other, told apart by their keys. */

import type { BankDesk, BankOrder, BankOrderStatus, TransferRequest } from './port.ts';

/** A transfers desk that behaves as the desk for payments does, for the same amounts and seed. */
export function simulatedTransfersOver(
  payments: BankDesk<BankOrder, BankOrderStatus>,
): BankDesk<TransferRequest, BankOrderStatus> {
  return {
    submit: (request, now) => payments.submit(orderOf(request), now),
    find: payments.find,
    cancel: payments.cancel,
  };
}

function orderOf(request: TransferRequest): BankOrder {
  const { idempotencyKey, amount, scheduledFor, from, to, holder } = request;
  return {
    idempotencyKey,
    kind: request.method === 'pix' ? 'pix_key' : 'ted',
    amount,
    scheduledFor,
    account: from,
    payee: holder,
    details: { ...to },
  };
}
