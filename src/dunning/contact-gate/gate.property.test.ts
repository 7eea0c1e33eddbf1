import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import type { Context } from '../../core/operation.ts';
import { type ContactPolicy, nextContactAt } from '../contact-law/index.ts';
import type { Settings } from '../settings/index.ts';
import type { BlockCode, ContactPurpose } from './index.ts';
import { selectJudged } from './queries.ts';

/** Worlds of forty debtors each, judged by one statement: a thousand candidates in all. */
const WORLDS = 25;
const PEOPLE = 40;
/** Thursday 09:00, Saturday 14:30 and the holiday of Monday the 12th, in São Paulo. */
const instants = ['2026-10-01T12:00:00Z', '2026-10-17T17:30:00Z', '2026-10-12T14:00:00Z'];
const TODAY = '2026-10-01';

let world: World;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
});
afterAll(() => world.close());

const channels = ['email', 'sms', 'whatsapp', 'letter', 'phone'] as const;
const seldom = fc.integer({ min: 0, max: 9 }).map((number) => number === 0);

const contact = fc.record({
  id: fc.constant(null).map(() => newId()),
  channel: fc.constantFrom('email', 'sms', ...channels),
  identity: fc.constantFrom('one', 'two'),
  isPrimary: fc.boolean(),
  consent: seldom.map((isOptedOut) => (isOptedOut ? 'opted_out' : 'unknown')),
  validity: fc.constantFrom('unknown', 'valid', 'valid', 'valid', 'bounced', 'wrong_person'),
});

const charge = fc.record({
  id: fc.constant(null).map(() => newId()),
  status: fc.constantFrom(...Array(6).fill('overdue'), 'pending', 'in_agreement', 'paid', 'canceled'),
  isDisputed: seldom,
  pausedReason: fc.constantFrom(
    null,
    null,
    null,
    null,
    'manual',
    'dispute',
    'promise',
    'agreement',
    'legal',
    'contact',
  ),
  otherHold: fc.constantFrom(null, null, 'promise', 'manual'),
  adjustedDueDate: fc.constantFrom('2026-09-10', '2026-10-01', '2026-10-20'),
});

const debtor = fc.record({
  id: fc.constant(null).map(() => newId()),
  candidateId: fc.constant(null).map(() => newId()),
  isArchived: seldom,
  isDeceased: seldom,
  isNotContacted: seldom,
  hasAddress: fc.boolean(),
  state: fc.constantFrom('SP', 'RJ', 'AM', null, 'ZZ'),
  contacts: fc.uniqueArray(contact, {
    maxLength: 6,
    selector: ({ channel, identity }) => `${channel}/${identity}`,
  }),
  charge: fc.option(charge, { freq: 3 }),
  slots: fc.array(fc.constantFrom('email', 'sms'), { maxLength: 2 }),
  waiting: fc.array(fc.constantFrom('email', 'sms'), { maxLength: 1 }),
  channel: fc.constantFrom('email', 'email', 'sms', 'sms', 'sms', ...channels, null),
  asksFor: fc.option(fc.integer({ min: 0, max: 5 }), { freq: 1 }),
  purpose: fc.constantFrom<ContactPurpose>('message', 'message', 'task', 'legal', 'agreement'),
});

type Debtor = typeof debtor extends fc.Arbitrary<infer T> ? T : never;

const policies: fc.Arbitrary<
  Pick<ContactPolicy, 'dailyCapPerPerson' | 'dailyCaps' | 'channels' | 'isEmailInWindows'>
> = fc.record({
  dailyCapPerPerson: fc.constantFrom(1, 2, 3),
  dailyCaps: fc.constantFrom<Record<string, number>>({}, { sms: 1 }),
  channels: fc.constantFrom<string[]>(['email', 'sms', 'whatsapp', 'letter'], ['email', 'sms']),
  isEmailInWindows: fc.boolean(),
});

test('MODEL §14.14, §14.15: the gate answers as the rules read one by one, for any debtors at any moment', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(debtor, { minLength: PEOPLE, maxLength: PEOPLE }),
      policies,
      fc.constantFrom(instants[0]!, instants[0]!, instants[0]!, ...instants),
      async (drawn, choices, instant) => {
        const policy: ContactPolicy = { version: 'test', windows: {}, quietHours: null, ...choices };
        const people = drawn.map(withOnePrimary);
        const at = new Date(instant);
        await store(people, instant.slice(0, 10));
        const judged = await judge(people, policy, at);
        expect(judged).toEqual(new Map(people.map((one) => [one.candidateId, expected(one, policy, at)])));
      },
    ),
    { numRuns: WORLDS },
  );
}, 120_000);

