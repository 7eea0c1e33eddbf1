/** The term of an agreement: which debts, on what terms, in which installments. */

import { type CivilDate, formatDateBr } from '../../core/dates.ts';
import { type Cents, formatBrl } from '../../core/money.ts';
import {
  closePaper,
  field,
  heading,
  type Letter,
  MM,
  openPaper,
  type Paper,
  paragraph,
  type Sender,
  SIGNATURE,
  signatures,
} from './paper.ts';
import { type Column, tableEnd, tableHead, tableRow } from './table.ts';
import { documentOf } from './text.ts';
import { agreementWords, amount, counted, installmentWords } from './words.ts';

export interface AgreementDocument {
  readonly sender: Sender;
  readonly debtor: { readonly name: string; readonly documentNumber: string | null };
  readonly on: CivilDate;
  readonly status: string;
  readonly asOf: CivilDate;
  readonly original: Cents;
  readonly discount: Cents;
  readonly negotiated: Cents;
  readonly validUntil: CivilDate;
  readonly defaultAfterDays: number;
  readonly accepted: { readonly on: CivilDate; readonly by: string | null } | null;
  readonly charges: readonly {
    readonly description: string;
    readonly documentNumber: string | null;
    readonly dueDate: CivilDate;
    readonly principal: Cents;
    readonly interest: Cents;
    readonly fine: Cents;
    readonly discount: Cents;
  }[];
  readonly installments: readonly {
    readonly number: number;
    readonly dueDate: CivilDate;
    readonly amount: Cents;
    readonly paid: Cents;
    readonly status: string;
  }[];
}

const chargeColumns: readonly Column[] = [
  { title: 'Vencimento', width: 19 },
  { title: 'Descrição', width: 41 },
  { title: 'Documento', width: 22 },
  { title: 'Principal', width: 20, isNumber: true },
  { title: 'Juros', width: 18, isNumber: true },
  { title: 'Multa', width: 18, isNumber: true },
  { title: 'Desconto', width: 20, isNumber: true },
  { title: 'Negociado', width: 22, isNumber: true },
];

const installmentColumns: readonly Column[] = [
  { title: 'Parcela', width: 25 },
  { title: 'Vencimento', width: 40 },
  { title: 'Situação', width: 35 },
  { title: 'Valor', width: 40, isNumber: true },
  { title: 'Pago', width: 40, isNumber: true },
];

export async function agreementPdf(agreement: AgreementDocument): Promise<Letter> {
  const { sender, debtor, on, accepted } = agreement;
  const title = accepted === null ? 'Proposta de acordo' : 'Termo de acordo';
  const paper = await openPaper({ title, sender, on });
  opening(paper, agreement);
  debts(paper, agreement);
  schedule(paper, agreement);
  conditions(paper, agreement);
  if (accepted !== null) signatures(paper, [sender, debtor]);
  return closePaper(paper);
}

function opening(
  paper: Paper,
  { sender, debtor, asOf, status, accepted, validUntil }: AgreementDocument,
): void {
  const named = (party: { name: string; documentNumber: string | null }) =>
    [party.name, documentOf(party.documentNumber)].filter((part) => part !== null).join(' - ');
  field(paper, 'Credor', named(sender));
  field(paper, 'Devedor', named(debtor));
  field(paper, 'Situação', agreementWords[status] ?? status);
  field(paper, 'Dívida calculada em', formatDateBr(asOf));
  if (accepted === null) field(paper, 'Proposta válida até', formatDateBr(validUntil));
  else {
    const by = accepted.by === null ? '' : `, por ${accepted.by}`;
    field(paper, 'Aceito em', `${formatDateBr(accepted.on)}${by}`);
  }
}

function debts(paper: Paper, agreement: AgreementDocument): void {
  const { charges, original, discount, negotiated } = agreement;
  heading(paper, 'Dívidas do acordo');
  tableHead(paper, chargeColumns);
  const sums = { principal: 0, interest: 0, fine: 0, discount: 0 };
  for (const charge of charges) {
    const { principal, interest, fine, discount: off } = charge;
    sums.principal += principal;
    sums.interest += interest;
    sums.fine += fine;
    sums.discount += off;
    tableRow(paper, chargeColumns, [
      formatDateBr(charge.dueDate),
      charge.description,
      charge.documentNumber ?? '-',
      ...[principal, interest, fine, off, principal + interest + fine - off].map(amount),
    ]);
  }
  const totals = [sums.principal, sums.interest, sums.fine, sums.discount];
  tableRow(paper, chargeColumns, ['', 'Total', '', ...totals.map(amount), amount(negotiated)], {
    isStrong: true,
  });
  tableEnd(paper);
  field(paper, 'Total da dívida', formatBrl(original));
  field(paper, 'Desconto', formatBrl(discount));
  field(paper, 'Total negociado', formatBrl(negotiated));
}

function schedule(paper: Paper, { installments }: AgreementDocument): void {
  heading(paper, counted(installments.length, 'parcela', 'parcelas'));
  tableHead(paper, installmentColumns);
  for (const installment of installments) {
    tableRow(paper, installmentColumns, [
      `${installment.number} de ${installments.length}`,
      formatDateBr(installment.dueDate),
      installmentWords[installment.status] ?? installment.status,
      amount(installment.amount),
      amount(installment.paid),
    ]);
  }
  tableEnd(paper);
}

function conditions(
  paper: Paper,
  { defaultAfterDays, discount, validUntil, accepted }: AgreementDocument,
): void {
  // The place to sign stays with what is signed.
  heading(paper, 'Condições', 45 * MM + (accepted === null ? 0 : SIGNATURE));
  const late =
    defaultAfterDays === 0
      ? 'O atraso de qualquer parcela'
      : `O atraso de qualquer parcela por mais de ${counted(defaultAfterDays, 'dia', 'dias')}`;
  const lost = discount > 0 ? 'o desconto se perde e ' : '';
  const sentences = [
    'O pagamento de todas as parcelas quita as dívidas acima.',
    'Parcela que vence em dia sem expediente bancário pode ser paga no dia útil seguinte.',
    `${late} desfaz o acordo: ${lost}as dívidas voltam ao valor original atualizado, descontado o que foi pago.`,
    ...(accepted === null
      ? [`Esta proposta vale até ${formatDateBr(validUntil)} e obriga as partes somente depois de aceita.`]
      : []),
  ];
  for (const [index, sentence] of sentences.entries()) {
    paragraph(paper, `${index + 1}. ${sentence}`, { size: 9.5, gap: 3 });
  }
}
