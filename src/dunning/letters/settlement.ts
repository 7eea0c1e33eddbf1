/** The settlement letter of a paid charge. */

import { type CivilDate, formatDateBr } from '../../core/dates.ts';
import { type Cents, formatBrl } from '../../core/money.ts';
import {
  closePaper,
  field,
  heading,
  type Letter,
  openPaper,
  paragraph,
  type Sender,
  signatures,
} from './paper.ts';
import { type Column, tableEnd, tableHead, tableRow } from './table.ts';
import { documentOf } from './text.ts';
import { amount, methodWords } from './words.ts';

export interface SettlementDocument {
  readonly sender: Sender;
  readonly debtor: { readonly name: string; readonly documentNumber: string | null };
  readonly on: CivilDate;
  readonly charge: {
    readonly description: string;
    readonly documentNumber: string | null;
    readonly dueDate: CivilDate;
    readonly paidOn: CivilDate | null;
    readonly amount: Cents;
    /** Abatements among them. */
    readonly discount: Cents;
    readonly fine: Cents;
    readonly interest: Cents;
    readonly paid: Cents;
    /** The day an agreement that settled it was accepted. */
    readonly agreementOn: CivilDate | null;
  };
  readonly payments: readonly { paidOn: CivilDate; method: string; amount: Cents; used: Cents }[];
}

const columns: readonly Column[] = [
  { title: 'Pago em', width: 30 },
  { title: 'Forma', width: 60 },
  { title: 'Valor recebido', width: 45, isNumber: true },
  { title: 'Usado nesta cobrança', width: 45, isNumber: true },
];

export async function settlementPdf(settlement: SettlementDocument): Promise<Letter> {
  const { sender, debtor, on, charge, payments } = settlement;
  const paper = await openPaper({ title: 'Carta de quitação', sender, on });
  paragraph(paper, declaration(settlement));
  heading(paper, 'Cobrança quitada');
  field(
    paper,
    'Devedor',
    [debtor.name, documentOf(debtor.documentNumber)].filter((part) => part !== null).join(' - '),
  );
  field(paper, 'Descrição', charge.description);
  if (charge.documentNumber !== null) field(paper, 'Documento', charge.documentNumber);
  field(paper, 'Vencimento', formatDateBr(charge.dueDate));
  field(paper, 'Valor original', formatBrl(charge.amount));
  if (charge.discount > 0) field(paper, 'Descontos', formatBrl(charge.discount));
  if (charge.fine > 0) field(paper, 'Multa', formatBrl(charge.fine));
  if (charge.interest > 0) field(paper, 'Juros', formatBrl(charge.interest));
  field(paper, 'Total pago', formatBrl(charge.paid));
  if (payments.length > 0) {
    heading(paper, 'Pagamentos');
    tableHead(paper, columns);
    for (const payment of payments) {
      const { paidOn, method, used } = payment;
      tableRow(paper, columns, [
        formatDateBr(paidOn),
        methodWords[method] ?? method,
        amount(payment.amount),
        amount(used),
      ]);
    }
    tableEnd(paper);
  }
  signatures(paper, [sender]);
  return closePaper(paper);
}

function declaration({ sender, debtor, charge }: SettlementDocument): string {
  const who = [debtor.name, documentOf(debtor.documentNumber)].filter((part) => part !== null).join(', ');
  const by = [sender.name, documentOf(sender.documentNumber)].filter((part) => part !== null).join(', ');
  const when = charge.paidOn === null ? '' : ` em ${formatDateBr(charge.paidOn)}`;
  const how =
    charge.agreementOn === null
      ? ''
      : `, pelo cumprimento do acordo aceito em ${formatDateBr(charge.agreementOn)}`;
  return (
    `${by}, declara, para os devidos fins, que a cobrança descrita abaixo, de responsabilidade de ${who}, ` +
    `foi integralmente quitada${when}${how}, nada mais sendo devido em relação a ela.`
  );
}
