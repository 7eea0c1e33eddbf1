import { z } from 'zod';
import { id, money, moneyOrZero, moneyOut } from '../../core/fields.ts';
import { certainties, reasons } from './matching/types.ts';

/** Lines or records of one reconciliation, at most. */
export const SIDE_MAX = 100;

export const documentKinds = ['payable', 'receivable', 'settlement', 'transfer'] as const;
export const reconciliationOrigins = ['manual', 'suggestion', 'automatic'] as const;
export const reconciliationStatuses = ['active', 'undone'] as const;

export type DocumentKind = (typeof documentKinds)[number];

const sideError = { error: `a list of 1 to ${SIDE_MAX} entries` };

export const transactionsArgument = z
  .array(
    z.strictObject({
      id: id('the line, a financial transaction'),
      amount: money().describe('How much of the line; the rest stays unreconciled.'),
    }),
    sideError,
  )
  .min(1, sideError)
  .max(SIDE_MAX, sideError)
  .describe('Lines of one account and one direction.');

export const documentsArgument = z
  .array(
    z.strictObject({
      kind: z
        .enum(documentKinds)
        .describe('`payable` for debits, `receivable` for credits; `settlement` when recorded before.'),
      id: id('the payable, receivable, settlement or transfer'),
      principal: moneyOrZero()
        .optional()
        .describe('Face value paid off, discount included; default: all open.'),
      discount: moneyOrZero().optional(),
      interest: moneyOrZero().optional(),
      fine: moneyOrZero().optional(),
      fee: moneyOrZero().optional().describe('Receivables: kept by the bank.'),
    }),
    sideError,
  )
  .min(1, sideError)
  .max(SIDE_MAX, sideError)
  .describe('Together exactly the lines: principal - discount + interest + fine - fee.');

export const reconciliationSchema = z
  .object({
    id: z.string(),
    account_id: z.string(),
    direction: z.enum(['credit', 'debit']),
    total: moneyOut(),
    currency: z.literal('BRL'),
    transactions: z.array(z.object({ id: z.string(), amount: moneyOut() })),
    documents: z.array(
      z.object({
        kind: z.enum(documentKinds),
        id: z.string(),
        settlement_id: z.string().nullable(),
        made_settlement: z.boolean().describe('Whether undoing reverses the settlement.'),
        amount: moneyOut().describe('What it took of the lines.'),
      }),
    ),
    origin: z.enum(reconciliationOrigins),
    status: z.enum(reconciliationStatuses),
    undone_reason: z.string().nullable(),
    undone_by: z.string().nullable(),
    undone_at: z.string().nullable(),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'reconciliation', description: 'Lines of a statement tied to what they paid.' });

export type Reconciliation = z.infer<typeof reconciliationSchema>;

const shown = {
  date: z.string(),
  description: z.string().nullable(),
  document_number: z.string().nullable(),
};

export const suggestionSchema = z
  .object({
    id: z.string().describe('For `finance_reconciliations_bulk_create`.'),
    certainty: z.enum(certainties).describe('`certain`: nothing else comes near.'),
    score: z.int().describe('0 to 100.'),
    reasons: z.array(z.enum(reasons)),
    transactions: z.array(z.object({ id: z.string(), amount: moneyOut(), ...shown })),
    documents: z.array(
      z.object({
        kind: z
          .enum([...documentKinds, 'transaction'])
          .describe('`transaction`: the other side of a transfer, for `finance_transfers_link`.'),
        id: z.string(),
        principal: moneyOut(),
        discount: moneyOut(),
        interest: moneyOut(),
        fine: moneyOut(),
        fee: moneyOut(),
        person: z.object({ id: z.string(), name: z.string() }).nullable(),
        ...shown,
      }),
    ),
    difference: moneyOut().describe(
      'Lines minus documents; has to be explained by parts before it can be made.',
    ),
  })
  .meta({ id: 'reconciliation_suggestion', description: 'Lines and records that seem to belong together.' });
