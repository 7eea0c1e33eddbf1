/** What can happen to books, each as a person, a bank or a customer makes it happen. */

import * as bank from './bank-steps.ts';
import * as debts from './debt-steps.ts';
import type { Ended, Ledger } from './ledger.ts';
import * as lines from './line-steps.ts';
import type { Step, StepName } from './step.ts';

/** What makes the records that a step needs. */
export const firsts: Partial<Record<StepName, StepName>> = {
  unsettle: 'settle',
  unreconcile: 'reconcile',
  reverseWriteOff: 'writeOff',
  answerOrder: 'send',
  cancelOrder: 'send',
  receive: 'charge',
  answerCharge: 'charge',
  cancelCharge: 'charge',
  answerTransfer: 'transfer',
  cancelTransfer: 'transfer',
};

export const steps: Readonly<Record<StepName, (ledger: Ledger, step: Step) => Promise<Ended | null>>> = {
  ...debts,
  ...lines,
  ...bank,
};
