/** Confirmations end to end: the real tools, the real ledger, the raw wire, and two processes at once. */

import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { collectAnswers } from '../support/answers.ts';
import { createBill, createPayer, createSupplier, type Payer } from '../support/banking.ts';
import { ask, call, confirm, errorOf, outputOf, questionOf } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { type ServeProcess, startServe } from '../support/processes.ts';
import {
  CAPABILITIES_KEY,
  callOf,
  createRawClient,
  type RawClient,
  VERSION_KEY,
} from '../support/raw-client.ts';
import { formCapable, openWorld, type World } from '../support/world.ts';

const SEND = 'finance_payables_send_to_bank';
const CANCEL = 'finance_payables_cancel';
const OLD_KEY = 'the key before a rotation of thirty-two bytes or more';
const NEW_KEY = 'the key after a rotation of thirty-two bytes or more';

const answers = collectAnswers();
let world: World;
let payer: Payer;
let server: HttpServer;
let client: RawClient;

beforeAll(async () => {
  world = await openWorld({ poolSize: 8 });
  payer = await createPayer(world);
  server = await openServer(world);
  client = server.client('owner', answers);
});
afterAll(async () => {
  await server.close();
  await world.close();
});
// Questions are limited to thirty a minute for one person and tool, so each test has its own minutes.
let day = 0;
beforeEach(() => {
  day += 1;
  world.setNow(`2026-10-${String(day).padStart(2, '0')}T12:00:00Z`);
});

const newBill = (fields: Parameters<typeof createBill>[2] = {}) => createBill(world, payer, fields);
const sendArgs = (id: string) => ({ id, account_id: payer.accountId });

/** What sending a bill leaves behind: the orders, and the events that made one, oldest first. */
async function effectsOf(payableId: string): Promise<{ orders: number; events: string[] }> {
  const [row] = await world.look<{ orders: string }>(
    'select count(*) as orders from payments where payable_id = $1',
    [payableId],
  );
  const events = await world.look<{ outcome: string }>(
    `select body::jsonb->>'outcome' as outcome from events
      where operation = $1 and body like '%' || $2 || '%' order by position`,
    [SEND, payableId],
  );
  return { orders: Number(row!.orders), events: events.map(({ outcome }) => outcome) };
}

const sentOnce = { orders: 1, events: ['done'] };
const nothing = { orders: 0, events: [] };

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error('it did not happen within ten seconds');
    await wait(20);
  }
}