/** The rules in the order of the codes, one debtor at a time. */
function expected(one: Debtor, policy: ContactPolicy, at: Date) {
  const { channel, purpose } = one;
  const contacts = one.contacts.filter((found) => found.channel === channel);
  const asked = askedContact(one);
  const considered = asked === null ? contacts : contacts.filter(({ id }) => id === asked);
  const isOptedOut = (identity: string) =>
    one.contacts.some((other) => other.identity === identity && other.consent === 'opted_out');
  const usable = considered
    .filter(
      ({ identity, validity }) => !isOptedOut(identity) && !['bounced', 'wrong_person'].includes(validity),
    )
    .sort((left, right) => Number(right.isPrimary) - Number(left.isPrimary) || (left.id < right.id ? 1 : -1));
  const contactId = channel === null ? null : (usable[0]?.id ?? null);
  const isReachable =
    channel === 'letter'
      ? one.hasAddress && (contactId !== null || considered.length === 0)
      : contactId !== null;
  const block = (): BlockCode | null => {
    if (one.isArchived) return 'archived';
    if (one.isDeceased) return 'deceased';
    if (one.isNotContacted && channel !== null) return 'do_not_contact';
    const ofCharge = chargeBlock(one, at);
    if (ofCharge !== null) return ofCharge;
    if (channel === null) return null;
    if (purpose !== 'task' && !policy.channels.includes(channel)) return 'channel_off';
    if (!isReachable && considered.some(({ identity }) => isOptedOut(identity))) return 'opted_out';
    if (!isReachable && considered.some(({ validity }) => validity === 'wrong_person')) return 'wrong_person';
    if (purpose === 'task') return null;
    if (!isReachable) return 'no_contact';
    if (nextContactAt(policy, one.state, channel, at) !== at) return 'window_closed';
    const used = [...one.slots, ...one.waiting];
    if (used.length >= policy.dailyCapPerPerson) return 'daily_cap';
    const cap = policy.dailyCaps[channel] ?? Number.POSITIVE_INFINITY;
    return used.filter((taken) => taken === channel).length >= cap ? 'daily_cap' : null;
  };
  const reason = block();
  return { reason, nextAt: nextOf(reason, one, policy, at), contactId };
}

function chargeBlock({ charge, purpose }: Debtor, at: Date): BlockCode | null {
  if (charge === null) return null;
  const { status, pausedReason } = charge;
  if (status === 'paid' || status === 'canceled') return status;
  const isProposal = purpose === 'agreement';
  if (status === 'in_agreement' && !isProposal) return 'in_agreement';
  if (charge.isDisputed) return 'disputed';
  if (pausedReason !== null && !isProposal) {
    if (pausedReason === 'agreement') return 'in_agreement';
    if (pausedReason === 'dispute') return 'disputed';
    if (pausedReason === 'promise') return 'promise';
    if (pausedReason !== 'legal') return 'paused';
    if (purpose !== 'legal') return 'legal_hold';
    if (charge.otherHold !== null) return charge.otherHold === 'promise' ? 'promise' : 'paused';
  }
  const day = new Date(at.getTime() - 3 * 3_600_000).toISOString().slice(0, 10);
  const isLate = charge.adjustedDueDate < day || status === 'overdue';
  return purpose === 'legal' && !isLate ? 'not_late_yet' : null;
}

function nextOf(reason: BlockCode | null, one: Debtor, policy: ContactPolicy, at: Date): number | null {
  if (reason === 'window_closed') return nextContactAt(policy, one.state, one.channel!, at).getTime();
  if (reason !== 'daily_cap') return null;
  // The next day begins at midnight of São Paulo.
  const midnight = new Date(
    `${new Date(at.getTime() + 21 * 3_600_000).toISOString().slice(0, 10)}T03:00:00Z`,
  );
  return nextContactAt(policy, one.state, one.channel!, midnight).getTime();
}

function askedContact({ asksFor, contacts }: Debtor): string | null {
  return asksFor === null ? null : (contacts[asksFor]?.id ?? null);
}

/** The database keeps one primary for each channel; ids are made anew, because a shrunk world is a new one. */
function withOnePrimary(drawn: Debtor): Debtor {
  const taken = new Set<string>();
  const contacts = drawn.contacts.map((one) => {
    const isPrimary = one.isPrimary && !taken.has(one.channel);
    if (isPrimary) taken.add(one.channel);
    return { ...one, isPrimary, id: newId() };
  });
  const charge = drawn.charge === null ? null : { ...drawn.charge, id: newId() };
  return { ...drawn, contacts, charge, id: newId(), candidateId: newId() };
}

