/** Debtors and charges that tests start from, and the worker's dunning jobs run one by one on the real queue. */

import { adjustedDueDateOf } from '../../src/core/accruals.ts';
import { newId } from '../../src/core/ids.ts';
import { plainLetters } from '../../src/core/text.ts';
import { dunning, jobs } from '../../src/dunning/index.ts';
import type { DunningGateways } from '../../src/gateways/dunning.ts';
import { runJob } from '../../src/worker/index.ts';
import { cnpjOf } from './records.ts';
import type { World } from './world.ts';

let debtors = 0;

export interface DebtorFields {
  name?: string;
  kind?: 'natural' | 'legal';
  document_number?: string | null;
  state?: string | null;
  is_consumer?: boolean;
  do_not_contact?: boolean;
  deceased?: boolean;
  email?: string | null;
  phone?: string | null;
  address?: object | null;
  organizationId?: string;
}

/** A company in SP with an e-mail address and a number for SMS and WhatsApp unless fields say otherwise. */
export async function createDebtor(world: World, fields: DebtorFields = {}): Promise<string> {
  debtors += 1;
  const id = newId();
  const organizationId = fields.organizationId ?? world.organizationId;
  const name = fields.name ?? `Devedora ${debtors} Ltda`;
  const kind = fields.kind ?? 'legal';
  const address = {
    street: 'Rua das Flores',
    number: String(debtors),
    complement: null,
    district: 'Centro',
    city: 'São Paulo',
    state: fields.state ?? 'SP',
    postal_code: '01001000',
  };
  await world.look(
    `insert into dunning_people (organization_id, id, name, kind, document_number, address, state, is_consumer,
                                 do_not_contact, deceased, search_text, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $1)`,
    [
      organizationId,
      id,
      name,
      kind,
      fields.document_number === undefined ? cnpjOf(30_000 + debtors) : fields.document_number,
      fields.address === undefined
        ? JSON.stringify(address)
        : fields.address && JSON.stringify(fields.address),
      fields.state === undefined ? 'SP' : fields.state,
      fields.is_consumer ?? kind === 'natural',
      fields.do_not_contact ?? false,
      fields.deceased ?? false,
      plainLetters(name),
    ],
  );
  const email = fields.email === undefined ? `devedor${debtors}@example.com` : fields.email;
  if (email !== null) await createContact(world, id, 'email', email, organizationId);
  const phone = fields.phone === undefined ? `+55119${String(80_000_000 + debtors)}` : fields.phone;
  if (phone !== null) {
    await createContact(world, id, 'sms', phone, organizationId);
    await createContact(world, id, 'whatsapp', phone, organizationId);
  }
  return id;
}

/** A contact as it is kept: e-mails in lower case, numbers in E.164, their identity without the ninth digit. */
export async function createContact(
  world: World,
  personId: string,
  channel: 'email' | 'sms' | 'whatsapp' | 'phone' | 'letter',
  value: string,
  organizationId = world.organizationId,
): Promise<string> {
  const id = newId();
  await world.look(
    `insert into dunning_contacts (organization_id, id, person_id, channel, value, identity, is_primary, created_by)
     values ($1, $2, $3, $4, $5, $6, true, $1)`,
    [organizationId, id, personId, channel, value, value.replace(/^(\+55\d\d)9(\d{8})$/, '$1$2')],
  );
  return id;
}

let charges = 0;

export interface ChargeFields {
  person_id: string;
  amount_cents?: number;
  due_date?: string;
  status?: 'pending' | 'overdue';
  terms?: object | null;
  external_id?: string;
  collection_rule_id?: string;
  rule_started_at?: string;
  tags?: string[];
  organizationId?: string;
}

/** A charge of 100.00 due on 2026-09-01, overdue, under no rule, unless fields say otherwise. */
export async function createCharge(world: World, fields: ChargeFields): Promise<string> {
  charges += 1;
  const id = newId();
  const due = fields.due_date ?? '2026-09-01';
  await world.look(
    `insert into dunning_charges (organization_id, id, person_id, amount_cents, open_cents, due_date, adjusted_due_date,
                                  description, document_number, terms, status, external_id, collection_rule_id,
                                  rule_started_at, dunning_state, tags, search_text, created_by)
     values ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $1)`,
    [
      fields.organizationId ?? world.organizationId,
      id,
      fields.person_id,
      fields.amount_cents ?? 10_000,
      due,
      adjustedDueDateOf(due),
      `Mensalidade ${charges}`,
      `NF-${charges}`,
      fields.terms === undefined || fields.terms === null ? null : JSON.stringify(fields.terms),
      fields.status ?? 'overdue',
      fields.external_id ?? null,
      fields.collection_rule_id ?? null,
      fields.collection_rule_id === undefined ? null : (fields.rule_started_at ?? '2026-01-01T00:00:00Z'),
      fields.collection_rule_id === undefined ? 'none' : 'active',
      fields.tags ?? [],
      `mensalidade ${charges} nf-${charges}`,
    ],
  );
  return id;
}

interface QueuedJob extends Record<string, unknown> {
  id: string;
  task: string;
  payload: unknown;
}

/** Jobs that wait and whose time has come on the clock of the world, oldest first. */
async function due(world: World): Promise<QueuedJob[]> {
  return world.look<QueuedJob>(
    `select j.id, t.identifier as task, j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
      where j.run_at <= $1 or j.run_at <= j.created_at + interval '1 second' order by j.id`,
    [world.now()],
  );
}

/** Runs what waits, and what that queues, until nothing is left; gives the tasks that ran and what they threw. */
export async function runDunningQueue(
  world: World,
  gateways: DunningGateways,
  roundsMax = 20,
): Promise<string[]> {
  const ran: string[] = [];
  for (let round = 0; round < roundsMax; round += 1) {
    const waiting = await due(world);
    if (waiting.length === 0) return ran;
    for (const { id, task, payload } of waiting) {
      await world.look('delete from graphile_worker._private_jobs where id = $1', [id]);
      const error = await runDunningJob(world, gateways, task, payload);
      ran.push(error === undefined ? task : `${task}: ${(error as Error).name}`);
    }
  }
  return ran;
}

/** Runs one job outside the queue, in the organization unless the payload says more; gives what it threw. */
export async function runDunningJob(
  world: World,
  gateways: DunningGateways,
  task: string,
  payload: unknown = { organizationId: world.organizationId },
): Promise<unknown> {
  const job = jobs.find((known) => known.task === task);
  if (job === undefined) throw new Error(`no job ${task}`);
  const { runtime } = world;
  try {
    await runJob(
      { ports: runtime.portsOf(dunning.catalogue), shared: runtime.database.shared, gateways },
      job,
      payload,
    );
    return undefined;
  } catch (error) {
    return error;
  }
}
