import { z } from 'zod';
import type { Locale } from '../../../core/caller.ts';
import { ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { selectReferences } from '../../../db/references.ts';
import { deleteAttachment as deleteRow, type LinkedAttachmentRow } from '../queries.ts';
import { attachmentOf, requireAttachment } from '../resource.ts';
import { requireUnused } from '../rules.ts';
import type { LinkKind } from '../schema.ts';

const LINKS_SHOWN = 10;

const kindNames: Readonly<Record<LinkKind, Readonly<Record<Locale, string>>>> = {
  payable: { 'pt-BR': 'conta a pagar', en: 'payable' },
  payment: { 'pt-BR': 'pagamento', en: 'payment' },
  settlement: { 'pt-BR': 'baixa', en: 'settlement' },
  person: { 'pt-BR': 'pessoa', en: 'person' },
  company: { 'pt-BR': 'empresa', en: 'company' },
  financial_transaction: { 'pt-BR': 'lançamento', en: 'transaction' },
  fiscal_document: { 'pt-BR': 'documento fiscal', en: 'fiscal document' },
  receivable: { 'pt-BR': 'conta a receber', en: 'receivable' },
  charge: { 'pt-BR': 'cobrança', en: 'charge' },
  transfer: { 'pt-BR': 'transferência', en: 'transfer' },
  statement_import: { 'pt-BR': 'importação de extrato', en: 'statement import' },
  bank_return: { 'pt-BR': 'arquivo de retorno', en: 'bank return' },
  dda_boleto: { 'pt-BR': 'boleto do DDA', en: 'DDA boleto' },
};

export const deleteAttachment = operation({
  name: 'finance_attachments_delete',
  title: 'Delete attachment',
  titlePortuguese: 'Excluir arquivo',
  summary: 'Remove a file and its links; refused while it is the XML of a document or a payment receipt.',
  effect: 'destructive',
  scope: 'finance.attachments',
  input: { attachment_id: id('the attachment') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const row = await prepareDelete(input, context);
    return [
      outside('file_name', 'Arquivo', 'File', row.file_name),
      ours('size', 'Tamanho em bytes', 'Size in bytes', String(row.size_bytes)),
      ours('links', 'Vinculado a', 'Linked to', {
        'pt-BR': linksText(row, 'pt-BR'),
        en: linksText(row, 'en'),
      }),
    ];
  },
  async run(input, context) {
    const row = await prepareDelete(input, context);
    await deleteRow(context.db, context.workspaceId, row.id);
    context.changed('attachment', row.id, attachmentOf(row), null);
    return { id: row.id, deleted: true as const };
  },
});

async function prepareDelete(
  input: { attachment_id: string },
  context: Context,
): Promise<LinkedAttachmentRow> {
  const row = await requireAttachment(context, input.attachment_id);
  requireUnused(await selectReferences(context.db, 'attachments', context.workspaceId, row.id));
  return row;
}

function linksText({ links }: LinkedAttachmentRow, locale: Locale): string {
  if (links.length === 0) return locale === 'pt-BR' ? 'nenhum registro' : 'no record';
  const shown = links.slice(0, LINKS_SHOWN).map((link) => `${kindNames[link.kind][locale]} ${link.id}`);
  const rest = links.length - shown.length;
  if (rest > 0) shown.push(locale === 'pt-BR' ? `e mais ${rest}` : `and ${rest} more`);
  return shown.join('; ');
}
