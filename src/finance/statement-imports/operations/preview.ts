import { z } from 'zod';
import { moneyOut, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { skipReasons, statementFormats } from '../formats/reading.ts';
import { planStatement, reasonsOf, type StatementPlan } from '../planning.ts';
import type { PlannedLine } from '../rules.ts';
import {
  columnsSchema,
  countsSchema,
  lineNumber,
  lineOut,
  skippedReasonsSchema,
  skippedSchema,
  statementArguments,
  warningSchema,
} from '../schema.ts';

const LINES_DEFAULT = 100;
const LINES_MAX = 500;
const SUSPECTS_SHOWN_MAX = 100;
const SKIPPED_SHOWN_MAX = 100;
const limitForm = `a whole number from 1 to ${LINES_MAX}`;

const plannedSchema = z.object({
  line: lineOut(),
  date: z.string(),
  direction: z.enum(['credit', 'debit']),
  amount: moneyOut(),
  description: z.string().describe('As the bank wrote it; outside text.'),
  bank_reference: z.string().nullable(),
  document_number: z.string().nullable(),
  outcome: z.enum(['new', 'duplicate', 'probable_duplicate', 'skipped']),
  reason: z.enum(skipReasons).nullable(),
  like_transaction_id: z.string().nullable().describe('The entry of the books that it repeats.'),
  suspect: z.boolean().describe('Another line has its bank reference with other content.'),
});

export const previewImport = operation({
  name: 'finance_statement_imports_preview',
  title: 'Preview statement import',
  summary:
    'Read a statement file without saving: lines as understood, duplicates, probable duplicates, warnings, balance check.',
  effect: 'read',
  scope: 'finance.statement_imports',
  input: {
    ...statementArguments,
    from_line: lineNumber('Show lines from this one on.').optional(),
    limit: z
      .int({ error: limitForm })
      .min(1, { error: limitForm })
      .max(LINES_MAX, { error: limitForm })
      .default(LINES_DEFAULT)
      .describe('Lines shown.'),
  },
  output: z.object({
    format: z.enum(statementFormats),
    currency: z.literal('BRL'),
    column_map: columnsSchema.nullable(),
    period_from: z.string().nullable(),
    period_to: z.string().nullable(),
    counts: countsSchema,
    skipped_reasons: skippedReasonsSchema,
    lines: z.array(plannedSchema).describe('In the order of the file.'),
    next_line: z.int().nullable().describe('`from_line` of the next part.'),
    probable_duplicates: z
      .array(plannedSchema)
      .describe(`Not taken unless their numbers are in \`accept_suspects\`; at most ${SUSPECTS_SHOWN_MAX}.`),
    skipped: z
      .array(skippedSchema)
      .describe(`The first lines that are not taken, at most ${SKIPPED_SHOWN_MAX}.`),
    warnings: z.array(warningSchema),
    closing: z
      .object({
        date: z.string(),
        balance: moneyOut().describe('As the bank states it.'),
        book_balance: moneyOut().describe('Of the books on that day with the new lines.'),
        difference: moneyOut().describe('`balance` minus `book_balance`.'),
      })
      .nullable(),
  }),
  async run(input, context) {
    const plan = await planStatement(input, context);
    const inFile = plan.lines.toSorted((left, right) => left.line.line - right.line.line);
    const rest = inFile.filter(({ line }) => line.line >= (input.from_line ?? 1));
    return {
      format: plan.format,
      currency: 'BRL' as const,
      column_map: plan.columns,
      period_from: plan.period?.from ?? null,
      period_to: plan.period?.to ?? null,
      counts: plan.counts,
      skipped_reasons: reasonsOf(plan.skipped),
      lines: rest.slice(0, input.limit).map(plannedOf),
      next_line: rest[input.limit]?.line.line ?? null,
      probable_duplicates: inFile
        .filter(({ outcome }) => outcome === 'probable_duplicate')
        .slice(0, SUSPECTS_SHOWN_MAX)
        .map(plannedOf),
      skipped: plan.skipped.slice(0, SKIPPED_SHOWN_MAX),
      warnings: [...plan.warnings],
      closing: closingOf(plan),
    };
  },
});

function plannedOf({ line, outcome, reason, likeId, isSuspect }: PlannedLine): z.input<typeof plannedSchema> {
  return {
    line: line.line,
    date: line.date,
    direction: line.direction,
    amount: moneyText(line.amount),
    description: line.description,
    bank_reference: line.reference,
    document_number: line.documentNumber,
    outcome,
    reason,
    like_transaction_id: likeId,
    suspect: isSuspect,
  };
}

function closingOf({ closing, closingInBooks }: StatementPlan) {
  if (closing === null || closingInBooks === null) return null;
  return {
    date: closing.date,
    balance: moneyText(closing.amount),
    book_balance: moneyText(closingInBooks),
    difference: moneyText(closing.amount - closingInBooks),
  };
}
