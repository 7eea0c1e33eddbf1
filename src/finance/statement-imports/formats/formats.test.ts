import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readStatementFile } from '../read-file.ts';
import { csvDate, dateOrderOf } from './dates.ts';
import { readOfx } from './ofx.ts';
import type { Statement } from './reading.ts';
import { isBalanceRow } from './texts.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../test/fixtures/statements/${name}`, import.meta.url));
const read = (bytes: Buffer | string, given = {}) => readStatementFile(Buffer.from(bytes), given);
const only = async (name: string): Promise<Statement> => {
  const { statements } = await read(fixture(name));
  expect(statements).toHaveLength(1);
  return statements[0]!;
};
const short = ({ lines }: Statement) =>
  lines.map(({ line, date, direction, amount, description }) => [line, date, direction, amount, description]);
const ofx = (transactions: string) =>
  `<OFX><STMTRS><BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${transactions}</BANKTRANLIST></STMTRS></OFX>`;
const memoOf = async (memo: string) =>
  (await read(ofx(`<STMTTRN><DTPOSTED>20260801<TRNAMT>1<MEMO>${memo}</STMTTRN>`))).statements[0]!.lines[0]!
    .description;

describe('OFX', () => {
  test('PITFALLS 37, PITFALLS 39: without end tags, with commas, signs and raw ampersands', async () => {
    const statement = await only('sgml-1252.ofx');
    expect(short(statement)).toEqual([
      [1, '2026-08-03', 'debit', 38_680, 'TOK & STOK MÓVEIS'],
      [2, '2026-08-04', 'credit', 123_456, 'PIX RECEBIDO Fábrica Aurora Ltda'],
      [3, '2026-08-05', 'debit', 1_250, 'TARIFA DE MANUTENÇÃO'],
    ]);
    expect(statement.lines[0]).toMatchObject({
      reference: '20260803-386.80TOK&STOK01',
      documentNumber: '000123',
    });
    expect(statement).toMatchObject({
      account: { bankCode: '0341', agency: '1234', number: '1234556-7', currency: 'BRL' },
      closing: { date: '2026-08-31', amount: 83_526 },
      skipped: [],
    });
  });

  test('PITFALLS 38: keeps accents whatever charset is declared, and the civil date whatever offset', async () => {
    expect(short(await only('utf8-declared-1252.ofx'))).toEqual([
      [1, '2018-05-02', 'credit', 84_162, 'CR ANTECIPAÇÃO MASTERCARD'],
    ]);
  });

  test('PITFALLS 30: a moment before midnight is of that day under every offset', async () => {
    const posted = ['20260220', '20260220235959[-3:BRT]', '20260220000000.000[0:GMT]', '20260220010000[+12]'];
    const { statements } = await read(
      ofx(posted.map((at) => `<STMTTRN><DTPOSTED>${at}<TRNAMT>1</STMTTRN>`).join('')),
    );
    expect(statements[0]!.lines.map(({ date }) => date)).toEqual(Array(4).fill('2026-02-20'));
  });

  test('PITFALLS 35: skips and lists balance rows with an empty FITID, and takes the rest', async () => {
    const statement = await only('balance-rows.ofx');
    expect(short(statement).map(([line]) => line)).toEqual([2, 4]);
    expect(statement.skipped).toEqual([1, 3, 5].map((line) => ({ line, reason: 'balance' })));
  });

  test('as XML: several accounts, entities, CDATA, comments; a document type defines nothing', async () => {
    const { statements } = await read(fixture('two-accounts.ofx'));
    expect(statements.map(({ account }) => account?.number)).toEqual(['999990', '1234 1234556-7']);
    expect(short(statements[1]!)).toEqual([
      [2, '2026-08-02', 'credit', 1_000, 'João & Filhos pedido <42> & frete'],
      [3, '2026-08-02', 'credit', 1_100, '&secret; Pix'],
    ]);
    expect(statements[1]!.lines[1]!.endToEndId).toBe('E223399802026080214051234567890Z');
    expect(statements[0]!.closing).toEqual({ date: '2026-08-31', amount: 100 });
    expect(statements[1]!.closing).toBeNull();
  });

  test.each([
    ['A < B > C', 'A < B > C'],
    ['R&amp;D &lt;x&gt; &#231;&#xE7; &nada; &', 'R&D <x> çç &nada; &'],
    ['<![CDATA[a <b> & c]]> d', 'a <b> & c d'],
    ['zero\u200bwidth\u202e', 'zerowidth'],
    ['', 'Sem descrição'],
  ])('keeps the text %j as %j', async (memo, description) => {
    expect(await memoOf(memo)).toBe(description);
  });

  test('lists lines that cannot be read by their number, and takes the others', async () => {
    const { statements } = await read(
      ofx(
        [
          '<STMTTRN><DTPOSTED>20260231<TRNAMT>1</STMTTRN>',
          '<STMTTRN><DTPOSTED>20260201<TRNAMT>1.234</STMTTRN>',
          '<STMTTRN><DTPOSTED>20260201<TRNAMT>0.00</STMTTRN>',
          '<STMTTRN><DTPOSTED>20260201<TRNAMT>-2,00<MEMO>Last, without its end',
        ].join(''),
      ),
    );
    expect(statements[0]!.skipped).toEqual([
      { line: 1, reason: 'bad_date' },
      { line: 2, reason: 'bad_amount' },
      { line: 3, reason: 'zero_amount' },
    ]);
    expect(short(statements[0]!)).toEqual([[4, '2026-02-01', 'debit', 200, 'Last, without its end']]);
  });

  test('takes nothing of a file that ends half-way, and says where', async () => {
    await expect(read(fixture('truncated.ofx'))).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'file.content_base64', line: 15 },
    });
  });

  test.each([
    ['lone brackets', '<'.repeat(1_000_000)],
    ['declarations', '<!x>'.repeat(300_000)],
    ['open declarations', '<!x['.repeat(300_000)],
    ['tags without end', '<abcdefgh'.repeat(150_000)],
    ['open CDATA', '<![CDATA['.repeat(150_000)],
    ['ampersands', `<MEMO>${'&#'.repeat(500_000)}`],
    ['spaces in a tag', `<MEMO ${' '.repeat(1_000_000)}`],
  ])('takes time in proportion to its size: %s', (_what, text) => {
    const startedAt = performance.now();
    expect(() => [...readOfx(`<OFX>${text}</OFX>`)]).not.toThrow(RangeError);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('CSV', () => {
  test('PITFALLS 40: a preamble, two amount columns, quotes, and lines that cannot be read', async () => {
    const { statements, columns } = await read(fixture('preamble-1252.csv'));
    expect(short(statements[0]!)).toEqual([
      [6, '2026-08-03', 'credit', 233_450, 'PIX RECEBIDO - PADARIA ESTAÇÃO'],
      [7, '2026-08-04', 'debit', 33_450, 'PAGAMENTO "LUZ"; VENCIDA'],
    ]);
    expect(statements[0]).toMatchObject({
      skipped: [
        { line: 5, reason: 'balance' },
        { line: 8, reason: 'bad_date' },
        { line: 9, reason: 'bad_amount' },
        { line: 10, reason: 'zero_amount' },
        { line: 11, reason: 'bad_date' },
      ],
      closing: { date: '2026-08-04', amount: 300_000 },
    });
    expect(columns).toMatchObject({ delimiter: ';', date_format: 'dmy', decimal: ',' });
    expect(columns?.columns.map(({ field, position }) => [field, position])).toEqual([
      ['date', 1],
      ['description', 2],
      ['credit', 4],
      ['debit', 5],
      ['document', 3],
      ['balance', 6],
    ]);
  });

  test('PITFALLS 40: numbers of both habits in one column', async () => {
    const { statements, columns } = await read(fixture('brazilian-numbers.csv'));
    expect(statements[0]!.lines.map(({ direction, amount }) => [direction, amount])).toEqual([
      ['credit', 33_432_757],
      ['credit', 8_753_825_897],
      ['debit', 11_070],
      ['debit', 123_400],
    ]);
    expect(columns).toMatchObject({ delimiter: ',', date_format: 'ymd' });
  });

  test('newest first, month first, the sign in a column of its own: closing balance of the first line', async () => {
    const statement = await only('running-balance-descending.csv');
    expect(short(statement)).toEqual([
      [2, '2026-08-31', 'debit', 2_000, 'Card purchase'],
      [3, '2026-08-31', 'credit', 40_000, 'Deposit'],
      [4, '2026-08-01', 'debit', 50_000, 'Rent'],
    ]);
    expect(statement.closing).toEqual({ date: '2026-08-31', amount: 88_000 });
  });

  test('forty columns, named by header or by position', async () => {
    const bytes = fixture('many-columns.csv');
    await expect(read(bytes)).rejects.toMatchObject({ code: 'unsupported_file' });
    for (const columnMap of [
      { date: 'DIA', description: 'texto', amount: 'Quantia' },
      { date: 38, description: 39, amount: 40 },
    ]) {
      const { statements } = await read(bytes, { columnMap });
      expect(short(statements[0]!)).toEqual([[2, '2026-08-09', 'debit', 4_510, 'Compra no débito']]);
    }
    await expect(read(bytes, { columnMap: { date: 'Dia', amount: 'Ausente' } })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'column_map.amount' },
    });
    await expect(read(bytes, { columnMap: { date: 'Dia', credit: 'Quantia' } })).rejects.toMatchObject({
      details: { path: 'column_map' },
    });
  });

  test('without any header, by position, the first row is a line too', async () => {
    const { statements } = await read('01/08/2026;Venda;10,00\n02/08/2026;Tarifa;-1,00\n', {
      columnMap: { date: 1, description: 2, amount: 3 },
    });
    expect(short(statements[0]!).map(([line]) => line)).toEqual([1, 2]);
  });

  test('takes nothing of a file with an open quote, and says where', async () => {
    await expect(read('Data;Descrição;Valor\n01/08/2026;"Venda;10,00\n')).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'file.content_base64', expected: 'a whole statement file' },
    });
  });

  test('tells UTF-16 by its mark', async () => {
    const text = '\ufeffData;Descrição;Valor\r\n01/08/2026;Pão;10,00\r\n';
    const { statements } = await read(Buffer.from(text, 'utf16le'));
    expect(short(statements[0]!)).toEqual([[2, '2026-08-01', 'credit', 1_000, 'Pão']]);
  });
});

