import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createCategory, createCompany } from '../../../test/support/records.ts';
import {
  csvOf,
  importStatement,
  type Movement,
  ofxOf,
  previewStatement,
  statementFixture,
} from '../../../test/support/statements.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';

let world: World;
let companyId: string;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world);
});
afterAll(() => world.close());

const newAccount = (fields: object = {}) => createAccount(world, { company_id: companyId, ...fields });
const bringIn = (accountId: string, bytes: Buffer, more: object = {}, who: Who = 'owner') =>
  importStatement(world, accountId, bytes, more, who);
const preview = (accountId: string, bytes: Buffer, more: object = {}, who: Who = 'owner') =>
  previewStatement(world, accountId, bytes, more, who);
const linesOf = (accountId: string) =>
  world.look<Record<string, any>>(
    `select date, direction, amount_cents::float8 as cents, description, bank_reference, is_suspect, source, import_id
       from financial_transactions where account_id = $1 order by date, id`,
    [accountId],
  );
const shortOf = async (accountId: string) =>
  (await linesOf(accountId)).map(({ direction, cents, description }) => [direction, cents, description]);
const rent: Movement = { date: '2026-08-03', amount: '-100.00', text: 'Aluguel', reference: 'R1' };
const sale: Movement = { date: '2026-08-04', amount: '250.50', text: 'Venda', reference: 'R2' };

