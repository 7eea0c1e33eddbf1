/** NF-e files as a supplier's system writes them. Source: NF-e layout 4.00. */

import type { CivilDate } from '../../core/dates.ts';
import { accessKeyCheckDigit } from '../../core/documents/nfe-key.ts';
import { type Cents, formatMoney } from '../../core/money.ts';

export interface NfeParts {
  readonly encoding: 'UTF-8' | 'ISO-8859-1';
  /** Instant of issue by the clock of São Paulo, with its offset and without fractions. */
  readonly issuedAt: string;
  readonly number: number;
  /** Eight digits. */
  readonly code: string;
  readonly protocol: string;
  readonly issuer: { readonly cnpj: string; readonly name: string };
  readonly recipient: { readonly cnpj: string; readonly name: string };
  readonly product: string;
  readonly installments: readonly { readonly dueDate: CivilDate; readonly amount: Cents }[];
}

export interface BuiltNfe {
  readonly accessKey: string;
  readonly total: Cents;
  readonly bytes: Buffer;
}

/** The file with its access key. The total is the sum of the installments. */
export function buildNfe(parts: NfeParts): BuiltNfe {
  const { issuedAt, number, code, issuer } = parts;
  const yearAndMonth = issuedAt.slice(2, 4) + issuedAt.slice(5, 7);
  const first43 = `35${yearAndMonth}${issuer.cnpj}55001${String(number).padStart(9, '0')}1${code}`;
  const accessKey = first43 + accessKeyCheckDigit(first43);
  const total = parts.installments.reduce((sum, { amount }) => sum + amount, 0);
  const text = textOfNfe(parts, accessKey, formatMoney(total));
  return { accessKey, total, bytes: Buffer.from(text, parts.encoding === 'UTF-8' ? 'utf8' : 'latin1') };
}

function textOfNfe(parts: NfeParts, accessKey: string, total: string): string {
  const { issuer, recipient, issuedAt, number, code } = parts;
  const installments = parts.installments
    .map(
      ({ dueDate, amount }, index) =>
        `<dup><nDup>${String(index + 1).padStart(3, '0')}</nDup><dVenc>${dueDate}</dVenc><vDup>${formatMoney(amount)}</vDup></dup>`,
    )
    .join('');
  const namespace = 'http://www.portalfiscal.inf.br/nfe';
  return `<?xml version="1.0" encoding="${parts.encoding}"?>
<nfeProc xmlns="${namespace}" versao="4.00">
<NFe xmlns="${namespace}"><infNFe Id="NFe${accessKey}" versao="4.00">
<ide><cUF>35</cUF><cNF>${code}</cNF><natOp>Venda de mercadoria</natOp><mod>55</mod><serie>1</serie><nNF>${number}</nNF><dhEmi>${issuedAt}</dhEmi><tpNF>1</tpNF><idDest>1</idDest><cMunFG>3550308</cMunFG><tpImp>1</tpImp><tpEmis>1</tpEmis><cDV>${accessKey.slice(-1)}</cDV><tpAmb>1</tpAmb><finNFe>1</finNFe><indFinal>0</indFinal><indPres>9</indPres><procEmi>0</procEmi><verProc>1.0</verProc></ide>
<emit><CNPJ>${issuer.cnpj}</CNPJ><xNome>${issuer.name}</xNome></emit>
<dest><CNPJ>${recipient.cnpj}</CNPJ><xNome>${recipient.name}</xNome><indIEDest>9</indIEDest></dest>
<det nItem="1"><prod><cProd>001</cProd><cEAN>SEM GTIN</cEAN><xProd>${parts.product}</xProd><NCM>21069090</NCM><CFOP>5102</CFOP><uCom>UN</uCom><qCom>1.0000</qCom><vUnCom>${total}</vUnCom><vProd>${total}</vProd><indTot>1</indTot></prod></det>
<total><ICMSTot><vProd>${total}</vProd><vDesc>0.00</vDesc><vNF>${total}</vNF></ICMSTot></total>
<transp><modFrete>9</modFrete></transp>
<cobr><fat><nFat>${number}</nFat><vOrig>${total}</vOrig><vLiq>${total}</vLiq></fat>${installments}</cobr>
<pag><detPag><indPag>1</indPag><tPag>15</tPag><vPag>${total}</vPag></detPag></pag>
</infNFe></NFe>
<protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><chNFe>${accessKey}</chNFe><dhRecbto>${issuedAt}</dhRecbto><nProt>${parts.protocol}</nProt><cStat>100</cStat><xMotivo>Autorizado o uso da NF-e</xMotivo></infProt></protNFe>
</nfeProc>
`;
}
