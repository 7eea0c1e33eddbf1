/** The statement of a debtor: every charge with what became of it, agreements, and what is due on a day. */

import { type CivilDate, formatDateBr } from '../../core/dates.ts';
import { type Cents, formatBrl } from '../../core/money.ts';
import {
  closePaper,
  field,
  heading,
  type Letter,
  openPaper,
  type Paper,
  paragraph,
  type Sender,
} from './paper.ts';
import { type Column, tableEnd, tableHead, tableRow } from './table.ts';
import { documentOf } from './text.ts';
import { agreementWords, amount, counted, methodWords } from './words.ts';

/** A charge as of the day. `amount - discount + fine + interest - paid = due`, unless it is canceled. */
export interface StatementCharge {
  readonly dueDate: CivilDate;
  readonly description: string;
  readonly documentNumber: string | null;
  readonly state: 'pending' | 'overdue' | 'paid' | 'in_agreement' | 'canceled';
  readonly amount: Cents;
  readonly discount: Cents;
  readonly fine: Cents;
  readonly interest: Cents;
  readonly paid: Cents;
  readonly due: Cents;
  readonly payments: readonly StatementPayment[];
}

export interface StatementPayment {
  readonly paidOn: CivilDate;
  readonly method: string;
  readonly amount: Cents;
  readonly principal: Cents;
  readonly discount: Cents;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly excess: Cents;
  /** A charge that was paid already got it. */
  readonly isDuplicate: boolean;
}

export interface StatementAgreement {
  readonly acceptedOn: CivilDate;
  readonly status: string;
  readonly installments: number;
  readonly total: Cents;
  readonly paid: Cents;
  /** Installments still open; 0 once it ended. */
  readonly open: Cents;
  readonly nextDueDate: CivilDate | null;
}

export interface StatementDocument {
  readonly sender: Sender;
  readonly debtor: { readonly name: string; readonly documentNumber: string | null };
  /** The day of the amounts. */
  readonly asOf: CivilDate;
  readonly on: CivilDate;
  /** In order of the due dates, in portions: what was written is not kept. */
  readonly charges: AsyncIterable<readonly StatementCharge[]>;
  readonly agreements: readonly StatementAgreement[];
  /** Money of the debtor that nothing needed. */
  readonly credit: Cents;
}

export interface StatementTotals {
  readonly charges: number;
  /** Of the charges still open and in no agreement. */
  readonly openAmount: Cents;
  readonly openDiscount: Cents;
  readonly openFine: Cents;
  readonly openInterest: Cents;
  readonly openPaid: Cents;
  readonly openDue: Cents;
  /** Of the installments of agreements in force. */
  readonly agreementsDue: Cents;
  readonly totalDue: Cents;
}

const columns: readonly Column[] = [
  { title: 'Vencimento', width: 19 },
  { title: 'Descrição', width: 63 },
  { title: 'Documento', width: 28 },
  { title: 'Situação', width: 21 },
  { title: 'Valor', width: 24, isNumber: true },
  { title: 'Descontos', width: 21, isNumber: true },
  { title: 'Multa', width: 20, isNumber: true },
  { title: 'Juros', width: 22, isNumber: true },
  { title: 'Pago', width: 24, isNumber: true },
  { title: 'Devido', width: 25, isNumber: true },
];

const agreementColumns: readonly Column[] = [
  { title: 'Aceito em', width: 28 },
  { title: 'Situação', width: 32 },
  { title: 'Parcelas', width: 35 },
  { title: 'Próximo vencimento', width: 46 },
  { title: 'Total negociado', width: 42, isNumber: true },
  { title: 'Pago', width: 42, isNumber: true },
  { title: 'Saldo', width: 42, isNumber: true },
];

const stateWords: Readonly<Record<StatementCharge['state'], string>> = {
  pending: 'a vencer',
  overdue: 'vencida',
  paid: 'paga',
  in_agreement: 'em acordo',
  canceled: 'cancelada',
};

/** The file, and the totals that it shows. */
export async function statementPdf(
  statement: StatementDocument,
): Promise<Letter & { readonly totals: StatementTotals }> {
  const { sender, debtor, asOf, on } = statement;
  const paper = await openPaper({ title: 'Extrato de débitos', sender, on, isLandscape: true });
  const { name, documentNumber } = debtor;
  field(paper, 'Devedor', [name, documentOf(documentNumber)].filter((part) => part !== null).join(' - '));
  field(paper, 'Posição em', formatDateBr(asOf));
  const totals = await charges(paper, statement);
  agreements(paper, statement.agreements);
  summary(paper, statement, totals);
  return { ...(await closePaper(paper)), totals };
}

