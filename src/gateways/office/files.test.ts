import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../core/ids.ts';
import { createBureauFiles } from '../bureau/index.ts';
import { createNotaryFiles } from '../notary/index.ts';
import { OfficeUnreachable } from './port.ts';

const now = new Date('2026-10-05T15:00:00Z');
const organizationId = newId();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offices-'));
});
afterEach(() => rm(folder, { recursive: true }));

const placeOf = (...rest: string[]) => join(folder, organizationId, ...rest);
const query = { organizationId, now, waiting: [] };
const creditor = { name: 'Credora Ltda', documentNumber: '11222333000181' };
const debtor = {
  name: 'Devedora Ltda',
  kind: 'legal' as const,
  documentNumber: '12ABC34501DE35',
  address: {
    street: 'Rua A',
    number: '1',
    complement: null,
    district: null,
    city: 'Santos',
    state: 'SP',
    postalCode: '11010000',
  },
};
const registration = () => ({
  key: newId(),
  actionKey: newId(),
  organizationId,
  bureau: 'serasa' as const,
  amount: 123_456,
  debtDueDate: '2026-08-03',
  contractNumber: 'NF-1',
  expiresOn: '2031-08-03',
  notice: { channel: 'letter', endsOn: '2026-10-02' },
  creditor,
  debtor,
});

async function leave(name: string, ...lines: (object | string)[]): Promise<void> {
  await mkdir(placeOf('incoming'), { recursive: true });
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  await writeFile(placeOf('incoming', name), text);
}

describe('requests', () => {
  it('are one file of one line each, with the amount as text and the key as the name', async () => {
    const bureau = createBureauFiles({ folder });
    const request = registration();
    expect(await bureau.register(request, now)).toEqual({ reference: null });
    const text = await readFile(placeOf('outgoing', `${request.key}.jsonl`), 'utf8');
    expect(text.endsWith('}\n')).toBe(true);
    expect(JSON.parse(text)).toEqual({
      version: 1,
      key: request.key,
      command: 'register',
      written_at: '2026-10-05T15:00:00.000Z',
      action_id: request.actionKey,
      bureau: 'serasa',
      amount: '1234.56',
      debt_due_date: '2026-08-03',
      contract_number: 'NF-1',
      expires_on: '2031-08-03',
      notice: { channel: 'letter', ends_on: '2026-10-02' },
      creditor: { name: 'Credora Ltda', document_number: '11222333000181' },
      debtor: {
        name: 'Devedora Ltda',
        kind: 'legal',
        document_number: '12ABC34501DE35',
        address: {
          street: 'Rua A',
          number: '1',
          complement: null,
          district: null,
          city: 'Santos',
          state: 'SP',
          postal_code: '11010000',
        },
      },
    });
  });

  it('written again under their key are there once, and are found by it, sent or not', async () => {
    const bureau = createBureauFiles({ folder });
    const request = registration();
    const { key } = request;
    expect(await bureau.find({ organizationId, key })).toEqual({ state: 'absent' });
    await bureau.register(request, now);
    await bureau.register(request, now);
    expect(await readdir(placeOf('outgoing'))).toEqual([`${key}.jsonl`]);
    expect(await bureau.find({ organizationId, key })).toEqual({ state: 'taken', reference: null });
    await mkdir(placeOf('outgoing', 'sent'));
    await writeFile(
      placeOf('outgoing', 'sent', `${key}.jsonl`),
      await readFile(placeOf('outgoing', `${key}.jsonl`)),
    );
    await rm(placeOf('outgoing', `${key}.jsonl`));
    expect(await bureau.find({ organizationId, key })).toEqual({ state: 'taken', reference: null });
  });

  it('that cannot be written surely did not arrive', async () => {
    await writeFile(join(folder, organizationId), 'not a folder');
    const bureau = createBureauFiles({ folder });
    await expect(bureau.register(registration(), now)).rejects.toBeInstanceOf(OfficeUnreachable);
  });

  it('a title carries its document; what takes it back carries its protocol', async () => {
    const notary = createNotaryFiles({ folder });
    const base = { organizationId, actionKey: newId() };
    const sent = { ...base, key: newId() };
    await notary.send(
      {
        ...sent,
        titleKind: 'DM',
        amount: 500,
        debtDueDate: '2026-08-03',
        titleNumber: 'NF-1',
        creditor,
        debtor,
        document: { name: 'a.pdf', contentType: 'application/pdf', sha256: 'ab', base64: 'JVBERi0=' },
      },
      now,
    );
    const withdrawal = { ...base, key: newId() };
    const change = { protocol: 'P1', reference: null, debtorDocument: null, creditor: null, reason: 'paid' };
    await notary.withdraw({ ...withdrawal, ...change }, now);
    const read = async (key: string) =>
      JSON.parse(await readFile(placeOf('outgoing', `${key}.jsonl`), 'utf8'));
    expect(await read(sent.key)).toMatchObject({
      command: 'send',
      amount: '5.00',
      document: { content: 'JVBERi0=', content_type: 'application/pdf' },
    });
    expect(await read(withdrawal.key)).toMatchObject({ command: 'withdraw', protocol: 'P1', reason: 'paid' });
  });
});

