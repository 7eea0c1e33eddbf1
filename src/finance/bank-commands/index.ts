/**
 * What is asked of banks, whatever it is about: written with the operation, sent after the commit, sent once, and
 * asked about until there is a final answer. A slice describes its records as a `BankSubject`.
 */

export { bankJobsOf } from './jobs.ts';
export { isUnsent, queueCancel, queueSubmit } from './queue.ts';
export type { BankSubject } from './subject.ts';