async function charges(paper: Paper, statement: StatementDocument): Promise<StatementTotals> {
  heading(paper, 'Cobranças');
  const sums = { charges: 0, amount: 0, discount: 0, fine: 0, interest: 0, paid: 0, due: 0 };
  tableHead(paper, columns);
  for await (const portion of statement.charges) {
    for (const charge of portion) {
      chargeRow(paper, charge);
      sums.charges += 1;
      if (charge.state !== 'pending' && charge.state !== 'overdue') continue;
      for (const part of ['amount', 'discount', 'fine', 'interest', 'paid', 'due'] as const) {
        sums[part] += charge[part];
      }
    }
  }
  if (sums.charges === 0) tableRow(paper, columns, ['-', 'Nenhuma cobrança.']);
  else {
    const { amount: face, discount, fine, interest, paid, due } = sums;
    const numbers = [face, discount, fine, interest, paid, due].map(amount);
    tableRow(paper, columns, ['', 'Total das cobranças em aberto', '', '', ...numbers], { isStrong: true });
  }
  tableEnd(paper);
  const agreementsDue = statement.agreements.reduce((sum, { open }) => sum + open, 0);
  return {
    charges: sums.charges,
    openAmount: sums.amount,
    openDiscount: sums.discount,
    openFine: sums.fine,
    openInterest: sums.interest,
    openPaid: sums.paid,
    openDue: sums.due,
    agreementsDue,
    totalDue: sums.due + agreementsDue,
  };
}

function chargeRow(paper: Paper, charge: StatementCharge): void {
  const { state, dueDate, description, documentNumber } = charge;
  const due = state === 'in_agreement' ? 'no acordo' : amount(charge.due);
  tableRow(
    paper,
    columns,
    [
      formatDateBr(dueDate),
      description,
      documentNumber ?? '-',
      stateWords[state],
      amount(charge.amount),
      amount(charge.discount),
      amount(charge.fine),
      amount(charge.interest),
      amount(charge.paid),
      due,
    ],
    { notes: charge.payments.map(paymentNote) },
  );
}

/** What a payment was used for, as far as it was used. */
function paymentNote(payment: StatementPayment): string {
  const { paidOn, method, principal, discount, interest, fine, excess, isDuplicate } = payment;
  const parts = [
    [interest, 'juros'],
    [fine, 'multa'],
    [principal, 'principal'],
    [discount, 'desconto'],
    [excess, isDuplicate ? 'em duplicidade' : 'pago a mais'],
  ] as const;
  const used = parts.filter(([cents]) => cents > 0).map(([cents, word]) => `${word} ${amount(cents)}`);
  const what = `Pagamento de ${formatBrl(payment.amount)} em ${formatDateBr(paidOn)}, ${methodWords[method] ?? method}`;
  return used.length === 0 ? what : `${what}: ${used.join('; ')}`;
}

function agreements(paper: Paper, found: readonly StatementAgreement[]): void {
  if (found.length === 0) return;
  heading(paper, 'Acordos');
  tableHead(paper, agreementColumns);
  for (const agreement of found) {
    tableRow(paper, agreementColumns, [
      formatDateBr(agreement.acceptedOn),
      agreementWords[agreement.status] ?? agreement.status,
      counted(agreement.installments, 'parcela', 'parcelas'),
      agreement.nextDueDate === null ? '-' : formatDateBr(agreement.nextDueDate),
      amount(agreement.total),
      amount(agreement.paid),
      amount(agreement.open),
    ]);
  }
  tableEnd(paper);
}

function summary(paper: Paper, { asOf, credit }: StatementDocument, totals: StatementTotals): void {
  heading(paper, 'Resumo');
  field(paper, 'Cobranças em aberto', formatBrl(totals.openDue));
  field(paper, 'Parcelas de acordos', formatBrl(totals.agreementsDue));
  field(paper, `Total devido em ${formatDateBr(asOf)}`, formatBrl(totals.totalDue));
  if (credit > 0) field(paper, 'Pago a mais, a devolver', formatBrl(credit));
  paper.y += 3;
  const note =
    'Valores calculados para a data da posição; multa e juros das cobranças vencidas mudam a cada dia. ' +
    'Valor devido = valor - descontos + multa + juros - pago. Cobranças em acordo são pagas pelas parcelas do acordo.';
  paragraph(paper, note, { size: 8 });
}
