import { createHash } from 'node:crypto';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCharge, createDebtor } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import type { Context } from '../../core/operation.ts';
import { resources } from './index.ts';

const terms = {
  discounts: [],
  fine: { kind: 'percent', percent: 20_000 },
  interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
  graceDays: 0,
};

let world: World;
let debtor: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  await world.call('dunning_settings_update', {
    creditor: {
      legal_name: 'Escola Aurora de Educação Ltda.',
      document_number: '11222333000181',
      address: 'Rua das Flores, 100, São Paulo/SP',
      email: 'cobranca@aurora.example.com',
    },
  });
  debtor = await createDebtor(world, {
    name: 'Maria da Conceição Araújo',
    kind: 'natural',
    document_number: '52998224725',
    email: 'maria@example.com',
  });
});
afterAll(() => world.close());

/** The document of a resource, as a client that asked for it gets it. */
async function read(uri: string, id: string): Promise<Buffer> {
  const resource = resources.find((known) => known.uri === uri)!;
  const operation = world.runtime.invokers.dunning.catalogue.byName.get(resource.operation)!;
  const caller = await world.caller('owner');
  const file = await world.runtime.invokers.dunning.readAs(operation, { id }, caller, 'resource', (context) =>
    resource.file!(context as Context, { id }),
  );
  expect(file.contentType).toBe('application/pdf');
  return file.bytes;
}

async function textOf(bytes: Buffer): Promise<{ pages: number; text: string }> {
  const { totalPages, text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), {
    mergePages: true,
  });
  // The number of pages is a text of its own, which the reader of this test joins to the one before.
  return { pages: totalPages, text: text.replace(/ de(?=\d+(\s|$))/g, ' de ') };
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const brl = (amount: string) => amount.replace('.', ',').replace(/\B(?=(\d{3})+,)/g, '.');

const pay = (charge_id: string, amount: string, paid_at: string, fields: object = {}) =>
  world.call('dunning_payments_create', { charge_id, amount, paid_at, method: 'pix', ...fields });