describe('importing a statement', () => {
  test('PITFALLS 37, PITFALLS 39: keeps the lines, the file, the counts and the closing balance', async () => {
    const accountId = await newAccount({ opening_balance_cents: 1 });
    const bytes = statementFixture('sgml-1252.ofx');
    const result = await bringIn(accountId, bytes);
    expect(result).toMatchObject({
      already_imported: false,
      counts: { read: 3, created: 3, duplicate: 0, skipped: 0 },
      import: {
        account_id: accountId,
        file_name: 'extrato.ofx',
        format: 'ofx',
        period_from: '2026-08-03',
        period_to: '2026-08-05',
        closing_balance: '835.26',
        closing_date: '2026-08-31',
        status: 'processed',
        skipped: [],
        column_map: null,
        version: 1,
      },
    });
    expect(result['import'].warnings).toEqual([
      {
        code: 'balance_differs',
        message: expect.any(String),
        date: '2026-08-31',
        stated: '835.26',
        computed: '835.27',
      },
    ]);
    expect(await shortOf(accountId)).toEqual([
      ['debit', 38_680, 'TOK & STOK MÓVEIS'],
      ['credit', 123_456, 'PIX RECEBIDO Fábrica Aurora Ltda'],
      ['debit', 1_250, 'TARIFA DE MANUTENÇÃO'],
    ]);
    const [attachment] = result['import'].attachments;
    expect(await world.call('finance_attachments_get', { attachment_id: attachment.id })).toMatchObject({
      size: bytes.length,
      sha256: result['import'].file_sha256,
      links: [{ kind: 'statement_import', id: result['import'].id }],
    });
    expect(
      await world.call('finance_financial_account_balances_latest', { account_id: accountId }),
    ).toMatchObject({
      amount: '835.26',
      source: 'statement',
      as_of: '2026-09-01T02:59:59Z',
      difference: '-0.01',
    });
    expect(await world.call('finance_statement_imports_get', { id: result['import'].id })).toEqual(
      result['import'],
    );
  });

  test('is one change on record for the import, whatever its lines', async () => {
    const accountId = await newAccount();
    const { import: made } = await bringIn(accountId, ofxOf([rent, sale]));
    const [event] = await world.look<{ body: string }>(
      `select body from events where operation = 'finance_statement_imports_create' order by position desc limit 1`,
    );
    const changes = JSON.parse(event!.body).changes;
    expect(changes.map(({ kind }: { kind: string }) => kind)).toEqual(['attachment', 'statement_import']);
    expect(changes[1]).toMatchObject({ id: made.id, before: null, after: { counts: { created: 2 } } });
  });

  test('PITFALLS 38: keeps accents, date and amount under a wrong declaration', async () => {
    const accountId = await newAccount({ opening_date: '2018-01-01' });
    await bringIn(accountId, statementFixture('utf8-declared-1252.ofx'));
    expect(await linesOf(accountId)).toMatchObject([
      { direction: 'credit', cents: 84_162, description: 'CR ANTECIPAÇÃO MASTERCARD' },
    ]);
    const list = await world.call('finance_financial_transactions_list', { account_id: accountId });
    expect(list['items'][0]).toMatchObject({
      date: '2018-05-02',
      amount: '841.62',
      bank_reference: 'N10017',
    });
  });

  test('PITFALLS 34: two files with identical rows give three lines; both again add none', async () => {
    const accountId = await newAccount();
    const fee = { amount: '-1.50', text: 'Tarifa', reference: 'X' };
    const august = ofxOf([{ date: '2026-08-30', ...fee }]);
    const september = ofxOf([
      { date: '2026-09-01', ...fee },
      { date: '2026-09-01', ...fee },
    ]);
    await bringIn(accountId, august);
    const before = await linesOf(accountId);
    expect((await bringIn(accountId, september))['counts']).toMatchObject({ created: 2, skipped: 0 });
    const three = await linesOf(accountId);
    expect(three).toHaveLength(3);
    expect(three[0]).toEqual(before[0]);
    await bringIn(accountId, august);
    await bringIn(accountId, Buffer.concat([september, Buffer.from('\n')]));
    expect(await linesOf(accountId)).toEqual(three);
  });

  test('PITFALLS 35: balance rows are skipped and listed, the rest is taken', async () => {
    const accountId = await newAccount({ opening_balance_cents: 100_000, opening_date: '2026-08-10' });
    const result = await bringIn(accountId, statementFixture('balance-rows.ofx'));
    expect(result).toMatchObject({
      counts: { read: 5, created: 2, duplicate: 0, skipped: 3 },
      import: {
        skipped: [1, 3, 5].map((line) => ({ line, reason: 'balance' })),
        skipped_reasons: { balance: 3 },
        warnings: [],
      },
    });
  });

  test('PITFALLS 36: the same reference in two accounts stays in both', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    for (const accountId of [one, other]) {
      expect((await bringIn(accountId, ofxOf([rent])))['counts'].created).toBe(1);
      expect(await linesOf(accountId)).toMatchObject([{ bank_reference: 'R1', is_suspect: false }]);
    }
  });

  test('the same reference with other content is taken and flagged', async () => {
    const accountId = await newAccount();
    await bringIn(accountId, ofxOf([rent]));
    await bringIn(accountId, ofxOf([{ ...rent, amount: '-100.01' }]));
    expect((await linesOf(accountId)).map(({ is_suspect }) => is_suspect)).toEqual([false, true]);
    const { items } = await world.call('finance_financial_transactions_list', { account_id: accountId });
    expect(items.filter(({ suspect }: { suspect: boolean }) => suspect)).toHaveLength(1);
  });

  test('PITFALLS 40: a CSV file, with what was read in which column', async () => {
    const accountId = await newAccount();
    const { import: made } = await bringIn(accountId, statementFixture('brazilian-numbers.csv'));
    expect(made).toMatchObject({
      format: 'csv',
      column_map: { delimiter: ',', date_format: 'ymd', decimal: ',' },
      warnings: [{ code: 'account_not_named' }],
    });
    expect((await linesOf(accountId)).map(({ cents }) => cents)).toEqual([
      33_432_757, 8_753_825_897, 11_070, 123_400,
    ]);
  });

  test('PITFALLS 42: a CNAB 240 statement, whose balances its lines must join', async () => {
    const accountId = await newAccount({ opening_balance_cents: 100_000, opening_date: '2026-08-01' });
    const bytes = statementFixture('extrato-cnab240.txt');
    expect(await bringIn(accountId, bytes, { format: 'cnab240' })).toMatchObject({
      counts: { read: 4, created: 2, skipped: 2 },
      import: { warnings: [], closing_balance: '2300.25' },
    });
    const text = bytes.toString('latin1').replace('000000000000020050D', '000000000000020051D');
    const { import: made } = await bringIn(await newAccount(), Buffer.from(text, 'latin1'));
    expect(made.warnings.map(({ code }: { code: string }) => code)).toEqual([
      'balance_differs',
      'does_not_add_up',
    ]);
  });

  test('tells whoever waits how far it is', async () => {
    const accountId = await newAccount();
    const many = Array.from({ length: 2_500 }, (_, index) => ({
      ...rent,
      text: `Linha ${index}`,
      reference: '',
    }));
    const steps: unknown[] = [];
    const { finance } = world.runtime.invokers;
    const outcome = await finance.call(
      finance.catalogue.byName.get('finance_statement_imports_create')!,
      { account_id: accountId, file: { name: 'a.csv', content_base64: csvOf(many).toString('base64') } },
      await world.caller('owner'),
      {
        surface: 'mcp',
        confirmation: { capabilities: undefined, state: undefined, responses: undefined },
        progress: (step) => steps.push(step),
      },
    );
    expect(outcome).toMatchObject({ kind: 'done', output: { counts: { created: 2_500 } } });
    expect(steps).toEqual([
      { done: 2_000, total: 2_500 },
      { done: 2_500, total: 2_500 },
    ]);
  });

  test('takes only the statement of the account out of a file of several', async () => {
    const accountId = await newAccount();
    const { import: made } = await bringIn(accountId, statementFixture('two-accounts.ofx'));
    expect(made).toMatchObject({ counts: { read: 2, created: 2 }, closing_balance: null, warnings: [] });
  });

  test('refuses a statement of another account unless it is wanted', async () => {
    const accountId = await newAccount();
    const bytes = ofxOf([rent], { account: '1' });
    await expect(bringIn(accountId, bytes)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'file' },
    });
    await expect(preview(accountId, bytes)).rejects.toMatchObject({ code: 'invalid_argument' });
    const { import: made } = await bringIn(accountId, bytes, { accept_other_account: true });
    expect(made).toMatchObject({ counts: { created: 1 }, warnings: [{ code: 'other_account' }] });
  });
});