async function judge(people: readonly Debtor[], policy: ContactPolicy, at: Date) {
  const { organizationId, runtime } = world;
  const rows = await runtime.database.read({ organizationId, workspaceId: null }, (db) => {
    const context = {
      db,
      organizationId,
      now: new Date(instants[0]!),
      today: TODAY,
      timeZone: 'America/Sao_Paulo',
    } as unknown as Context;
    const candidates = people.map((one) => ({
      id: one.candidateId,
      personId: one.id,
      chargeId: one.charge?.id ?? null,
      channel: one.channel,
      contactId: askedContact(one),
      purpose: one.purpose,
    }));
    return selectJudged(context, { contactPolicy: policy } as Settings, candidates, at);
  });
  return new Map(
    rows.map(({ candidate_id, reason, next_at, contact_id }) => [
      candidate_id,
      { reason, nextAt: next_at === null ? null : Date.parse(next_at), contactId: contact_id },
    ]),
  );
}

async function store(people: readonly Debtor[], day: string): Promise<void> {
  const { organizationId } = world;
  const insert = (statement: string, rows: readonly object[]) =>
    world.look(statement, [organizationId, JSON.stringify(rows)]);
  await insert(
    `insert into dunning_people (organization_id, id, name, kind, address, state, is_consumer, do_not_contact, deceased,
                                 archived_at, search_text, created_by)
     select $1, p.id, 'Devedora', 'legal', case when p."hasAddress" then '{"street": "Rua Um"}'::jsonb end, p.state, false,
            p."isNotContacted", p."isDeceased", case when p."isArchived" then now() end, 'devedora', $1
       from jsonb_to_recordset($2) as p (id uuid, "hasAddress" boolean, state text, "isNotContacted" boolean,
                                         "isDeceased" boolean, "isArchived" boolean)`,
    people,
  );
  const parts = <Part>(of: (one: Debtor) => readonly Part[]) =>
    people.flatMap((one) => of(one).map((part, index) => ({ ...part, personId: one.id, index })));
  await insert(
    `insert into dunning_contacts (organization_id, id, person_id, channel, value, identity, is_primary, consent, validity,
                                   created_by)
     select $1, k.id, k."personId", k.channel, 'x', k.identity, k."isPrimary", k.consent, k.validity, $1
       from jsonb_to_recordset($2) as k (id uuid, "personId" uuid, channel text, identity text, "isPrimary" boolean,
                                         consent text, validity text)`,
    parts(({ contacts }) => contacts),
  );
  await insert(
    `insert into dunning_charges (organization_id, id, person_id, amount_cents, open_cents, due_date, adjusted_due_date,
                                  description, status, is_disputed, dunning_state, paused_reason, search_text, created_by)
     select $1, c.id, c."personId", 100, 100, c."adjustedDueDate", c."adjustedDueDate", 'x', c.status, c."isDisputed",
            case when c."pausedReason" is null then 'none' else 'paused' end, c."pausedReason", 'x', $1
       from jsonb_to_recordset($2) as c (id uuid, "personId" uuid, "adjustedDueDate" date, status text,
                                         "isDisputed" boolean, "pausedReason" text)`,
    parts(({ charge }) => (charge === null ? [] : [charge])),
  );
  await insert(
    `insert into dunning_holds (organization_id, charge_id, reason, source_id, created_by)
     select $1, h.id, h."otherHold", h.id, $1 from jsonb_to_recordset($2) as h (id uuid, "otherHold" text)`,
    people.flatMap(({ charge }) => (charge === null || charge.otherHold === null ? [] : [charge])),
  );
  await insert(
    `insert into dunning_contact_slots (organization_id, person_id, contact_on, ordinal, notification_id, channel,
                                        policy_version, taken_at)
     select $1, s."personId", '${day}', s.index + 1, s."personId", s.channel, 'x', now()
       from jsonb_to_recordset($2) as s ("personId" uuid, channel text, index integer)`,
    parts(({ slots }) => slots.map((channel) => ({ channel }))),
  );
  await insert(
    `insert into dunning_notifications (organization_id, id, person_id, channel, own_body, trigger, scheduled_for, status,
                                        created_by)
     select $1, gen_random_uuid(), w."personId", w.channel, 'x', 'manual', '${day}T20:00:00Z', 'scheduled', $1
       from jsonb_to_recordset($2) as w ("personId" uuid, channel text)`,
    parts(({ waiting }) => waiting.map((channel) => ({ channel }))),
  );
}
