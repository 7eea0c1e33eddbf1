/** The route table of the real catalogues, and how requests find their way in it. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { account } from '../account/index.ts';
import { catalogueOf, operation } from '../core/operation.ts';
import { dunning } from '../dunning/index.ts';
import { finance } from '../finance/index.ts';
import { createRouter } from './router.ts';
import { type Route, routesOf } from './routes.ts';

const catalogues = { finance: finance.catalogue, dunning: dunning.catalogue, account };
const routes = Object.values(catalogues).flatMap(routesOf);
const shown = ({ method, path }: Route) => `${method} ${path}`;
const at = (name: string) => shown(routes.find(({ operation }) => operation.name === name)!);

describe('routesOf', () => {
  it('gives every operation of every catalogue exactly one route, and no two the same', () => {
    const all = Object.values(catalogues).flatMap(({ operations }) => operations.map(({ name }) => name));
    expect(routes.map(({ operation }) => operation.name)).toEqual(all);
    expect(new Set(routes.map((route) => shown(route).replaceAll(/\{\w+\}/g, '{}'))).size).toBe(all.length);
  });

  it.each([
    ['finance_me', 'GET /finance/v1/me'],
    ['finance_payables_list', 'GET /finance/v1/payables'],
    ['finance_payables_get', 'GET /finance/v1/payables/{id}'],
    ['finance_payables_create', 'POST /finance/v1/payables'],
    ['finance_payables_update', 'PATCH /finance/v1/payables/{id}'],
    ['finance_payables_delete', 'DELETE /finance/v1/payables/{id}'],
    ['finance_payables_send_to_bank', 'POST /finance/v1/payables/{id}/send-to-bank'],
    ['finance_payables_bulk_send_to_bank', 'POST /finance/v1/payables/bulk-send-to-bank'],
    ['finance_cost_centers_list', 'GET /finance/v1/cost-centers'],
    ['finance_financial_accounts_get', 'GET /finance/v1/financial-accounts/{account_id}'],
    [
      'finance_financial_account_balances_latest',
      'GET /finance/v1/financial-accounts/{account_id}/balances/latest',
    ],
    ['finance_reports_cash_flow', 'GET /finance/v1/reports/cash-flow'],
    ['finance_pix_codes_decode', 'GET /finance/v1/pix-codes/decode'],
    ['finance_statement_imports_preview', 'POST /finance/v1/statement-imports/preview'],
    ['finance_approval_settings_update', 'PATCH /finance/v1/approval-settings'],
    ['finance_schemas_get', 'GET /finance/v1/schemas/{schema}'],
    ['dunning_person_contacts_create', 'POST /dunning/v1/people/{person_id}/contacts'],
    ['dunning_person_contacts_update', 'PATCH /dunning/v1/person-contacts/{id}'],
    ['dunning_charges_bulk_create', 'POST /dunning/v1/charges/bulk-create'],
    ['dunning_charges_balance', 'GET /dunning/v1/charges/{id}/balance'],
    ['dunning_people_statement_pdf', 'GET /dunning/v1/people/{id}/statement-pdf'],
  ])('puts %s at %s', (name, route) => {
    expect(at(name)).toBe(route);
  });

  it('is what docs/rest.md says', () => {
    const page = readFileSync(new URL('../../docs/rest.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `((?:finance|dunning)_\w+)` \| `([^`]+)`/gm)];
    expect(rows.length).toBeGreaterThan(5);
    for (const [, name, route] of rows) expect(at(name!)).toBe(route);
  });

  it('changes nothing with a GET', () => {
    for (const { method, operation } of routes) {
      if (method === 'GET') expect(operation.effect, operation.name).toBe('read');
      else if (method !== 'POST') expect(operation.effect, operation.name).not.toBe('read');
    }
  });

  it('leaves no required argument of a GET or DELETE without a place', () => {
    for (const { operation, hasBody, pathParameters, query } of routes) {
      if (hasBody) continue;
      for (const name of Object.keys(operation.input.shape)) {
        const hasPlace = pathParameters.includes(name) || query.has(name) || name === 'idempotency_key';
        expect(hasPlace, `${operation.name}.${name}`).toBe(true);
      }
    }
  });

  it('reads the form of a value off its schema', () => {
    const read = operation({
      name: 'finance_things_list',
      title: 'Things',
      summary: 'Things.',
      effect: 'read',
      scope: null,
      tenant: 'none',
      input: {
        text: z.string().optional(),
        upper: z.string().transform((value) => value.toUpperCase()),
        count: z.int().min(1).default(3),
        is_open: z.boolean().nullable().optional(),
        amount: z.union([z.string(), z.number()]).optional(),
        days: z.array(z.int()).optional(),
        kinds: z.array(z.enum(['a', 'b'])).default(['a']),
        near: z.strictObject({ kind: z.string() }).optional(),
        tiers: z.array(z.strictObject({ up_to: z.int() })).optional(),
      },
      output: z.object({}),
      run: async () => ({}),
    });
    const [route] = routesOf(catalogueOf([read]));
    expect(
      [...route!.query.values()].map(({ name, form, isList }) => [name, isList ? `${form}[]` : form]),
    ).toEqual([
      ['text', 'text'],
      ['upper', 'text'],
      ['count', 'number'],
      ['is_open', 'boolean'],
      ['amount', 'text'],
      ['days', 'number[]'],
      ['kinds', 'text[]'],
      ['near', 'json'],
      ['tiers', 'json'],
    ]);
  });
});

describe('createRouter', () => {
  const find = createRouter([
    { method: 'GET', path: '/v1/bills/{id}', value: 'one' },
    { method: 'GET', path: '/v1/bills/latest', value: 'latest' },
    { method: 'DELETE', path: '/v1/bills/{id}', value: 'delete' },
    { method: 'GET', path: '/v1/bills/{bill_id}/lines', value: 'lines' },
  ]);

  it('takes a word before a parameter', () => {
    expect(find('GET', '/v1/bills/latest')).toEqual({ kind: 'found', value: 'latest', params: {} });
    expect(find('GET', '/v1/bills/a%20b')).toEqual({ kind: 'found', value: 'one', params: { id: 'a b' } });
    expect(find('GET', '/v1/bills/7/lines')).toMatchObject({ value: 'lines', params: { bill_id: '7' } });
  });

  it('never throws for a path, whatever it says', () => {
    for (const path of ['', '/', '//', '/v1/bills/', '/v1/bills/%', '/v1/__proto__', '/v1/bills/1/lines/2']) {
      expect(find('GET', path)).toEqual({ kind: 'none' });
    }
    expect(find('PUT', '/v1/bills/1')).toEqual({ kind: 'other_method', allow: ['GET', 'DELETE'] });
  });

  it('refuses two routes that are the same', () => {
    const twice = { method: 'GET', path: '/v1/bills/{id}', value: 1 } as const;
    expect(() => createRouter([twice, { ...twice, path: '/v1/bills/{other}' }])).toThrow('two routes');
  });
});
