import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';
import { returnLayouts } from './reading.ts';

export const recordOutcomes = [
  'settled',
  'duplicate_payment',
  'noted',
  'replayed',
  'unknown_charge',
  'unreadable',
  'refused',
] as const;

export type RecordOutcome = (typeof recordOutcomes)[number];

const counts = z
  .object({
    records: z.int(),
    settled: z.int().describe('Receipts recorded.'),
    duplicate_payment: z.int().describe('Paid a second time: nothing changed, somebody gives it back.'),
    noted: z.int().describe('Occurrences that are no payment.'),
    replayed: z.int().describe('Already read in another file.'),
    unknown_charge: z.int().describe('No charge of the account has that number.'),
    unreadable: z.int().describe('Broken records; the good ones were taken.'),
    refused: z.int().describe('Payments that could not be recorded; `reason` says why.'),
  })
  .meta({ id: 'bank_return_counts', description: 'What became of the records of a return file.' });

export type ReturnCounts = z.infer<typeof counts>;

export const bankReturnSchema = z
  .object({
    id: z.string(),
    account_id: z.string(),
    file_name: z.string(),
    layout: z.enum(returnLayouts),
    bank_code: z.string(),
    agreement: z.string().nullable(),
    file_date: z.string().nullable(),
    sequence_number: z.string().nullable(),
    counts,
    created_at: z.string(),
  })
  .meta({ id: 'bank_return', description: 'A return file of a bank about boletos issued on an account.' });

export type BankReturn = z.infer<typeof bankReturnSchema>;

export const returnRecordSchema = z
  .object({
    line: z.int(),
    our_number: z.string(),
    document_number: z.string().nullable(),
    occurrence: z
      .string()
      .describe('Code of the bank: 06 paid, 02 registered, 03 rejected, 09 written off …'),
    occurrence_date: z.string().nullable(),
    paid: moneyOut().nullable(),
    credited: moneyOut().nullable(),
    fee: moneyOut().nullable(),
    interest: moneyOut().nullable(),
    discount: moneyOut().nullable(),
    abatement: moneyOut().nullable(),
    credit_date: z.string().nullable(),
    outcome: z.enum(recordOutcomes),
    reason: z.string().nullable(),
    charge_id: z.string().nullable(),
    settlement_id: z.string().nullable(),
  })
  .meta({ id: 'bank_return_record', description: 'One title of a return file and what it did.' });

export type ReturnRecord = z.infer<typeof returnRecordSchema>;
