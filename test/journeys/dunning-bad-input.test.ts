/** What dunning refuses by name: nothing is stored of it and nothing is sent. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DunningGateways } from '../../src/gateways/dunning.ts';
import { createWebhookSender } from '../../src/gateways/webhooks/sender.ts';
import { createCharge, createDebtor, runDunningQueue } from '../support/dunning.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let debtor: string;
let charge: string;
let rule: string;
let template: string;
let before: unknown;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  debtor = await createDebtor(world);
  charge = await createCharge(world, { person_id: debtor });
  const { id } = await world.call('dunning_templates_create', {
    name: 'Lembrete',
    channel: 'sms',
    body: 'Olá, {{debtor_name}}.',
  });
  template = id;
  rule = (await world.call('dunning_collection_rules_create', { name: 'Padrão' }))['id'];
  await world.call('dunning_collection_rule_steps_create', step());
});
beforeEach(async () => {
  before = await stored();
});
afterAll(() => world.close());

const step = () => ({
  rule_id: rule,
  offset_days: 5,
  day_kind: 'calendar',
  time: '10:00',
  action: 'message',
  channel: 'sms',
  template_id: template,
});

/** Everything that a refused call could have left behind. */
async function stored(): Promise<unknown> {
  const tables = [
    'dunning_templates',
    'dunning_template_versions',
    'dunning_rule_steps',
    'dunning_contacts',
    'dunning_people',
    'dunning_agreements',
    'dunning_installments',
    'dunning_webhooks',
    'dunning_webhook_deliveries',
    'dunning_notifications',
    'events',
    'graphile_worker._private_jobs',
  ];
  const counts = tables.map((table) => `(select count(*) from ${table}) as "${table}"`);
  return (await world.look(`select ${counts.join(', ')}`))[0];
}

const refused: [what: string, tool: string, args: () => object, code: string, details: object][] = [
  [
    'a template with an unknown variable',
    'dunning_templates_create',
    () => ({ name: 'x', channel: 'sms', body: 'Olá, {{nome_do_devedor}}.' }),
    'unknown_variable',
    { variables: ['nome_do_devedor'] },
  ],
  [
    'a template that threatens',
    'dunning_templates_create',
    () => ({ name: 'x', channel: 'sms', body: 'Pague ou chamaremos a polícia.' }),
    'unsafe_template',
    {},
  ],
  ['steps that collide', 'dunning_collection_rule_steps_create', step, 'steps_collide', {}],
  ...['nem um e-mail', 'a@b', '@example.com', 'a b@example.com', 'a@example.com\r\nBcc: b@example.com'].map(
    (value): (typeof refused)[number] => [
      `${JSON.stringify(value)} as an e-mail`,
      'dunning_person_contacts_create',
      () => ({ person_id: debtor, channel: 'email', value }),
      'invalid_contact',
      {},
    ],
  ),
  ...['123', '0800', 'onze nove', '+5511'].map((value): (typeof refused)[number] => [
    `${JSON.stringify(value)} as a number for WhatsApp`,
    'dunning_person_contacts_create',
    () => ({ person_id: debtor, channel: 'whatsapp', value }),
    'invalid_contact',
    {},
  ]),
  [
    'an agreement whose installments do not add up',
    'dunning_agreements_create',
    () => ({
      person_id: debtor,
      charge_ids: [charge],
      negotiated_total: '90.00',
      installments: [
        { due_date: '2026-10-20', amount: '45.00' },
        { due_date: '2026-11-20', amount: '44.99' },
      ],
      valid_until: '2026-10-10',
    }),
    'installments_mismatch',
    { sum: '89.99', total: '90.00' },
  ],
  ...[
    ['http://hooks.example.com/', 'not_https'],
    ['https://localhost/', 'not_public'],
    ['https://127.0.0.1/', 'not_public'],
    ['https://10.1.2.3/', 'not_public'],
    ['https://[::1]/', 'not_public'],
    ['https://169.254.169.254/latest/meta-data', 'not_public'],
  ].map(([url, reason]): (typeof refused)[number] => [
    `a webhook to ${url}`,
    'dunning_webhooks_create',
    () => ({ url, events: ['*'] }),
    'webhook_address_refused',
    { reason },
  ]),
];

it.each(refused)(
  '%s: refused by name, nothing stored, nothing queued',
  async (_what, tool, args, code, details) => {
    await expect(world.call(tool, args())).rejects.toMatchObject({ code, details });
    expect(await stored()).toEqual(before);
  },
);

describe('a webhook whose name resolves to a private address when it is called', () => {
  it.each(['10.0.0.7', '127.0.0.1', '169.254.169.254', '::1', 'fd00::1'])(
    'is not called at %s, and the delivery says why',
    async (address) => {
      const { webhook } = await world.call('dunning_webhooks_create', {
        url: 'https://hooks.example.com/in',
        events: ['charge.paid'],
      });
      const id = webhook.id;
      await world.call('dunning_webhooks_test', { id });
      const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }];
      const gateways = { webhooks: createWebhookSender({ resolve }) } as unknown as DunningGateways;
      await runDunningQueue(world, gateways, 3);
      const { items } = await world.call('dunning_webhook_deliveries_list', { webhook_id: id });
      expect(items).toHaveLength(1);
      expect(items[0].status).not.toBe('delivered');
      const delivery = await world.call('dunning_webhook_deliveries_get', { id: items[0].id });
      expect(JSON.stringify(delivery)).toContain('refused');
    },
  );
});