describe('CNAB 240', () => {
  test('PITFALLS 42: cuts records by bytes before decoding, accents or not, with a closing 0x1A', async () => {
    const statement = await only('extrato-cnab240.txt');
    expect(short(statement)).toEqual([
      [3, '2026-08-03', 'credit', 150_075, 'CRÉDITO DE COBRANÇA'],
      [4, '2026-08-04', 'debit', 20_050, 'TARIFA BANCÁRIA'],
    ]);
    expect(statement).toMatchObject({
      account: { bankCode: '341', agency: '01234', number: '0000012345567' },
      opening: { date: '2026-07-31', amount: 100_000 },
      closing: { date: '2026-08-04', amount: 230_025 },
      skipped: [
        { line: 5, reason: 'bad_date' },
        { line: 6, reason: 'balance' },
      ],
    });
  });

  test('PITFALLS 42: is the same with LF, and when an editor saved it anew as UTF-8', async () => {
    const bytes = fixture('extrato-cnab240.txt');
    const expected = await only('extrato-cnab240.txt');
    const text = bytes.toString('latin1');
    for (const other of [
      Buffer.from(text.replaceAll('\r\n', '\n').replace('\x1a', ''), 'latin1'),
      Buffer.from(text, 'utf8'),
    ]) {
      expect((await read(other)).statements).toEqual([expected]);
    }
  });

  test('takes nothing when a record has another length, the trailer is missing, or there is no statement', async () => {
    const text = fixture('extrato-cnab240.txt').toString('latin1');
    const records = text.split('\r\n');
    const shorter = records.with(3, records[3]!.slice(1)).join('\r\n');
    await expect(read(Buffer.from(shorter, 'latin1'))).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { line: 4, reason: 'The record has 239 characters, not 240.' },
    });
    await expect(read(Buffer.from(records.slice(0, 5).join('\r\n'), 'latin1'))).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { line: 5 },
    });
    const returns = text.replace('E0440033', 'T0100030');
    await expect(read(Buffer.from(returns, 'latin1'))).rejects.toMatchObject({ code: 'unsupported_file' });
  });
});

