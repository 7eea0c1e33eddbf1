import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCompany } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

let world: World;
let company_id: string;
let person_id: string;

beforeAll(async () => {
  world = await openWorld();
  company_id = await createCompany(world);
  person_id = (await world.call('finance_people_create', { name: 'Supplier', kind: 'natural', roles: ['customer'] }))['id'];
});
afterAll(() => world.close());

test('registers', async () => {
  const { items } = await world.call('finance_payables_create', {
    company_id, person_id, description: 'Rent', amount: '100.00', due_date: '2026-10-05',
  });
  expect(items[0]).toMatchObject({ amount: '100.00', open_amount: '100.00', status: 'open', overdue: false });
  console.log(items[0]);
  console.log(await world.call('finance_payables_get', { id: items[0].id }));
  console.log(await world.call('finance_payables_list', { paid_from: '2026-01-01', search: 'rent' }));
  console.log(await world.call('finance_payables_list', { overdue: false }));
});