describe('importing again', () => {
  test('the same file gives the same import and adds nothing', async () => {
    const accountId = await newAccount();
    const bytes = ofxOf([rent, sale], { closing: { date: '2026-08-31', amount: '150.50' } });
    const first = await bringIn(accountId, bytes);
    const balances = () => world.look('select id from account_balances where account_id = $1', [accountId]);
    const files = () =>
      world.look('select attachment_id from attachment_links where record_id = $1', [first['import'].id]);
    const again = await bringIn(accountId, bytes);
    expect(again).toEqual({
      already_imported: true,
      counts: { read: 2, created: 0, duplicate: 2, skipped: 0 },
      import: first['import'],
    });
    expect(await balances()).toHaveLength(1);
    expect(await files()).toHaveLength(1);
    expect(await linesOf(accountId)).toHaveLength(2);
  });

  test('of two that run at the same time one adds the lines', async () => {
    const accountId = await newAccount();
    const bytes = ofxOf([rent, sale]);
    const results = await Promise.all([bringIn(accountId, bytes), bringIn(accountId, bytes)]);
    expect(results.map(({ counts }) => counts.created).sort()).toEqual([0, 2]);
    expect(results[0]!['import'].id).toBe(results[1]!['import'].id);
    expect(await linesOf(accountId)).toHaveLength(2);
  });

  test('a longer export of the same days adds only what is new', async () => {
    const accountId = await newAccount();
    await bringIn(accountId, ofxOf([rent]));
    const { counts } = await bringIn(accountId, ofxOf([rent, sale]));
    expect(counts).toEqual({ read: 2, created: 1, duplicate: 1, skipped: 0 });
  });

  test('lines numbered anew are left out until a person accepts them by number', async () => {
    const accountId = await newAccount();
    await bringIn(accountId, ofxOf([rent, sale]));
    const [{ id: booked }] = (await world.look<{ id: string }>(
      `select id from financial_transactions where account_id = $1 and bank_reference = 'R1'`,
      [accountId],
    )) as [{ id: string }];
    const renumbered = ofxOf([
      { ...rent, reference: 'N1' },
      { ...sale, reference: 'N2' },
    ]);
    const seen = await preview(accountId, renumbered);
    expect(seen['counts']).toEqual({ read: 2, created: 0, duplicate: 0, skipped: 2 });
    expect(seen['probable_duplicates']).toMatchObject([
      { line: 1, like_transaction_id: booked, reason: 'probable_duplicate' },
      { line: 2 },
    ]);
    const first = await bringIn(accountId, renumbered);
    expect(first).toMatchObject({
      counts: { created: 0, skipped: 2 },
      import: { skipped_reasons: { probable_duplicate: 2 } },
    });
    const more = await bringIn(accountId, renumbered, { accept_suspects: [1] });
    expect(more).toMatchObject({
      already_imported: true,
      counts: { read: 2, created: 1, duplicate: 0, skipped: 1 },
      import: {
        id: first['import'].id,
        counts: { read: 2, created: 1, duplicate: 0, skipped: 1 },
        version: 2,
      },
    });
    expect(await bringIn(accountId, renumbered, { accept_suspects: [1] })).toMatchObject({
      counts: { created: 0, duplicate: 1, skipped: 1 },
      import: { version: 2 },
    });
    expect(await linesOf(accountId)).toHaveLength(3);
    await expect(bringIn(accountId, renumbered, { accept_suspects: [3] })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'accept_suspects' },
    });
  });

  test('the same bytes with other columns are refused: they would be other lines', async () => {
    const accountId = await newAccount();
    const bytes = Buffer.from('Data;Descrição;Valor;Crédito\n01/08/2026;Venda;10,00;20,00\n');
    const first = await bringIn(accountId, bytes);
    const columns = { date: 'Data', description: 'Descrição', amount: 'Crédito' };
    await expect(bringIn(accountId, bytes, { column_map: columns })).rejects.toMatchObject({
      code: 'duplicate_file',
      details: { import_id: first['import'].id },
    });
    expect(await linesOf(accountId)).toHaveLength(1);
  });

  test('an idempotency key gives the first answer again', async () => {
    const accountId = await newAccount();
    const bytes = ofxOf([rent]);
    const first = await bringIn(accountId, bytes, { idempotency_key: `once ${accountId}` });
    expect(await bringIn(accountId, bytes, { idempotency_key: `once ${accountId}` })).toEqual(first);
  });
});

