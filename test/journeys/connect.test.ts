/**
 * From an empty database to an approved payment, in a real browser and with the official client: the owner comes in by
 * the command line, a client connects by OAuth, and a colleague says yes where the client cannot ask.
 */

import type { Client } from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildBoleto } from '../../src/core/documents/boleto.ts';
import { AgentMemory, type Callback, connectAgent, openCallback } from '../support/agent.ts';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { openPerson, type Person } from '../support/person.ts';
import { createOwnerThere, type ServeProcess, startServe } from '../support/processes.ts';
import { cnpjOf } from '../support/records.ts';
import { TEST_KEY } from '../support/world.ts';

vi.setConfig({ testTimeout: 60_000 });
const OWNER_PASSWORD = 'um rio atravessa a planície';
const COLLEAGUE_PASSWORD = 'quatro janelas para o leste';

let database: TestDatabase;
let serve: ServeProcess;
let browser: Browser;
let origin: string;
let callback: Callback;
let owner: Person;
let colleague: Person;
let agent: Client;
let memory: AgentMemory;
let workspaceId: string;
let ownerLink: string;
let approvalUrl: string;
let payableId: string;

type Output = Record<string, any>;

async function call(name: string, args: object): Promise<Output> {
  const result = (await agent.callTool({ name, arguments: { ...args } })) as any;
  if (result.isError === true) throw new Error(result.content[0].text);
  return result.structuredContent;
}