describe('the statement', () => {
  const uri = 'kobana://dunning/people/{id}/statement-pdf';
  const describeIt = (id: string, fields: object = {}) =>
    world.call('dunning_people_statement_pdf', { id, ...fields });

  test('says of every charge what the tools say, and adds them up to the centavo', async () => {
    const charges = [
      await createCharge(world, { person_id: debtor, amount_cents: 123_456, due_date: '2026-08-03', terms }),
      await createCharge(world, { person_id: debtor, amount_cents: 50_000, due_date: '2026-09-01', terms }),
      await createCharge(world, {
        person_id: debtor,
        amount_cents: 7_001,
        due_date: '2026-11-03',
        status: 'pending',
      }),
    ];
    await pay(charges[0]!, '300.00', '2026-09-10');
    await pay(charges[1]!, '520.00', '2026-09-20');
    const canceled = await createCharge(world, {
      person_id: debtor,
      amount_cents: 999,
      due_date: '2026-09-02',
    });
    await world.look("update dunning_charges set status = 'canceled', open_cents = 0 where id = $1", [
      canceled,
    ]);

    const described = await describeIt(debtor);
    const bytes = await read(uri, debtor);
    expect(described).toMatchObject({
      content_type: 'application/pdf',
      size: bytes.length,
      sha256: sha256(bytes),
      resource_uri: `kobana://dunning/people/${debtor}/statement-pdf`,
      as_of: '2026-10-01',
      charges: 4,
      agreements_due: '0.00',
    });
    const { pages, text } = await textOf(bytes);
    expect(pages).toBe(described['pages']);
    let open = 0;
    for (const id of charges) {
      const { amount, amount_due, due_date } = await world.call('dunning_charges_get', { id });
      const day = due_date.split('-').reverse().join('/');
      const row = text.slice(text.indexOf(day));
      expect(row).toContain(brl(amount));
      expect(row).toContain(brl(amount_due));
      open += Math.round(Number(amount_due) * 100);
    }
    expect(described).toMatchObject({
      open_due: (open / 100).toFixed(2),
      total_due: (open / 100).toFixed(2),
    });
    for (const said of [
      'Escola Aurora de Educação Ltda.',
      'CNPJ 11.222.333/0001-81 - cobranca@aurora.example.com',
      'Extrato de débitos',
      'Maria da Conceição Araújo - CPF 529.982.247-25',
      'Pagamento de R$ 300,00 em 10/09/2026, Pix: juros ',
      'pago a mais',
      'cancelada',
      `R$ ${brl(described['total_due'])}`,
      'Emitido em 01/10/2026',
      'Página 1 de 1',
    ]) {
      expect(text).toContain(said);
    }
    expect(text).not.toContain('maria@example.com');
  });

  test('of another day has the amounts of that day and no resource', async () => {
    const person = await createDebtor(world, { name: 'De outro dia' });
    const charge = await createCharge(world, { person_id: person, due_date: '2026-09-01', terms });
    await pay(charge, '102.63', '2026-09-20');
    const past = await describeIt(person, { as_of: '2026-09-19' });
    const balance = await world.call('dunning_charges_balance', { id: charge, as_of: '2026-09-19' });
    expect(past).toMatchObject({ as_of: '2026-09-19', resource_uri: null });
    expect(Number(past['total_due'])).toBeGreaterThan(102);
    expect(JSON.stringify(balance)).toContain(`"${past['total_due']}"`);
    expect(await describeIt(person)).toMatchObject({ total_due: '0.00', charges: 1 });
  });

  test('counts the installments of an agreement instead of the charges in it', async () => {
    const person = await createDebtor(world, { name: 'Acordada Ltda' });
    const charge = await createCharge(world, {
      person_id: person,
      amount_cents: 30_000,
      due_date: '2026-09-01',
    });
    const loose = await createCharge(world, {
      person_id: person,
      amount_cents: 5_000,
      due_date: '2026-09-01',
    });
    const proposal = await world.call('dunning_agreements_create', {
      person_id: person,
      charge_ids: [charge],
      negotiated_total: '270.00',
      plan: { installments: 3, first_due_date: '2026-10-20' },
      valid_until: '2026-10-10',
    });
    expect(await describeIt(person)).toMatchObject({ agreements_due: '0.00', total_due: '350.00' });
    await world.call('dunning_agreements_accept', { id: proposal['id'], accepted_by: 'Sócia' });
    const { text } = await textOf(await read(uri, person));
    expect(await describeIt(person)).toMatchObject({
      open_due: '50.00',
      agreements_due: '270.00',
      total_due: '320.00',
      charges: 2,
    });
    expect(text).toContain('no acordo');
    expect(text).toContain('3 parcelas');
    expect(loose).not.toBe(charge);
  });

  test('is the same file all day, and no one else reads it', async () => {
    const first = await read(uri, debtor);
    world.setNow('2026-10-01T20:00:00Z');
    expect((await read(uri, debtor)).equals(first)).toBe(true);
    world.setNow('2026-10-01T12:00:00Z');
    await expect(
      world.call('dunning_people_statement_pdf', { id: debtor }, 'stranger'),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await world.call('dunning_people_statement_pdf', { id: debtor }, 'viewer')).toMatchObject({
      charges: 4,
    });
    await expect(describeIt(debtor, { as_of: '2026-13-01' })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  test('goes over as many pages as it takes, each with its number and the head of the table', async () => {
    const person = await createDebtor(world, { name: 'Muitas Ltda' });
    await world.look(
      `insert into dunning_charges (organization_id, id, person_id, amount_cents, open_cents, due_date, adjusted_due_date,
                                    description, status, search_text, created_by)
       select $1, uuid_v7(), $2, 1000 + n, 1000 + n, '2026-09-01'::date - n % 300, '2026-09-01'::date, 'Parcela ' || n,
              'overdue', '', $1
         from generate_series(1, 450) n`,
      [world.organizationId, person],
    );
    const { pages, text } = await textOf(await read(uri, person));
    const described = await describeIt(person);
    expect(pages).toBeGreaterThan(10);
    expect(described).toMatchObject({ pages, charges: 450, total_due: '5514.75' });
    for (let page = 1; page <= pages; page += 1) expect(text).toContain(`Página ${page} de ${pages}`);
    expect(text.match(/Vencimento\s+Descrição/g)!.length).toBeGreaterThanOrEqual(pages - 1);
    for (let n = 1; n <= 450; n += 1) expect(text).toContain(`Parcela ${n}`);
  });

  test('of nobody who owes says so', async () => {
    const person = await createDebtor(world, { name: 'Sem dívidas Őrség 漢字' });
    const { text } = await textOf(await read(uri, person));
    expect(text).toContain('Nenhuma cobrança.');
    expect(text).toContain('Sem dívidas Orség ??');
    expect(await describeIt(person)).toMatchObject({ charges: 0, total_due: '0.00' });
  });
});

describe('the settlement letter', () => {
  const uri = 'kobana://dunning/charges/{id}/settlement-pdf';

  test('is for paid charges only, and says what was paid', async () => {
    const charge = await createCharge(world, { person_id: debtor, due_date: '2026-09-01', terms });
    await expect(world.call('dunning_charges_settlement_pdf', { id: charge })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'overdue', allowed: ['paid'] },
    });
    await expect(read(uri, charge)).rejects.toMatchObject({ code: 'invalid_state' });
    await pay(charge, '102.63', '2026-09-20');
    const described = await world.call('dunning_charges_settlement_pdf', { id: charge });
    const bytes = await read(uri, charge);
    expect(described).toMatchObject({
      file_name: `quitacao-${charge}.pdf`,
      size: bytes.length,
      pages: 1,
      sha256: sha256(bytes),
      resource_uri: `kobana://dunning/charges/${charge}/settlement-pdf`,
    });
    const { text } = await textOf(bytes);
    const { amount, paid_on } = await world.call('dunning_charges_get', { id: charge });
    expect(paid_on).toBe('2026-09-20');
    for (const said of [
      'Carta de quitação',
      'foi integralmente quitada em 20/09/2026',
      'CPF 529.982.247-25',
      `R$ ${brl(amount)}`,
      'R$ 2,00',
      'R$ 0,63',
      'R$ 102,63',
      'Página 1 de 1',
    ]) {
      expect(text.replace(/\s+/g, ' ')).toContain(said);
    }
    await expect(
      world.call('dunning_charges_settlement_pdf', { id: charge }, 'stranger'),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

test('the settlement letter of a charge that an agreement paid names the agreement and what it took off', async () => {
  const person = await createDebtor(world, { name: 'Cumpridora Ltda' });
  const charge = await createCharge(world, {
    person_id: person,
    amount_cents: 10_000,
    due_date: '2026-09-01',
  });
  const { id, schedule } = await world.call('dunning_agreements_create', {
    person_id: person,
    charge_ids: [charge],
    negotiated_total: '90.00',
    installments: [{ due_date: '2026-10-20', amount: '90.00' }],
    valid_until: '2026-10-10',
  });
  await world.call('dunning_agreements_accept', { id, accepted_by: 'Sócia' });
  const payment = {
    installment_id: schedule[0].id,
    amount: '90.00',
    paid_at: '2026-10-01',
    method: 'boleto',
  };
  await world.call('dunning_payments_create', payment);
  const { text } = await textOf(await read('kobana://dunning/charges/{id}/settlement-pdf', charge));
  for (const said of [
    'pelo cumprimento do acordo aceito em 01/10/2026',
    'Descontos R$ 10,00',
    'Total pago R$ 90,00',
    '01/10/2026 parcela de acordo 90,00 90,00',
  ]) {
    expect(text.replace(/\s+/g, ' ')).toContain(said);
  }
  const statement = await textOf(await read('kobana://dunning/people/{id}/statement-pdf', person));
  expect(statement.text).toContain('Pagamento de R$ 90,00 em 01/10/2026, parcela de acordo');
});

describe('the term of an agreement', () => {
  test('is a proposal until it is accepted, and adds up', async () => {
    const person = await createDebtor(world, { name: 'Contratante Ltda' });
    const ids = [
      await createCharge(world, { person_id: person, amount_cents: 100_000, due_date: '2026-08-03', terms }),
      await createCharge(world, { person_id: person, amount_cents: 55_555, due_date: '2026-09-01', terms }),
    ];
    const proposal = await world.call('dunning_agreements_create', {
      person_id: person,
      charge_ids: ids,
      negotiated_total: '1500.00',
      plan: { installments: 7, first_due_date: '2026-10-20' },
      valid_until: '2026-10-10',
    });
    const id = proposal['id'];
    const uri = 'kobana://dunning/agreements/{id}/pdf';
    const first = await textOf(await read(uri, id));
    expect(first.text).toContain('Proposta de acordo');
    expect(first.text).toContain('Esta proposta vale até 10/10/2026');
    await world.call('dunning_agreements_accept', { id, accepted_by: 'Sócia da Silva' });
    const bytes = await read(uri, id);
    expect(await world.call('dunning_agreements_pdf', { id })).toMatchObject({
      size: bytes.length,
      sha256: sha256(bytes),
      resource_uri: `kobana://dunning/agreements/${id}/pdf`,
    });
    const { text } = await textOf(bytes);
    const detail = await world.call('dunning_agreements_get', { id });
    for (const said of [
      'Termo de acordo',
      '01/10/2026, por Sócia da Silva',
      `R$ ${brl(detail['original_total'])}`,
      `R$ ${brl(detail['discount'])}`,
      'R$ 1.500,00',
      'por mais de 15 dias desfaz o acordo: o desconto se perde',
    ]) {
      expect(text.replace(/\s+/g, ' ')).toContain(said);
    }
    for (const { number, due_date, amount } of detail['schedule']) {
      expect(text).toContain(`${number} de 7`);
      expect(text).toContain(due_date.split('-').reverse().join('/'));
      expect(text).toContain(brl(amount));
    }
    for (const share of detail['charges']) {
      for (const part of ['principal', 'interest', 'fine', 'discount', 'negotiated']) {
        expect(text).toContain(brl(share[part]));
      }
    }
    await expect(world.call('dunning_agreements_pdf', { id }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('the letter of consent', () => {
  test('is for a protested title that was paid, and comes with its bytes', async () => {
    const charge = await createCharge(world, {
      person_id: debtor,
      amount_cents: 20_000,
      due_date: '2026-08-03',
    });
    const id = newId();
    await world.look(
      `insert into dunning_protests (organization_id, id, charge_id, person_id, title_kind, amount_cents, debt_due_date,
                                     status, requested_by, notary, protocol, protested_on, created_by)
       values ($1, $2, $3, $4, 'DMI', 20000, '2026-08-03', 'notified', $1, $5, 'P-77', '2026-09-10', $1)`,
      [
        world.organizationId,
        id,
        charge,
        debtor,
        JSON.stringify({ name: '2º Tabelionato de Protesto', city: 'São Paulo', state: 'SP' }),
      ],
    );
    const call = () => world.call('dunning_protests_consent_pdf', { id });
    await expect(call()).rejects.toMatchObject({ code: 'invalid_state', details: { from: 'notified' } });
    await world.look("update dunning_protests set status = 'protested' where id = $1", [id]);
    await expect(call()).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'overdue', allowed: ['paid'] },
    });
    await pay(charge, '200.00', '2026-09-25');
    const letter = await call();
    const bytes = Buffer.from(letter['content_base64'], 'base64');
    expect(letter).toMatchObject({ size: bytes.length, pages: 1, sha256: sha256(bytes) });
    const { text } = await textOf(bytes);
    for (const said of [
      'Carta de anuência',
      'tendo recebido integralmente, em 25/09/2026, o valor devido',
      'art. 26, § 1º, da Lei nº 9.492/97',
      'DMI - duplicata mercantil por indicação',
      '2º Tabelionato de Protesto - São Paulo/SP',
      'P-77',
      'R$ 200,00',
    ]) {
      expect(text.replace(/\s+/g, ' ')).toContain(said);
    }
    await expect(world.call('dunning_protests_consent_pdf', { id }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