describe('the kind of a file', () => {
  test.each<[string, Buffer]>([
    ['a spreadsheet', Buffer.from('PK\x03\x04 OFXHEADER:100 <OFX></OFX>', 'latin1')],
    ['an older spreadsheet', Buffer.from('\xd0\xcf\x11\xe0;;;', 'latin1')],
    ['a PDF', Buffer.from('%PDF-1.7 a;b;c')],
    ['a web page', Buffer.from('<html><table><tr><td>Data;Valor</td></tr></table></html>')],
    ['binary data', Buffer.from([1, 2, 3, 59, 4])],
    ['prose', Buffer.from('Nothing here looks like columns')],
  ])('is decided from the bytes: %s is refused whatever its name', async (_what, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'unsupported_file' });
  });

  test('is confirmed by the caller, not chosen', async () => {
    await expect(read(fixture('sgml-1252.ofx'), { format: 'csv' })).rejects.toMatchObject({
      code: 'unsupported_file',
      details: { expected: ['csv'] },
    });
    expect((await read(fixture('sgml-1252.ofx'), { format: 'ofx' })).format).toBe('ofx');
  });
});

test.each([
  ['SALDO ANTERIOR', true],
  ['S A L D O', true],
  ['Saldo do dia', true],
  ['SALDO EM 31/08/2026', true],
  ['SDO CTA/APL AUTOMATICAS', true],
  ['SALDO TOTAL DISPONÍVEL DIA', true],
  ['Saldo', true],
  ['SALDO DEVEDOR DO CARTAO', false],
  ['TRANSF SALDO C/SAL P/CC', false],
  ['SALDANHA COMERCIO', false],
  ['SOLDADOR', false],
])('PITFALLS 35: %s is a balance and no movement: %s', (text, expected) => {
  expect(isBalanceRow(text)).toBe(expected);
});

test.each([
  ['05/08/2026', 'dmy', '2026-08-05'],
  ['5/8/26', 'dmy', '2026-08-05'],
  ['05-08-2026 23:59', 'dmy', '2026-08-05'],
  ['2026-08-05T23:59:59Z', 'dmy', '2026-08-05'],
  ['08/05/2026', 'mdy', '2026-08-05'],
  ['20260805', 'ymd', '2026-08-05'],
  ['05082026', 'dmy', '2026-08-05'],
  ['31/02/2026', 'dmy', null],
  ['5/8/326', 'dmy', null],
  ['Total', 'dmy', null],
] as const)('PITFALLS 30: reads the date %s in the order %s as %s', (text, order, date) => {
  expect(csvDate(text, order)).toBe(date);
});

test('the order of dates is the one in which more of them are dates', () => {
  expect(dateOrderOf(['01/02/2026', '03/04/2026'])).toBe('dmy');
  expect(dateOrderOf(['01/02/2026', '03/14/2026'])).toBe('mdy');
  expect(dateOrderOf(['2026-01-02'])).toBe('ymd');
  expect(dateOrderOf(['20260102'])).toBe('ymd');
});