describe('a yes on the wire', () => {
  test('CF-01 CF-40 CF-60: runs the action once; the same yes again runs nothing and says so', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    expect(await effectsOf(id)).toEqual(nothing);
    const payment = outputOf(await confirm(client, SEND, sendArgs(id), state));
    expect(payment).toMatchObject({ payable_id: id, amount: '1234.56', status: 'pending' });
    expect(errorOf(await confirm(client, SEND, sendArgs(id), state)).code).toBe('confirmation_replayed');
    expect(await effectsOf(id)).toEqual(sentOnce);
  });

  test('CF-60: a canceled payable is canceled once, and the same yes is a replay, not a wrong state', async () => {
    const args = { id: await newBill(), reason: 'Pedido desfeito' };
    const { state, message } = await ask(client, CANCEL, args);
    expect(message).toContain('reason = "Pedido desfeito"');
    expect(outputOf(await confirm(client, CANCEL, args, state))).toMatchObject({ status: 'canceled' });
    expect(errorOf(await confirm(client, CANCEL, args, state)).code).toBe('confirmation_replayed');
  });

  test('CF-42 CF-44: a no runs nothing, and a later yes to the same question asks again', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    const no = { ...callOf(SEND, sendArgs(id), state), inputResponses: { confirm: { action: 'decline' } } };
    expect(errorOf(await client.m('tools/call', no, { capabilities: formCapable })).code).toBe(
      'USER_DECLINED',
    );
    const again = questionOf(await confirm(client, SEND, sendArgs(id), state));
    expect(again.state).not.toBe(state);
    expect(await effectsOf(id)).toEqual(nothing);
  });

  test('CF-22: the yes of another person to the same question asks that person', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    const other = questionOf(await confirm(server.client('approver', answers), SEND, sendArgs(id), state));
    expect(other.state).not.toBe(state);
    expect(await effectsOf(id)).toEqual(nothing);
    outputOf(await confirm(client, SEND, sendArgs(id), state));
    expect(await effectsOf(id)).toEqual(sentOnce);
  });

  test('CF-27: the yes for one payable asks again when it is sent with another', async () => {
    const [shown, other] = [await newBill(), await newBill()];
    const { state } = await ask(client, SEND, sendArgs(shown));
    const { message } = questionOf(await confirm(client, SEND, sendArgs(other), state));
    expect(message).toContain(other);
    expect([await effectsOf(shown), await effectsOf(other)]).toEqual([nothing, nothing]);
  });

  test('CF-29 CF-63: five minutes are too late; a used yes stays a replay even then', async () => {
    const [late, used] = [await newBill(), await newBill()];
    const lateQuestion = await ask(client, SEND, sendArgs(late));
    const usedQuestion = await ask(client, SEND, sendArgs(used));
    outputOf(await confirm(client, SEND, sendArgs(used), usedQuestion.state));
    world.setNow(new Date(world.now().getTime() + 300_000).toISOString());
    const { message } = questionOf(await confirm(client, SEND, sendArgs(late), lateQuestion.state));
    expect(message).toContain('A confirmação anterior expirou.');
    const replay = errorOf(await confirm(client, SEND, sendArgs(used), usedQuestion.state));
    expect(replay.code).toBe('confirmation_replayed');
    expect([await effectsOf(late), await effectsOf(used)]).toEqual([nothing, sentOnce]);
  });

  test('TR-53: with another tool in the header it is refused, runs nothing and is not used up', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    const refused = await confirm(client, SEND, sendArgs(id), state, {
      headers: { 'Mcp-Name': 'finance_payables_get' },
    });
    expect([refused.status, refused.body.error.code]).toEqual([400, -32_020]);
    expect(await effectsOf(id)).toEqual(nothing);
    outputOf(await confirm(client, SEND, sendArgs(id), state));
    expect(await effectsOf(id)).toEqual(sentOnce);
  });

  test('VE-70: on 2025 it means nothing, runs nothing and is not used up', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    const onOldProtocol = await client.l('tools/call', callOf(SEND, sendArgs(id), state));
    expect(onOldProtocol.body.result.isError).toBe(true);
    expect(JSON.parse(onOldProtocol.body.result.content[0].text).error.code).toBe('confirmation_required');
    expect(await effectsOf(id)).toEqual(nothing);
    outputOf(await confirm(client, SEND, sendArgs(id), state));
    expect(await effectsOf(id)).toEqual(sentOnce);
  });

  test('CF-53 CF-80: without the capability on the resend it is refused and not used up', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    const refused = errorOf(await confirm(client, SEND, sendArgs(id), state, { capabilities: {} }));
    expect(refused).toMatchObject({
      code: 'confirmation_required',
      details: { required_capabilities: { elicitation: { form: {} } } },
    });
    expect(await effectsOf(id)).toEqual(nothing);
    outputOf(await confirm(client, SEND, sendArgs(id), state));
  });
});

/** Sends a confirmed call on a connection of its own and gives the way to break that connection. */
function startConfirmed(args: object, state: string): { abort: () => void; gone: Promise<void> } {
  const params = {
    ...callOf(SEND, args, state),
    _meta: { [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: formCapable },
  };
  const outgoing = request(server.url, {
    method: 'POST',
    agent: false,
    headers: {
      Authorization: `Bearer ${world.tokens.owner}`,
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': SEND,
    },
  });
  const gone = new Promise<void>((resolve) => outgoing.once('close', resolve));
  outgoing.on('error', () => {});
  outgoing.on('response', (incoming) => incoming.on('error', () => {}).resume());
  outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params }));
  return { abort: () => outgoing.destroy(), gone };
}

describe('a client that goes away', () => {
  test('TR-72: 10 ms after its yes leaves the effect exactly once, and a replay when it comes back', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    const { abort, gone } = startConfirmed(sendArgs(id), state);
    await wait(10);
    abort();
    await gone;
    await until(async () => (await effectsOf(id)).orders === 1);
    expect(errorOf(await confirm(client, SEND, sendArgs(id), state)).code).toBe('confirmation_replayed');
    expect(await effectsOf(id)).toEqual(sentOnce);
  });

  test('TR-72 CF-62: in the middle of the run does not stop it, and a yes meanwhile is a replay', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    // Holds the run up where it locks the payable, so that it is certainly running when the client goes.
    const holder = new pg.Client({ connectionString: world.url });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from payables where id = $1 for update', [id]);
      const { abort, gone } = startConfirmed(sendArgs(id), state);
      await until(async () => {
        const waiting = await world.look(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return waiting.length > 0;
      });
      abort();
      await gone;
      expect(errorOf(await confirm(client, SEND, sendArgs(id), state)).code).toBe('confirmation_replayed');
      expect(await effectsOf(id)).toEqual(nothing);
      await holder.query('commit');
    } finally {
      await holder.end();
    }
    await until(async () => (await effectsOf(id)).orders === 1);
    expect(errorOf(await confirm(client, SEND, sendArgs(id), state)).code).toBe('confirmation_replayed');
    expect(await effectsOf(id)).toEqual(sentOnce);
  });
});

