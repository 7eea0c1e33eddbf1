/** The small portfolio that every sequence starts from: two debtors, what they owe, two rules that write to them. */

import { createCharge, createDebtor } from '../support/dunning.ts';
import { cnpjEnding } from '../support/legal.ts';
import { cnpjOf } from '../support/records.ts';
import type { World } from '../support/world.ts';

export interface Base {
  readonly people: readonly string[];
  readonly contacts: readonly string[];
  readonly rules: readonly string[];
  readonly templates: { readonly email: string; readonly sms: string };
  /** Who asks and who approves. */
  readonly users: readonly string[];
}

const terms = {
  discounts: [],
  fine: { kind: 'percent', percent: 20_000 },
  interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
  graceDays: 0,
};

/** Debtor, centavos, due date, terms, rule. */
const plans: readonly (readonly [number, number, string, object | null, number | null])[] = [
  [0, 10_001, '2026-08-31', terms, 0],
  [0, 7_777, '2026-09-15', null, 1],
  [0, 20_000, '2026-10-05', terms, 0],
  [1, 33_333, '2026-07-18', { ...terms, interest: { ...terms.interest, percent: 33_333 } }, null],
  [1, 5_000, '2026-09-28', terms, 1],
  [1, 1, '2026-09-01', terms, null],
];

/** Days from the due date, hour in the debtor's state, channel. */
const steps: readonly (readonly [number, string, 'email' | 'sms' | 'task'])[][] = [
  [
    [-3, '09:00', 'email'],
    [0, '10:00', 'sms'],
    [1, '09:00', 'email'],
    [7, '14:00', 'sms'],
    [12, '09:00', 'task'],
    [30, '11:00', 'email'],
    [33, '11:00', 'sms'],
  ],
  [
    [2, '08:00', 'sms'],
    [4, '08:00', 'sms'],
    [9, '08:00', 'email'],
    [16, '12:00', 'email'],
    [17, '12:00', 'email'],
    [25, '12:00', 'sms'],
  ],
];

export async function prepareBase(world: World): Promise<Base> {
  await world.call('dunning_settings_update', {
    creditor: { legal_name: 'Aurora Credora Ltda', document_number: cnpjOf(70_001) },
  });
  const template = async (name: string, fields: object) =>
    (await world.call('dunning_templates_create', { name, body: 'Aviso sobre as suas contas.', ...fields }))[
      'id'
    ];
  const templates = {
    email: await template('E-mail', { channel: 'email', subject: 'Aviso' }),
    sms: await template('SMS', { channel: 'sms' }),
  };
  const rules: string[] = [];
  for (const [at, planned] of steps.entries()) {
    const { id } = await world.call('dunning_collection_rules_create', { name: `Rule ${at}` });
    for (const [offset_days, time, kind] of planned) {
      await world.call('dunning_collection_rule_steps_create', {
        rule_id: id,
        offset_days,
        day_kind: 'calendar',
        time,
        ...(kind === 'task'
          ? { action: 'task', channel: 'phone' }
          : { action: 'message', channel: kind, template_id: templates[kind] }),
      });
    }
    await world.call('dunning_collection_rules_update', { id, active: true });
    rules.push(id);
  }
  const people = [
    await createDebtor(world, { document_number: cnpjEnding(0), state: 'SP' }),
    await createDebtor(world, { document_number: cnpjEnding(1), state: 'RJ' }),
  ];
  for (const [debtor, amount_cents, due_date, itsTerms, rule] of plans) {
    await createCharge(world, {
      person_id: people[debtor]!,
      amount_cents,
      due_date,
      terms: itsTerms,
      status: due_date < '2026-10-01' ? 'overdue' : 'pending',
      ...(rule !== null && { collection_rule_id: rules[rule]!, rule_started_at: '2026-09-20T00:00:00Z' }),
    });
  }
  const users: string[] = [];
  for (const who of ['owner', 'colleague'] as const) users.push((await world.caller(who)).user.id);
  const contacts = await world.look<{ id: string }>('select id from dunning_contacts order by id');
  return { people, contacts: contacts.map(({ id }) => id), rules, templates, users };
}
