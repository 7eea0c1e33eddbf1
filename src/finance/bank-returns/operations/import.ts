import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fail, failArgument } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanOutsideText } from '../../../core/text.ts';
import { requireAccountAndCompany } from '../../accounts/index.ts';
import { bytesOfUpload, storeAttachment } from '../../attachments/index.ts';
import { uploadedFile } from '../../schema.ts';
import { applyReturn } from '../importing.ts';
import { insertRecords, insertReturn, selectReturnByFile } from '../queries.ts';
import { readReturnFile } from '../reading.ts';
import { bankReturnOf, requireReturn } from '../resource.ts';
import { bankReturnSchema } from '../schema.ts';

const FILE_NAME_MAX = 200;

export const importBankReturn = operation({
  name: 'finance_bank_returns_import',
  title: 'Import bank return',
  summary:
    'Read a CNAB 240 or 400 return and record its receipts. The same file or record again adds nothing.',
  effect: 'write',
  scope: 'finance.bank_returns',
  alsoScopes: ['finance.receivables.write'],
  hints: { idempotent: true },
  dryRun: true,
  input: {
    account_id: id('the account the boletos were issued on'),
    file: uploadedFile.describe('Broken records are listed and the good ones taken.'),
  },
  output: z.object({
    ...bankReturnSchema.shape,
    already_imported: z.boolean().describe('The very same file was read before; nothing was done now.'),
  }),
  async run(input, context) {
    const { db, workspaceId, now } = context;
    const bytes = bytesOfUpload(input.file);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    // The lock on the account makes a second import of the same file wait and then find it.
    const { account } = await requireAccountAndCompany(context, input.account_id);
    if (!account.active) {
      fail('invalid_state', { kind: 'financial_account', from: 'inactive', allowed: ['active'] });
    }
    const known = await selectReturnByFile(db, workspaceId, account.id, sha256);
    if (known !== undefined) return { ...bankReturnOf(known), already_imported: true };
    const file = readReturnFile(bytes);
    if (account.bank_code !== file.bankCode) {
      failArgument('account_id', `an account at the bank of the file, ${file.bankCode}`);
    }
    const returnId = context.newId();
    await insertReturn(
      db,
      {
        workspace_id: workspaceId,
        id: returnId,
        account_id: account.id,
        file_name: cleanOutsideText(input.file.name, FILE_NAME_MAX),
        file_sha256: sha256,
        layout: file.layout,
        bank_code: file.bankCode,
        agreement: file.agreement,
        file_date: file.fileDate,
        sequence_number: file.sequenceNumber,
        record_count: file.titles.length + file.unreadable.length,
        created_by: context.caller.user.id,
      },
      now,
    );
    await insertRecords(db, await applyReturn(context, { returnId, accountId: account.id }, file));
    await storeAttachment(context, {
      name: input.file.name,
      bytes,
      kind: 'other',
      link: { kind: 'bank_return', id: returnId },
    });
    const stored = bankReturnOf(await requireReturn(context, returnId));
    context.changed('bank_return', returnId, null, stored);
    return { ...stored, already_imported: false };
  },
});
