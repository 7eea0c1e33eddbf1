/** Orders to pay at a bank, the readers of payment codes, and the answers of banks. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { bankJobsOf } from '../bank-commands/index.ts';
import { decodeBoleto } from './operations/boletos-decode.ts';
import { sendPayablesToBank } from './operations/bulk-send-to-bank.ts';
import { cancelPayment } from './operations/cancel.ts';
import { getPayment } from './operations/get.ts';
import { listPayments } from './operations/list.ts';
import { decodePixCode } from './operations/pix-codes-decode.ts';
import { sendPayableToBank } from './operations/send-to-bank.ts';
import { paymentSubject } from './subject.ts';

export { applyBankAnswer } from './answers.ts';

export const operations = [
  listPayments,
  getPayment,
  cancelPayment,
  sendPayableToBank,
  sendPayablesToBank,
  decodeBoleto,
  decodePixCode,
];

export const resources: ResourceDefinition[] = [];

export const jobs = bankJobsOf(paymentSubject);