describe('MODEL 14.9: closed books', () => {
  test('lines of closed months are left out, and taken from the same file once the books are open', async () => {
    const closed = await createCompany(world);
    const accountId = await newAccount({ company_id: closed });
    const close = (until: string | null) =>
      world.look('update companies set books_closed_until = $2 where id = $1', [closed, until]);
    await close('2026-07-31');
    const bytes = ofxOf([{ ...rent, date: '2026-07-31' }, sale, { ...sale, date: '2026-12-31' }]);
    const first = await bringIn(accountId, bytes);
    expect(first).toMatchObject({
      counts: { read: 3, created: 1, duplicate: 0, skipped: 2 },
      import: {
        skipped: [
          { line: 1, reason: 'books_closed' },
          { line: 3, reason: 'after_today' },
        ],
      },
    });
    await close(null);
    expect(await bringIn(accountId, bytes)).toMatchObject({
      already_imported: true,
      counts: { created: 1, duplicate: 1, skipped: 1 },
      import: { id: first['import'].id, counts: { read: 3, created: 2, duplicate: 0, skipped: 1 } },
    });
    await close('2026-08-31');
    expect((await bringIn(accountId, bytes))['counts']).toMatchObject({ created: 0, duplicate: 2 });
  });
});

describe('automatic rules', () => {
  test('classify what they match, with categories of the right kind', async () => {
    const accountId = await newAccount();
    const [income, expense] = [
      await createCategory(world, { kind: 'income' }),
      await createCategory(world, { kind: 'expense' }),
    ];
    for (const category_id of [expense, income]) {
      await world.call('finance_automatic_rules_create', {
        pattern: 'posto',
        match: 'contains',
        scope: 'transactions',
        set: { category_id },
      });
    }
    await bringIn(
      accountId,
      ofxOf([
        { ...rent, text: 'POSTO AURORA' },
        { ...sale, text: 'Pôsto Aurora estorno' },
        { ...sale, text: 'Outro' },
      ]),
    );
    const rows = await world.look(
      'select category_id, classified_by from financial_transactions where account_id = $1 order by date, id',
      [accountId],
    );
    expect(rows).toEqual([
      { category_id: expense, classified_by: 'rule' },
      { category_id: income, classified_by: 'rule' },
      { category_id: null, classified_by: null },
    ]);
  });
});