describe('answers', () => {
  const line = (change: object = {}) => ({
    version: 1,
    report_id: 'r1',
    key: newId(),
    at: '2026-10-06T10:00:00-03:00',
    status: 'registered',
    ...change,
  });

  it('are read in the order of the files and told again until they are forgotten', async () => {
    const bureau = createBureauFiles({ folder });
    const [first, second] = [
      line({ reference: 'S1' }),
      line({ status: 'refused', reason: 'CNPJ divergente' }),
    ];
    await leave('2.jsonl', second);
    await leave('1.jsonl', first, '');
    await leave('.being-written.jsonl', line());
    await leave('notes.txt', 'x');
    const { answers } = await bureau.collect(query);
    expect(answers).toEqual([
      {
        reportId: 'r1',
        key: first.key,
        at: new Date('2026-10-06T13:00:00Z'),
        status: 'registered',
        reference: 'S1',
        reason: null,
      },
      expect.objectContaining({ key: second.key, status: 'refused', reason: 'CNPJ divergente' }),
    ]);
    const again = await bureau.collect(query);
    expect(again.answers).toEqual(answers);
    await again.forget();
    expect((await bureau.collect(query)).answers).toEqual([]);
    expect((await readdir(placeOf('incoming', 'read'))).sort()).toEqual(['1.jsonl', '2.jsonl']);
  });

  it('that nobody understands keep nothing back and are left for a person', async () => {
    const bureau = createBureauFiles({ folder });
    const good = line();
    const bad = [
      '{"version":1',
      'null',
      JSON.stringify(line({ status: 'shown' })),
      JSON.stringify(line({ version: 2 })),
    ];
    await leave('1.jsonl', ...bad, good);
    const { answers, forget } = await bureau.collect(query);
    expect(answers.map(({ key }) => key)).toEqual([good.key]);
    await forget();
    expect(await readFile(placeOf('incoming', 'rejected', '1.jsonl'), 'utf8')).toBe(`${bad.join('\n')}\n`);
  });

  it('of a notary office carry days, costs and what was paid', async () => {
    const notary = createNotaryFiles({ folder });
    const answer = line({
      status: 'paid_at_notary',
      on: '2026-10-06',
      notary: { name: '1º Tabelionato', city: 'Santos', state: 'SP' },
      protocol: 'P1',
      paid_amount: '100.00',
      costs: { amount: '84.50', paid_by: 'debtor' },
    });
    await leave('1.jsonl', answer, { ...answer, on: '2026-02-30' }, { ...answer, paid_amount: '-1' });
    const { answers } = await notary.collect(query);
    expect(answers).toMatchObject([
      {
        status: 'paid_at_notary',
        on: '2026-10-06',
        protocol: 'P1',
        noticeKind: null,
        paidAmount: 10_000,
        costs: { amount: 8_450, paidBy: 'debtor' },
      },
    ]);
  });

  it('of another organization are not told, and no name leaves the folder', async () => {
    const bureau = createBureauFiles({ folder });
    await leave('1.jsonl', line());
    expect((await bureau.collect({ ...query, organizationId: newId() })).answers).toEqual([]);
    await expect(bureau.collect({ ...query, organizationId: '../other' })).rejects.toThrow(TypeError);
    await expect(bureau.find({ organizationId, key: '../../etc/passwd' })).rejects.toThrow(TypeError);
  });
});
