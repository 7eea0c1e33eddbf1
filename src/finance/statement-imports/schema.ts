import { z } from 'zod';
import { id, moneyOut, text } from '../../core/fields.ts';
import { uploadedFile } from '../schema.ts';
import { type ColumnField, columnFields, skipReasons, statementFormats } from './formats/reading.ts';

const SUSPECTS_MAX = 1_000;
const LINE_MAX = 10_000_000;
const COLUMNS_MAX = 200;
const columnForm = `the text of the column's header, or its position from 1 to ${COLUMNS_MAX}`;
const lineForm = `a whole number from 1 to ${LINE_MAX}`;

export const importStatuses = ['processed', 'failed', 'reverted'] as const;

const column = () => z.union([z.int().min(1).max(COLUMNS_MAX), text(100)], { error: columnForm }).optional();

const columnMap = z
  .strictObject({
    ...(Object.fromEntries(columnFields.map((field) => [field, column()])) as Record<
      ColumnField,
      ReturnType<typeof column>
    >),
    date_format: z.enum(['dmy', 'mdy', 'ymd']).optional(),
    decimal: z.enum([',', '.']).optional(),
  })
  .describe(
    'Columns of a CSV file, by header or by position from 1: `date`, and `amount` or both `credit` and `debit`. Default: guessed from the header.',
  );

/** What `preview` and `create` take alike: the same arguments give the same reading. */
export const statementArguments = {
  account_id: id('the financial account'),
  file: uploadedFile,
  format: z.enum(statementFormats).optional().describe('Confirms what the bytes say.'),
  column_map: columnMap.optional(),
  accept_suspects: z
    .array(z.int({ error: lineForm }).min(1, { error: lineForm }).max(LINE_MAX, { error: lineForm }))
    .max(SUSPECTS_MAX, { error: `at most ${SUSPECTS_MAX} numbers` })
    .optional()
    .describe('Numbers of probable duplicates to take all the same, as the preview shows them.'),
  accept_other_account: z
    .boolean()
    .optional()
    .describe('Take a statement that names another account than this one.'),
};

export const lineNumber = (what: string) =>
  z.int({ error: lineForm }).min(1, { error: lineForm }).max(LINE_MAX, { error: lineForm }).describe(what);

export const countsSchema = z
  .object({
    read: z.int().describe('Lines of the file.'),
    created: z.int(),
    duplicate: z.int().describe('In the books already.'),
    skipped: z.int().describe('Not taken, for the reasons given.'),
  })
  .describe('`read` is the sum of the others.');

export type Counts = z.infer<typeof countsSchema>;

/** `line` means the same wherever it stands. */
export const lineOut = () => z.int().describe('Line of the file; in OFX the number of the movement in it.');

export const skippedSchema = z.object({ line: lineOut(), reason: z.enum(skipReasons) });

export const skippedReasonsSchema = z
  .partialRecord(z.enum(skipReasons), z.int())
  .describe('How many lines were not taken, by reason.');

export const warningCodes = [
  'balance_differs',
  'does_not_add_up',
  'account_not_named',
  'other_account',
] as const;

export const warningSchema = z.object({
  code: z.enum(warningCodes),
  message: z.string(),
  date: z.string().optional(),
  stated: moneyOut().optional().describe('What the file says.'),
  computed: moneyOut().optional().describe('What the books, or the lines of the file, come to.'),
});

export type Warning = z.infer<typeof warningSchema>;

export const columnsSchema = z
  .object({
    delimiter: z.string(),
    date_format: z.enum(['dmy', 'mdy', 'ymd']),
    decimal: z.enum([',', '.']),
    columns: z.array(
      z.object({ field: z.enum(columnFields), position: z.int(), header: z.string().nullable() }),
    ),
  })
  .describe('How the columns of a CSV file were read.');

const record = {
  id: z.string(),
  account_id: z.string(),
  file_name: z.string().describe('As the uploader named it, cleaned; outside text.'),
  file_sha256: z.string(),
  format: z.enum(statementFormats),
  period_from: z.string().nullable().describe('Date of the first line.'),
  period_to: z.string().nullable().describe('Date of the last line.'),
  counts: countsSchema,
  closing_balance: moneyOut().nullable(),
  closing_date: z.string().nullable(),
  status: z.enum(importStatuses),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
};

export const statementImportSchema = z
  .object(record)
  .meta({ id: 'statement_import', description: 'A statement file that was brought into an account.' });

export type StatementImport = z.infer<typeof statementImportSchema>;

export const statementImportDetailSchema = z
  .object({
    ...record,
    skipped: z.array(skippedSchema).describe('The first lines that were not taken, at most 1,000.'),
    skipped_reasons: skippedReasonsSchema,
    warnings: z.array(warningSchema),
    column_map: columnsSchema.nullable(),
    revert_reason: z.string().nullable(),
    attachments: z
      .array(z.object({ id: z.string(), file_name: z.string(), content_type: z.string() }))
      .describe('The file itself.'),
  })
  .meta({
    id: 'statement_import_detail',
    description: 'A statement import with the lines that were not taken, and why.',
  });

export type StatementImportDetail = z.infer<typeof statementImportDetailSchema>;