describe.skipIf(chromiumPath() === null)('from an empty database to an approved payment', () => {
  beforeAll(async () => {
    database = await createEmptyDatabase();
    const created = await createOwnerThere(database.url, [TEST_KEY]);
    workspaceId = created.workspaceId;
    ownerLink = created.path;
    serve = await startServe(database.url, [TEST_KEY]);
    origin = new URL(serve.url).origin.replace('127.0.0.1', 'localhost');
    browser = (await openBrowser())!;
    callback = await openCallback();
    owner = await openPerson(browser, origin, { passkeys: true });
    colleague = await openPerson(browser, origin);
  }, 120_000);
  afterAll(async () => {
    await agent?.close();
    callback?.close();
    await browser?.close();
    await serve?.end('SIGTERM');
    await database?.drop();
  });

  test('1. the owner chooses a password by the link of the command line and adds a passkey', async () => {
    await owner.go(ownerLink);
    await owner.looksWell('invitation');
    await owner.fill('password', OWNER_PASSWORD);
    await owner.fill('password_again', OWNER_PASSWORD);
    await owner.press('Entrar');
    await owner.fill('name', 'Chave de teste');
    await owner.press('Cadastrar passkey');
    await owner.page.getByText('Chave de teste').waitFor();
    await owner.looksWell('passkeys');
  });

  test('2. and signs in with it', async () => {
    await owner.press('Sair');
    await owner.looksWell('sign-in');
    await owner.press('Entrar com passkey');
    await owner.page.waitForURL(`${origin}/console`);
    await owner.looksWell();
  });

  test('3. a colleague is invited and comes in', async () => {
    await owner.go('/console/people');
    await owner.press('Convidar');
    await owner.fill('email', 'colega@aurora.example');
    await owner.fill('name', 'Colega da Aurora');
    await owner.page.locator('select[name^="role"]').first().selectOption('finance');
    await owner.looksWell('people-invite');
    await owner.press('Criar convite');
    const link = await owner.page.locator('#secret').inputValue();
    await owner.go('/console/people');
    await owner.looksWell('people');
    await colleague.go(new URL(link).pathname);
    await colleague.fill('password', COLLEAGUE_PASSWORD);
    await colleague.fill('password_again', COLLEAGUE_PASSWORD);
    await colleague.press('Entrar');
    await colleague.looksWell();
  });

  test('4. the workspace lets calls that could not be confirmed wait for a person', async () => {
    await owner.go('/console/settings');
    await owner.looksWell('settings');
    await owner.go('/console/settings/controls/finance');
    await owner.looksWell('controls');
    await owner.page.locator('[name="approvals_enabled"]').first().check();
    await owner.press('Salvar');
    await owner.looksWell();
    expect(await owner.page.locator('[name="approvals_enabled"]').first().isChecked()).toBe(true);
  });

  test('5. a client connects by OAuth: write access, pinned to one workspace', async () => {
    memory = new AgentMemory(callback.url, 'Agente de contas');
    agent = await connectAgent({
      url: `${origin}/finance/mcp`,
      callback,
      memory,
      async authorize(asked) {
        await owner.go(asked.href);
        await owner.page.locator('[name="access"][value="write"]').check();
        await owner.page.locator('[name="workspace"]').selectOption(workspaceId);
        await owner.looksWell('consent');
        await owner.press('Permitir');
      },
    });
    const me = await call('finance_me', {});
    expect(me).toMatchObject({ access: 'write', default_workspace_id: workspaceId });
  });

  test('6. it registers a bill, and sending it to the bank waits for a person', async () => {
    const company = await call('finance_companies_create', {
      document_number: cnpjOf(1_234),
      legal_name: 'Aurora Comércio Ltda',
    });
    const account = await call('finance_financial_accounts_create', {
      company_id: company['id'],
      name: 'Conta principal',
      kind: 'checking',
      bank_code: '341',
      agency: '1234',
      number: '123455',
      digit: '6',
      opening_balance: '5000.00',
      opening_date: '2026-01-02',
    });
    const supplier = await call('finance_people_create', {
      name: 'Fornecedora de Papel <b>Ltda</b>',
      document_number: cnpjOf(4_321),
      roles: ['supplier'],
    });
    const dueDate = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    const { typedLine } = buildBoleto({
      bankCode: '237',
      amountCents: 42_000,
      dueDate,
      freeField: '1234567890123456789012345',
    });
    const bills = await call('finance_payables_create', {
      company_id: company['id'],
      person_id: supplier['id'],
      description: 'Papel para impressora',
      amount: '420.00',
      due_date: dueDate,
      payment_details: { kind: 'boleto', code: typedLine },
    });
    payableId = bills['items'][0].id;
    const sent = (await agent.callTool({
      name: 'finance_payables_send_to_bank',
      arguments: { id: payableId, account_id: account['id'] },
    })) as any;
    expect(sent.isError).toBe(true);
    const { error } = JSON.parse(sent.content[0].text);
    expect(error).toMatchObject({
      code: 'confirmation_required',
      details: { approval: { read_with: 'finance_approvals_get' } },
    });
    approvalUrl = error.details.approval.url;
    const { approvals } = { approvals: await call('finance_approvals_list', {}) };
    expect(approvals['items']).toMatchObject([{ id: error.details.approval.id, status: 'pending' }]);
    expect((await call('finance_payments_list', {}))['items']).toEqual([]);
  });

  test('7. the colleague reads the same question and approves with the password', async () => {
    await colleague.go(new URL(approvalUrl).pathname + new URL(approvalUrl).search);
    const question = await colleague.page.locator('pre.question').textContent();
    expect(question).toContain('finance_payables_send_to_bank');
    expect(question).toContain('Valor: R$ 420,00');
    expect(question).toContain('"Fornecedora de Papel <b>Ltda</b>"');
    await colleague.looksWell('approval');
    await colleague.fill('password', COLLEAGUE_PASSWORD);
    await colleague.press('Aprovar');
    await colleague.looksWell('approval-done');
  });

  test('8. the agent reads the outcome, and the order is there once', async () => {
    const id = new URL(approvalUrl).pathname.split('/').at(-1)!;
    const outcome = await call('finance_approvals_get', { id });
    expect(outcome).toMatchObject({ status: 'done', decided_with: 'password' });
    expect((await call('finance_payments_list', {}))['items']).toMatchObject([{ payable_id: payableId }]);
  });

  test('8b. another one is approved by its owner with the passkey', async () => {
    const { person, company_id } = await call('finance_payables_get', { id: payableId });
    const bills = await call('finance_payables_create', {
      company_id,
      person_id: person.id,
      description: 'Papel pedido duas vezes',
      amount: '99.00',
      due_date: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10),
    });
    const { id } = bills['items'][0];
    const refused = (await agent.callTool({
      name: 'finance_payables_cancel',
      arguments: { id, reason: 'Pedido duas vezes' },
    })) as any;
    const { approval } = JSON.parse(refused.content[0].text).error.details;
    await owner.go(approval.url);
    await owner.press('Confirmar com passkey');
    await owner.page.getByText('Aprovado. A ação foi feita.').waitFor();
    await owner.looksWell();
    expect(await call('finance_approvals_get', { id: approval.id })).toMatchObject({
      status: 'done',
      decided_with: 'passkey',
    });
    expect(await call('finance_payables_get', { id })).toMatchObject({ status: 'canceled' });
  });

  test('9. the timeline tells it in plain words', async () => {
    await owner.go('/console/timeline');
    const text = await owner.page.locator('main').textContent();
    expect(text).toContain('Colega da Aurora');
    expect(text).toContain('Valor: R$ 420,00');
    await owner.looksWell('timeline');
    for (const path of ['/console', `/console/payables/${payableId}`, '/console/approvals']) {
      await owner.go(path);
      await owner.looksWell();
    }
    await owner.go('/console/connections');
    await owner.looksWell('connections');
  });

  test('10. the owner revokes the connection, and the next call is 401', async () => {
    const ping = () =>
      fetch(`${origin}/finance/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${memory.granted!.access_token}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      });
    expect((await ping()).status).toBe(200);
    await owner.go('/console/connections');
    await owner.page.getByRole('link', { name: /Revogar.*Agente de contas/ }).click();
    await owner.press(/Revogar/);
    expect((await ping()).status).toBe(401);
    await expect(call('finance_me', {})).rejects.toThrow();
  });
});
