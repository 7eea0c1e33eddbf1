/** The creditor's consent to the cancellation of a protest (Lei 9.492/97 art. 26 §1). */

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
import { documentOf } from './text.ts';
import { titleWords } from './words.ts';

export interface ConsentDocument {
  readonly sender: Sender;
  readonly debtor: { readonly name: string; readonly documentNumber: string | null };
  readonly on: CivilDate;
  readonly title: {
    readonly kind: string;
    readonly documentNumber: string | null;
    readonly dueDate: CivilDate;
    readonly amount: Cents;
  };
  readonly notary: { readonly name: string; readonly city: string; readonly state: string } | null;
  readonly protocol: string | null;
  readonly protestedOn: CivilDate | null;
  /** Null when the creditor consents for another reason than payment. */
  readonly paidOn: CivilDate | null;
}

export async function consentPdf(consent: ConsentDocument): Promise<Letter> {
  const { sender, debtor, on, title, notary, protocol, protestedOn } = consent;
  const paper = await openPaper({ title: 'Carta de anuência', sender, on });
  paragraph(paper, declaration(consent));
  heading(paper, 'Título');
  field(
    paper,
    'Devedor',
    [debtor.name, documentOf(debtor.documentNumber)].filter((part) => part !== null).join(' - '),
  );
  field(
    paper,
    'Espécie',
    titleWords[title.kind] === undefined ? title.kind : `${title.kind} - ${titleWords[title.kind]}`,
  );
  if (title.documentNumber !== null) field(paper, 'Número', title.documentNumber);
  field(paper, 'Vencimento', formatDateBr(title.dueDate));
  field(paper, 'Valor protestado', formatBrl(title.amount));
  if (notary !== null) field(paper, 'Tabelionato', `${notary.name} - ${notary.city}/${notary.state}`);
  if (protocol !== null) field(paper, 'Protocolo', protocol);
  if (protestedOn !== null) field(paper, 'Protestado em', formatDateBr(protestedOn));
  paper.y += 8;
  paragraph(paper, 'Os emolumentos do cancelamento correm por conta do devedor.', { size: 9.5 });
  const note = 'Firma reconhecida ou assinatura eletrônica qualificada';
  signatures(paper, [{ ...sender, note }]);
  return closePaper(paper);
}

function declaration({ sender, debtor, paidOn }: ConsentDocument): string {
  const by = [sender.name, documentOf(sender.documentNumber)].filter((part) => part !== null).join(', ');
  const why =
    paidOn === null
      ? 'por acerto entre as partes'
      : `tendo recebido integralmente, em ${formatDateBr(paidOn)}, o valor devido`;
  return (
    `${by}, credora do título descrito abaixo, ${why}, declara anuir ao cancelamento do respectivo protesto ` +
    `lavrado contra ${debtor.name}, nos termos do art. 26, § 1º, da Lei nº 9.492/97.`
  );
}