describe('the preview', () => {
  test('shows the lines in parts, with what becomes of each, and saves nothing', async () => {
    const accountId = await newAccount({ opening_date: '2026-08-04' });
    await bringIn(accountId, ofxOf([sale]));
    const bytes = ofxOf([rent, sale, { ...sale, amount: '1,00', reference: 'R3' }], {
      closing: { date: '2026-08-31', amount: '251.50' },
    });
    const first = await preview(accountId, bytes, { limit: 2 });
    expect(first).toMatchObject({
      format: 'ofx',
      currency: 'BRL',
      period_from: '2026-08-03',
      period_to: '2026-08-04',
      counts: { read: 3, created: 1, duplicate: 1, skipped: 1 },
      lines: [
        { line: 1, outcome: 'skipped', reason: 'before_opening' },
        { line: 2, outcome: 'duplicate', amount: '250.50', direction: 'credit' },
      ],
      next_line: 3,
      closing: { balance: '251.50', book_balance: '251.50', difference: '0.00' },
      warnings: [],
    });
    const second = await preview(accountId, bytes, { limit: 2, from_line: first['next_line'] });
    expect(second).toMatchObject({ lines: [{ line: 3, outcome: 'new', amount: '1.00' }], next_line: null });
    expect(await linesOf(accountId)).toHaveLength(1);
    expect(await world.look('select from statement_imports where account_id = $1', [accountId])).toHaveLength(
      1,
    );
  });

  test('MODEL 14.7: says of every file, row for row, what the import then does; overlapping files are their union', async () => {
    const all: Movement[] = Array.from({ length: 12 }, (_, index) => ({
      date: `2026-08-0${1 + Math.floor(index / 3)}`,
      amount: index % 2 === 0 ? '-1.50' : '20,00',
      text: index % 3 === 0 ? 'Tarifa' : 'Venda',
      ...(index % 4 === 0 && { reference: `F${index}` }),
    }));
    const windows = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 12 })), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(windows, fc.boolean(), async (some, isCsv) => {
        const accountId = await newAccount();
        const wanted = new Set<Movement>();
        for (const [day, end] of some) {
          const part = all.slice(day * 3, end);
          if (part.length === 0) continue;
          for (const movement of part) wanted.add(movement);
          const bytes = isCsv ? csvOf(part) : ofxOf(part);
          const seen = await preview(accountId, bytes);
          const made = await bringIn(accountId, bytes);
          const news = seen['lines'].filter(({ outcome }: { outcome: string }) => outcome === 'new');
          expect(made['counts']).toEqual(seen['counts']);
          expect(made['counts']).toMatchObject({ created: news.length, skipped: 0 });
        }
        const found = (await linesOf(accountId)).map(({ cents, description }) => `${cents} ${description}`);
        const expected = [...wanted].map(({ amount, text }) => `${amount === '20,00' ? 2_000 : 150} ${text}`);
        expect(found.sort()).toEqual(expected.sort());
      }),
      { numRuns: 8 },
    );
  }, 60_000);
});

