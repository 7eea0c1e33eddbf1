/** What people and models ask for in their own words, against the real catalogues. */

import { describe, expect, it, test } from 'vitest';
import type { Operation } from '../../src/core/operation.ts';
import { dunning } from '../../src/dunning/index.ts';
import { finance } from '../../src/finance/index.ts';
import { indexOf } from '../../src/mcp/search.ts';

const indexes = {
  finance: indexOf(finance.catalogue.operations),
  dunning: indexOf(dunning.catalogue.operations),
};
const everything = () => true;
const find = (
  product: keyof typeof indexes,
  words: string,
  wanted: (one: Operation) => boolean = everything,
) => indexes[product].find({ words }, wanted, 10).map(({ name }) => name);

describe('finding a tool by words', () => {
  it.each([
    ['finance', 'list payables', 'finance_payables_list'],
    ['finance', 'send a payable to the bank', 'finance_payables_send_to_bank'],
    ['finance', 'cancel charge', 'finance_charges_cancel'],
    ['finance', 'import bank statement', 'finance_statement_imports_create'],
    ['finance', 'transfer between own accounts', 'finance_transfers_create'],
    ['finance', 'decode boleto', 'finance_boletos_decode'],
    ['finance', 'income statement', 'finance_reports_income_statement'],
    ['finance', 'excluir conta a pagar', 'finance_payables_delete'],
    ['finance', 'conciliar', 'finance_reconciliations_create'],
    ['finance', 'transferir entre contas proprias', 'finance_transfers_create'],
    ['finance', 'emitir cobrança', 'finance_receivables_charge'],
    ['finance', 'emitir cobranca', 'finance_receivables_charge'],
    ['dunning', 'report debtor to credit bureau negativation', 'dunning_negativations_create'],
    ['dunning', 'payment promises', 'dunning_payment_promises_list'],
    ['dunning', 'pedir protesto', 'dunning_protests_create'],
    ['dunning', 'aceitar acordo', 'dunning_agreements_accept'],
    ['dunning', 'régua de cobrança', 'dunning_collection_rules_archive'],
    ['dunning', 'simulate agreement', 'dunning_agreements_simulate'],
  ] as const)('%s: "%s" finds %s among the first five', (product, words, expected) => {
    expect(find(product, words).slice(0, 5)).toContain(expected);
  });

  it.each([
    ['finance', 'listar contas a pagar', 'finance_payables_list'],
    ['finance', 'registrar conta a pagar', 'finance_payables_create'],
    ['finance', 'ver transferências', 'finance_transfers_list'],
    ['dunning', 'listar acordos', 'dunning_agreements_list'],
    ['dunning', 'listar protestos', 'dunning_protests_list'],
  ] as const)(
    '%s: the Portuguese words "%s" find %s, which has no Portuguese title',
    (product, words, expected) => {
      expect(find(product, words)).toContain(expected);
    },
  );

  test.each(['finance', 'dunning'] as const)(
    'every tool of %s is among the first three for the words of its name',
    (product) => {
      const { operations } = { finance, dunning }[product].catalogue;
      const missed = operations.filter(
        ({ name }) => !find(product, name.replaceAll('_', ' ')).slice(0, 3).includes(name),
      );
      expect(missed.map(({ name }) => name)).toEqual([]);
    },
  );

  it('gives the same order every time, at most as many as asked for, and nothing for words that say nothing', () => {
    expect(find('finance', 'list')).toEqual(find('finance', 'list'));
    expect(find('finance', 'list')).toHaveLength(10);
    for (const words of ['the of a', '!?', '   ', 'qwertyuiop']) expect(find('finance', words)).toEqual([]);
  });

  it('gives nothing that the caller may not have', () => {
    const found = find('finance', 'payables', ({ effect }) => effect === 'read');
    expect(found).toContain('finance_payables_list');
    expect(found).not.toContain('finance_payables_delete');
  });
});
