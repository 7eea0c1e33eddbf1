import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { buildBoleto } from '../../core/documents/boleto.ts';
import { buildStaticPixCode } from '../../core/documents/pix.ts';
import { barsOf, type ChargeDocument, chargePdf } from './pdf.ts';

const MM = 72 / 25.4;
const boleto = buildBoleto({
  bankCode: '341',
  dueDate: '2026-10-05',
  amountCents: 123_456,
  freeField: '1234567890123456789012345',
});
const charge: ChargeDocument = {
  company: { legal_name: 'Padaria São João Ltda.', document_number: '11222333000181' },
  customer: { name: 'Conceição & Irmãos – Peças “Água Fria”', document_number: '12ABC34501DE35' },
  description: 'Manutenção de setembro',
  documentNumber: 'NF 1234',
  ourNumber: '00000000042',
  issuedOn: '2026-09-20',
  amount: 123_456,
  dueDate: '2026-10-05',
  payUntil: '2026-11-04',
  terms: {
    discounts: [{ kind: 'fixed', cents: 1000, until: '2026-10-01' }],
    fine: { kind: 'percent', percent: 20_000 },
    interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
    graceDays: 0,
  },
  boleto: { barcode: boleto.barcode, typedLine: boleto.typedLine, agency: '1234', account: '1234556-7' },
  pixCode: buildStaticPixCode({
    key: '11222333000181',
    amountCents: 123_456,
    merchant: 'Padaria São João',
    city: 'São Paulo',
    txid: 'ABC123',
  }),
  now: new Date('2026-09-20T12:00:00Z'),
};

async function textOf(document: ChargeDocument): Promise<{ pages: number; text: string }> {
  const pdf = await getDocumentProxy(new Uint8Array(await chargePdf(document)));
  const { totalPages, text } = await extractText(pdf, { mergePages: true });
  return { pages: totalPages, text };
}

/** Long codes break over lines; what they say is compared without white space. */
const bare = (text: string) => text.replace(/\s/g, '');

describe('a charge on paper', () => {
  it('is one page that says everything as it was written', async () => {
    const { pages, text } = await textOf(charge);
    expect(pages).toBe(1);
    for (const said of [
      'Padaria São João Ltda.',
      'CNPJ 11.222.333/0001-81',
      'Boleto e Pix',
      'Conceição & Irmãos – Peças “Água Fria” (12.ABC.345/01DE-35)',
      'Manutenção de setembro',
      'NF 1234',
      '00000000042',
      'R$ 1.234,56',
      '05/10/2026',
      'Banco 341-7',
      boleto.typedLine,
      '1234 / 1234556-7',
      'Desconto de R$ 10,00 para pagamento até 01/10/2026.',
      'A partir de 06/10/2026, multa de 2% (R$ 24,69).',
      'A partir de 06/10/2026, juros de 1% ao mês, cobrados por dia corrido de atraso.',
      'Não receber após 04/11/2026.',
      'Emitido em 20/09/2026',
      'Página 1 de 1',
    ]) {
      expect(text).toContain(said);
    }
    expect(bare(text)).toContain(bare(charge.pixCode!));
  });

  it('shows one method alone', async () => {
    const pix = await textOf({ ...charge, boleto: null });
    expect(pix.text).not.toContain('Boleto');
    expect(pix.text).toContain('Não receber após 04/11/2026.');
    const slip = await textOf({ ...charge, pixCode: null });
    expect(slip.text).not.toContain('Pix');
    expect(slip.text).toContain(boleto.typedLine);
  });

  it('stays one page, and text, whatever stands in names', async () => {
    const long = 'Comércio e Indústria '.repeat(40);
    const { pages, text } = await textOf({
      ...charge,
      company: { ...charge.company, legal_name: `Őrség 漢字 ${long}` },
      customer: { name: `e\u0301rico ${long}`, document_number: null },
      description: long,
      documentNumber: null,
    });
    expect(pages).toBe(1);
    expect(text).toContain('Orség ?? Comércio e Indústria');
    expect(text).toContain('érico Comércio');
    expect(text).toContain('…');
  });

  it('is the same file for the same charge', async () => {
    const [first, second] = [await chargePdf(charge), await chargePdf(charge)];
    expect(first.equals(second)).toBe(true);
  });
});

describe('the barcode', () => {
  it('is 103 mm long and reads back to its 44 digits from the bars as they are drawn', () => {
    const bars = barsOf(boleto.barcode, 10);
    const last = bars.at(-1)!;
    expect(last.x + last.width - 10).toBeCloseTo(103 * MM, 6);
    const unit = (103 * MM) / 405;
    const elements = bars.flatMap(({ x, width }, index) => {
      const next = bars[index + 1];
      return next === undefined ? [width] : [width, next.x - x - width];
    });
    const wide = elements.slice(4, -3).map((width) => Math.round(width / unit) === 3);
    expect(wide).toHaveLength(220);
    const worth = [1, 2, 4, 7, 0];
    let digits = '';
    for (let pair = 0; pair < wide.length; pair += 10) {
      for (const offset of [0, 1]) {
        const sum = worth.reduce(
          (total, value, place) => total + (wide[pair + 2 * place + offset] ? value : 0),
          0,
        );
        digits += sum === 11 ? '0' : String(sum);
      }
    }
    expect(digits).toBe(boleto.barcode);
  });
});