describe('facts between the question and the yes', () => {
  test('SE-05: changed bank details of the payee ask again and name what changed', async () => {
    const person_id = await createSupplier(world);
    const id = await newBill({ person_id });
    const { state, message } = await ask(client, SEND, sendArgs(id));
    expect(message).not.toContain('dados bancários');
    await call(client, 'finance_people_update', {
      id: person_id,
      pix_keys: [{ type: 'email', key: 'novo@example.com' }],
    });
    const again = questionOf(await confirm(client, SEND, sendArgs(id), state));
    const changed = again.message.split('Algo mudou desde a pergunta anterior:\n')[1]!;
    expect(changed.split('\n')[0]).toBe(
      '- ATENÇÃO: os dados bancários do favorecido mudaram há 0 dias; confirme com ele por outro canal antes de pagar',
    );
    expect(again.message).toContain('antes de pagar (mudou desde a pergunta anterior)');
    expect(await effectsOf(id)).toEqual(nothing);
    outputOf(await confirm(client, SEND, sendArgs(id), again.state));
    expect(await effectsOf(id)).toEqual(sentOnce);
  });

  test('SE-05: a changed amount asks again with the new amount, and only that one is paid', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    await call(client, 'finance_payables_update', { id, amount: '4321.09' });
    const again = questionOf(await confirm(client, SEND, sendArgs(id), state));
    expect(again.message).toContain('Algo mudou desde a pergunta anterior:\n- Valor: R$ 4.321,09\n');
    expect(again.message).toContain('- Valor: R$ 4.321,09 (mudou desde a pergunta anterior)');
    expect(again.message).not.toContain('1.234,56');
    expect(await effectsOf(id)).toEqual(nothing);
    expect(outputOf(await confirm(client, SEND, sendArgs(id), again.state))).toMatchObject({
      amount: '4321.09',
    });
  });

  test('SE-05: a changed amount is noticed before a payable is canceled, too', async () => {
    const args = { id: await newBill(), reason: 'Pedido desfeito' };
    const { state } = await ask(client, CANCEL, args);
    await call(client, 'finance_payables_update', { id: args.id, amount: '10.00' });
    expect(questionOf(await confirm(client, CANCEL, args, state)).message).toContain('- Valor: R$ 10,00');
    expect(await call(client, 'finance_payables_get', { id: args.id })).toMatchObject({ status: 'open' });
  });
});

