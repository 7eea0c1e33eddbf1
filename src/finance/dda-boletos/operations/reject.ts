import { formatTaxId } from '../../../core/documents/tax-id.ts';
import { onDate, ours, outside } from '../../../core/facts.ts';
import { id, text } from '../../../core/fields.ts';
import { formatBrl } from '../../../core/money.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { queueRejection } from '../jobs.ts';
import { type DdaBoletoRow, updateRejected } from '../queries.ts';
import { ddaBoletoOf, requireDdaBoleto } from '../resource.ts';
import { requireRejectable } from '../rules.ts';
import { ddaBoletoSchema } from '../schema.ts';

export const rejectDdaBoleto = operation({
  name: 'finance_dda_boletos_reject',
  title: 'Reject announced boleto',
  titlePortuguese: 'Rejeitar boleto DDA',
  summary: 'Tell the bank that the company does not recognise this boleto. Irreversible.',
  effect: 'destructive',
  scope: 'finance.dda_boletos',
  hints: { openWorld: true },
  input: { id: id('the announced boleto'), reason: text(500) },
  output: ddaBoletoSchema,
  async question(input, context) {
    const boleto = await requireRejectableBoleto(input.id, context);
    return [
      outside('beneficiary', 'Beneficiário', 'Beneficiary', boleto.beneficiary_name),
      ours(
        'beneficiary_document',
        'CPF/CNPJ do beneficiário',
        'CPF/CNPJ of the beneficiary',
        formatTaxId(boleto.beneficiary_document),
      ),
      ours('amount', 'Valor', 'Amount', formatBrl(boleto.amount_cents)),
      onDate('due_date', 'Vencimento', 'Due date', boleto.due_date),
      ours('typed_line', 'Linha digitável', 'Typed line', boleto.typed_line),
      ours('effect', 'Efeito', 'Effect', {
        'pt-BR': 'o banco é avisado de que o boleto não é reconhecido; não pode ser desfeito',
        en: 'the bank is told that the boleto is not recognised; it cannot be undone',
      }),
    ];
  },
  async run(input, context) {
    const before = await requireRejectableBoleto(input.id, context);
    await updateRejected(context.db, context.workspaceId, before.id, input.reason, context.now);
    queueRejection(context, before.id);
    const after = await requireDdaBoleto(context, before.id);
    context.changed('dda_boleto', before.id, ddaBoletoOf(before), ddaBoletoOf(after));
    return ddaBoletoOf(after);
  },
});

async function requireRejectableBoleto(boletoId: string, context: Context): Promise<DdaBoletoRow> {
  const boleto = await requireDdaBoleto(context, boletoId);
  requireRejectable(boleto);
  return boleto;
}
