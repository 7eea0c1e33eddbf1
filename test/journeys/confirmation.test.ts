/** Confirmations end to end: the real tools and the real ledger behind the raw wire. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { collectAnswers } from '../support/answers.ts';
import { createBill, createPayer, createSupplier, type Payer } from '../support/banking.ts';
import {
  ask,
  call,
  confirm,
  effectsOfSending,
  errorOf,
  nothingSent,
  outputOf,
  questionOf,
  sentOnce,
} from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { callOf, type RawClient } from '../support/raw-client.ts';
import { formCapable, openWorld, type World } from '../support/world.ts';

const SEND = 'finance_payables_send_to_bank';
const CANCEL = 'finance_payables_cancel';

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

const effectsOf = (payableId: string) => effectsOfSending(world, payableId);

describe('a yes on the wire', () => {
  test('CF-01 CF-40 CF-60: runs the action once; the same yes again runs nothing and says so', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    expect(await effectsOf(id)).toEqual(nothingSent);
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

  test('CF-42 CF-44: a no runs nothingSent, and a later yes to the same question asks again', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    const no = { ...callOf(SEND, sendArgs(id), state), inputResponses: { confirm: { action: 'decline' } } };
    expect(errorOf(await client.m('tools/call', no, { capabilities: formCapable })).code).toBe(
      'USER_DECLINED',
    );
    const again = questionOf(await confirm(client, SEND, sendArgs(id), state));
    expect(again.state).not.toBe(state);
    expect(await effectsOf(id)).toEqual(nothingSent);
  });

  test('CF-22: the yes of another person to the same question asks that person', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    const other = questionOf(await confirm(server.client('approver', answers), SEND, sendArgs(id), state));
    expect(other.state).not.toBe(state);
    expect(await effectsOf(id)).toEqual(nothingSent);
    outputOf(await confirm(client, SEND, sendArgs(id), state));
    expect(await effectsOf(id)).toEqual(sentOnce);
  });

  test('CF-27: the yes for one payable asks again when it is sent with another', async () => {
    const [shown, other] = [await newBill(), await newBill()];
    const { state } = await ask(client, SEND, sendArgs(shown));
    const { message } = questionOf(await confirm(client, SEND, sendArgs(other), state));
    expect(message).toContain(other);
    expect([await effectsOf(shown), await effectsOf(other)]).toEqual([nothingSent, nothingSent]);
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
    expect([await effectsOf(late), await effectsOf(used)]).toEqual([nothingSent, sentOnce]);
  });

  test('TR-53: with another tool in the header it is refused, runs nothing and is not used up', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    const refused = await confirm(client, SEND, sendArgs(id), state, {
      headers: { 'Mcp-Name': 'finance_payables_get' },
    });
    expect([refused.status, refused.body.error.code]).toEqual([400, -32_020]);
    expect(await effectsOf(id)).toEqual(nothingSent);
    outputOf(await confirm(client, SEND, sendArgs(id), state));
    expect(await effectsOf(id)).toEqual(sentOnce);
  });

  test('VE-70: on 2025 it means nothingSent, runs nothing and is not used up', async () => {
    const id = await newBill();
    const { state } = await ask(client, SEND, sendArgs(id));
    const onOldProtocol = await client.l('tools/call', callOf(SEND, sendArgs(id), state));
    expect(onOldProtocol.body.result.isError).toBe(true);
    expect(JSON.parse(onOldProtocol.body.result.content[0].text).error.code).toBe('confirmation_required');
    expect(await effectsOf(id)).toEqual(nothingSent);
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
    expect(await effectsOf(id)).toEqual(nothingSent);
    outputOf(await confirm(client, SEND, sendArgs(id), state));
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
    expect(await effectsOf(id)).toEqual(nothingSent);
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
    expect(await effectsOf(id)).toEqual(nothingSent);
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
      'Enviar pagamento ao banco (finance_payables_send_to_bank)',
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
    const [title, ...lines] = message.split('\n');
    expect(title).toBe('Send payment to the bank (finance_payables_send_to_bank)');
    expect(lines.slice(5)).toEqual([
      'What the record says now:',
      '- Payee: "Papelaria Exemplo Ltda"',
      '- CPF/CNPJ of the payee: 11.222.333/0001-81',
      '- Amount: R$ 1.250,00',
      '- Pix to the key: "cobranca@example.com (email)"',
      '- Payable: "Aluguel"',
      '- Due date: 2026-11-22',
      expect.stringMatching(/^- From account: "Account \d+ \(341 ag\. 1234 c\/c \*\*\*56-7\)"$/),
      '- Payment date: 2026-11-10',
      '- Book balance of the account after it: R$ 98.750,00',
      '- Approval: not required',
      '- ATTENTION: the bank details of the payee changed 3 days ago; check with them on another channel before paying',
      '- Holder of the destination: registered for the payee',
      expect.stringMatching(`^- ATTENTION: possible duplicate: payable ${bill.twin} \\(`),
      'Valid for 5 minutes, once.',
    ]);
  });
});

test('no answer of these tests holds a stack, SQL, a path, a token or a key', () => {
  expect(answers.count()).toBeGreaterThan(40);
  answers.expectNothingInside(world);
});