describe('the question', () => {
  /** A payment that has everything a person should look at twice. */
  async function suspiciousBill(): Promise<{ id: string; twin: string }> {
    const person_id = await createSupplier(world, {
      name: 'Papelaria Exemplo Ltda',
      document_number: '11222333000181',
      pix_keys: [{ type: 'cnpj', key: '11222333000181' }],
    });
    await call(client, 'finance_people_update', {
      id: person_id,
      pix_keys: [{ type: 'email', key: 'cobranca@example.com' }],
    });
    world.setNow(new Date(world.now().getTime() + 3 * 86_400_000).toISOString());
    const bill = {
      person_id,
      amount: '1250.00',
      due_date: '2026-11-20',
      payment_details: { kind: 'pix_key', key: 'cobranca@example.com' },
    };
    const twin = await newBill(bill);
    const id = await newBill({ ...bill, due_date: '2026-11-22', allow_duplicate_of: twin });
    return { id, twin };
  }
  let bill: { id: string; twin: string };
  beforeAll(async () => {
    world.setNow('2026-11-01T12:00:00Z');
    bill = await suspiciousBill();
  });

  test('CF-08 SE-04: tells a person in Portuguese who is paid, how much, from where, when, and what looks wrong', async () => {
    world.setNow('2026-11-04T12:00:00Z');
    const { message } = await ask(client, SEND, { ...sendArgs(bill.id), scheduled_for: '2026-11-10' });
    expect(message.split('\n')).toEqual([
      'Send payment to the bank (finance_payables_send_to_bank)',
      'Organização: "Aurora"',
      'Workspace: "Matriz"',
      `id = "${bill.id}"`,
      `account_id = "${payer.accountId}"`,
      'scheduled_for = "2026-11-10"',
      'O que o registro diz agora:',
      '- Favorecido: "Papelaria Exemplo Ltda"',
      '- CPF/CNPJ do favorecido: 11.222.333/0001-81',
      '- Valor: R$ 1.250,00',
      '- Pix para a chave: "cobranca@example.com (email)"',
      '- Conta a pagar: "Aluguel"',
      '- Vencimento: 22/11/2026',
      expect.stringMatching(/^- Sai da conta: "Account \d+ \(341 ag\. 1234 c\/c \*\*\*56-7\)"$/),
      '- Data do pagamento: 10/11/2026',
      '- Saldo contábil da conta depois: R$ 98.750,00',
      '- Aprovação: não exigida',
      '- ATENÇÃO: os dados bancários do favorecido mudaram há 3 dias; confirme com ele por outro canal antes de pagar',
      '- Titular do destino: cadastrado no favorecido',
      `- ATENÇÃO: possível duplicidade: conta a pagar ${bill.twin} (20/11/2026)`,
      'Vale por 5 minutos, uma única vez.',
    ]);
  });

  test('C-13: tells the same in English to a person whose language is English', async () => {
    world.setNow('2026-11-04T12:00:00Z');
    await world.look("update users set locale = 'en' where email = 'approver@example.com'");
    const english = server.client('approver', answers);
    const { message } = await ask(english, SEND, { ...sendArgs(bill.id), scheduled_for: '2026-11-10' });
    expect(message.split('\n').slice(6)).toEqual([
      'What the record says now:',
      '- Payee: "Papelaria Exemplo Ltda"',
      '- CPF/CNPJ of the payee: 11.222.333/0001-81',
      '- Amount: R$ 1.250,00',
      '- Pix to the key: "cobranca@example.com (email)"',
      '- Payable: "Aluguel"',
      expect.stringMatching(/^- Due date: (?:22\/11\/2026|2026-11-22)$/),
      expect.stringMatching(/^- From account: "Account \d+ \(341 ag\. 1234 c\/c \*\*\*56-7\)"$/),
      expect.stringMatching(/^- Payment date: (?:10\/11\/2026|2026-11-10)$/),
      '- Book balance of the account after it: R$ 98.750,00',
      '- Approval: not required',
      '- ATTENTION: the bank details of the payee changed 3 days ago; check with them on another channel before paying',
      '- Holder of the destination: registered for the payee',
      expect.stringMatching(`^- ATTENTION: possible duplicate: payable ${bill.twin} \\(`),
      'Valid for 5 minutes, once.',
    ]);
  });
});

describe('two serving processes on one database', () => {
  let before: ServeProcess;
  let after: ServeProcess;
  beforeAll(async () => {
    // The second one has been given a new key and still knows the old one.
    [before, after] = await Promise.all([
      startServe(world.url, [OLD_KEY]),
      startServe(world.url, [NEW_KEY, OLD_KEY]),
    ]);
  });
  afterAll(() => Promise.all([before?.end('SIGTERM'), after?.end('SIGTERM')]));
  const clientOf = (process: ServeProcess) => answers.keep(createRawClient(process.url, world.tokens.owner));

  test('CF-31: what one has asked the other takes the yes for, across a rotation of keys', async () => {
    const id = await newBill();
    const { state } = await ask(clientOf(before), SEND, sendArgs(id));
    expect(outputOf(await confirm(clientOf(after), SEND, sendArgs(id), state))).toMatchObject({
      payable_id: id,
    });
    const replay = errorOf(await confirm(clientOf(before), SEND, sendArgs(id), state));
    expect(replay.code).toBe('confirmation_replayed');
    expect(await effectsOf(id)).toEqual(sentOnce);
  });

  test('CF-31: a process that does not know the key asks again instead of running', async () => {
    const id = await newBill();
    const { state } = await ask(clientOf(after), SEND, sendArgs(id));
    questionOf(await confirm(clientOf(before), SEND, sendArgs(id), state));
    expect(await effectsOf(id)).toEqual(nothing);
  });

  test('CF-60 CF-62: fifty yeses at once over both give one effect and forty-nine replays', async () => {
    const id = await newBill();
    const { state } = await ask(clientOf(before), SEND, sendArgs(id));
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        confirm(clientOf(index % 2 === 0 ? before : after), SEND, sendArgs(id), state),
      ),
    );
    const [ran, others] = [
      all.filter(({ body }) => body.result?.structuredContent !== undefined),
      all.filter(({ body }) => body.result?.isError === true),
    ];
    expect(ran).toHaveLength(1);
    expect(others.map((answer) => errorOf(answer).code)).toEqual(Array(49).fill('confirmation_replayed'));
    expect(await effectsOf(id)).toEqual(sentOnce);
  });
});

test('no answer of these tests holds a stack, SQL, a path, a token or a key', () => {
  expect(answers.count()).toBeGreaterThan(100);
  answers.expectNothingInside(world);
});