describe('is refused', () => {
  const traces = async () =>
    (
      await world.look(
        `select (select count(*) from attachments) as files, (select count(*) from statement_imports) as imports,
                (select count(*) from financial_transactions) as lines`,
      )
    )[0];

  test.each<[string, Buffer, object, string]>([
    ['a file that ends half-way', statementFixture('truncated.ofx'), {}, 'invalid_argument'],
    ['a spreadsheet named .ofx', Buffer.from('PK\x03\x04<OFX></OFX>', 'latin1'), {}, 'unsupported_file'],
    ['a file of another format than stated', csvOf([rent]), { format: 'ofx' }, 'unsupported_file'],
    ['CSV without known columns', statementFixture('many-columns.csv'), {}, 'unsupported_file'],
    ['an unknown column', csvOf([rent]), { column_map: { date: 'data', amount: 'x' } }, 'invalid_argument'],
    ['columns without a date', csvOf([rent]), { column_map: { amount: 'valor' } }, 'invalid_argument'],
    ['an unknown field', csvOf([rent]), { column_map: { data: 'data' } }, 'invalid_argument'],
    ['a line number that is none', csvOf([rent]), { accept_suspects: [0] }, 'invalid_argument'],
    ['above 10 MiB', Buffer.alloc(10_485_761, ';'), {}, 'file_too_large'],
  ])('and leaves nothing behind: %s', async (_what, bytes, more, code) => {
    const accountId = await newAccount();
    const before = await traces();
    await expect(bringIn(accountId, bytes, more)).rejects.toMatchObject({ code });
    expect(await traces()).toEqual(before);
  });

  test('for an account that is not in use, of another workspace, or nobody has', async () => {
    const inactive = await newAccount({ active: false });
    await expect(bringIn(inactive, ofxOf([rent]))).rejects.toMatchObject({ code: 'invalid_state' });
    const elsewhere = await newAccount({
      company_id: await createCompany(world, { workspaceId: world.otherWorkspaceId }),
      workspaceId: world.otherWorkspaceId,
    });
    for (const call of [bringIn, preview]) {
      await expect(call(elsewhere, ofxOf([rent]))).rejects.toMatchObject({ code: 'not_found' });
    }
    const accountId = await newAccount();
    for (const call of [bringIn, preview]) {
      await expect(call(accountId, ofxOf([rent]), {}, 'stranger')).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });

  test('to a connection that may only read, and to a role that may not; both may preview', async () => {
    const accountId = await newAccount();
    await expect(bringIn(accountId, ofxOf([rent]), {}, 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(bringIn(accountId, ofxOf([rent]), {}, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
    for (const who of ['reader', 'viewer'] as const) {
      expect((await preview(accountId, ofxOf([rent]), {}, who))['counts'].created).toBe(1);
    }
  });
});

describe('imports', () => {
  test('are listed by account and status, page by page, and hidden from others', async () => {
    const accountId = await newAccount();
    const made: string[] = [];
    for (const amount of ['-1.00', '-2.00', '-3.00']) {
      made.push((await bringIn(accountId, ofxOf([{ ...rent, amount, reference: amount }])))['import'].id);
    }
    const list = (args: object = {}, who: Who = 'owner') =>
      world.call('finance_statement_imports_list', { account_id: accountId, ...args }, who);
    const ids = ({ items }: Record<string, any>) => items.map(({ id }: { id: string }) => id);
    const first = await list({ limit: 2, sort: 'created_at' });
    const second = await list({ limit: 2, sort: 'created_at', cursor: first['next_cursor'] });
    expect([...ids(first), ...ids(second)].sort()).toEqual(made.toSorted());
    expect(second['next_cursor']).toBeNull();
    expect(ids(await list({ status: 'reverted' }))).toEqual([]);
    expect(ids(await list({}, 'stranger'))).toEqual([]);
    await expect(
      world.call('finance_statement_imports_get', { id: made[0] }, 'stranger'),
    ).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'statement_import' },
    });
  });
});
