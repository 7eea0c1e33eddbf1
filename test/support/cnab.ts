/** CNAB return files made for tests: records of the right length in Latin-1. */

export interface TestTitle {
  readonly ourNumber: string;
  readonly documentNumber?: string;
  readonly occurrence?: string;
  /** DDMMAAAA. */
  readonly on?: string;
  readonly creditedOn?: string;
  readonly face: number;
  readonly paid: number;
  readonly credited?: number;
  readonly fee?: number;
  readonly interest?: number;
  readonly discount?: number;
}

const digits = (value: number | string, length: number) => String(value).padStart(length, '0').slice(-length);

/** A record with these texts at these positions, counted from 1; spaces elsewhere. */
function record(length: number, parts: Readonly<Record<number, string>>): string {
  const cells = Array<string>(length).fill(' ');
  for (const [at, text] of Object.entries(parts)) {
    [...text].forEach((character, index) => {
      cells[Number(at) - 1 + index] = character;
    });
  }
  return cells.join('');
}

const asFile = (records: readonly string[]) => Buffer.from(`${records.join('\r\n')}\r\n`, 'latin1');

/** A CNAB 240 return of this bank with a T and a U record for each title. */
export function cnab240Return(
  bankCode: string,
  titles: readonly TestTitle[],
  changes: { name?: string } = {},
): Buffer {
  const name = (changes.name ?? 'AURORA COMÉRCIO LTDA').padEnd(30).slice(0, 30);
  const details = titles.flatMap((title, index) => {
    const on = title.on ?? '01102026';
    const t = record(240, {
      1: `${bankCode}00013`,
      9: digits(index * 2 + 1, 5),
      14: 'T',
      16: title.occurrence ?? '06',
      38: title.ourNumber.padEnd(20),
      59: (title.documentNumber ?? '').padEnd(15),
      74: on,
      82: digits(title.face, 15),
      199: digits(title.fee ?? 0, 15),
    });
    const u = record(240, {
      1: `${bankCode}00013`,
      9: digits(index * 2 + 2, 5),
      14: 'U',
      16: title.occurrence ?? '06',
      18: digits(title.interest ?? 0, 15),
      33: digits(title.discount ?? 0, 15),
      48: digits(0, 15),
      78: digits(title.paid, 15),
      93: digits(title.credited ?? title.paid, 15),
      138: on,
      146: title.creditedOn ?? on,
    });
    return [t, u];
  });
  return asFile([
    record(240, { 1: `${bankCode}00000`, 33: '1234567', 73: name, 143: '2', 144: '02102026', 158: '000042' }),
    record(240, { 1: `${bankCode}00011`, 9: 'T', 10: '01' }),
    ...details,
    record(240, { 1: `${bankCode}00015` }),
    record(240, { 1: `${bankCode}99999` }),
  ]);
}

/** A CNAB 400 return of this bank; `ourNumberAt` and `detail` as the bank's layout has them. */
export function cnab400Return(
  bankCode: string,
  titles: readonly TestTitle[],
  layout: { ourNumberAt: number; length: number; detail?: string } = { ourNumberAt: 63, length: 8 },
): Buffer {
  const details = titles.map((title, index) => {
    const on = title.on ?? '01102026';
    const short = on.slice(0, 4) + on.slice(6);
    return record(400, {
      1: layout.detail ?? '1',
      [layout.ourNumberAt]: digits(title.ourNumber, layout.length),
      109: title.occurrence ?? '06',
      111: short,
      117: (title.documentNumber ?? '').padEnd(10),
      147: short,
      153: digits(title.face, 13),
      176: digits(title.fee ?? 0, 13),
      228: digits(0, 13),
      241: digits(title.discount ?? 0, 13),
      254: digits(title.paid, 13),
      267: digits(title.interest ?? 0, 13),
      296: short,
      395: digits(index + 2, 6),
    });
  });
  return asFile([
    record(400, {
      1: '02RETORNO01COBRANÇA',
      27: '1234567',
      47: 'AURORA COMÉRCIO LTDA',
      77: bankCode,
      80: 'BANCO EXEMPLO',
      95: '021026',
      109: '00042',
      395: '000001',
    }),
    ...details,
    record(400, { 1: '9', 395: digits(titles.length + 2, 6) }),
  ]);
}
