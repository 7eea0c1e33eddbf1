/** The sample organization: loaded once, so that every tool has something to show. */

import { civilDateAt } from '../../core/dates.ts';
import { digestOf } from '../../core/digest.ts';
import { newId } from '../../core/ids.ts';
import type { JobPlace } from '../../core/job.ts';
import type { AuditEvent, Db } from '../../core/ports.ts';
import { APP_ROLE } from '../../db/database.ts';
import { appendEvent } from '../../db/events.ts';
import { writeAsOwner } from '../../db/owner.ts';
import { raw, sql } from '../../db/sql.ts';
import type { Runtime } from '../runtime.ts';
import { queueQuestions } from './bank-commands.ts';
import type { FinanceBooks } from './dunning/linked.ts';
import { bindTo, insertPortfolio } from './dunning/load.ts';
import { buildPortfolio } from './dunning/portfolio.ts';
import { analyzeSample, insertSample } from './load.ts';
import {
  createDemoTokens,
  createOrganization,
  type DemoPerson,
  type DemoTokens,
  findOrganization,
  inviteToConsole,
  type SampleOrganization,
  type WorkspaceName,
  workspaceNames,
} from './organization.ts';
import { profiles } from './profiles.ts';
import { createRandom } from './random.ts';
import type { Setting } from './setting.ts';
import { bringInStatements } from './statement-loading.ts';
import type { SampleStatement } from './statements.ts';
import { buildWorkspace, type Example } from './workspace.ts';

export type { DemoTokens } from './organization.ts';

/** Any number, the same in every version: the lock that lets one process load at a time. */
const LOAD_LOCK = 7_305_622;
const LOAD_OPERATION = 'demo_load';
const TIME_ZONE = 'America/Sao_Paulo';

export interface DemoReport {
  readonly tokens: DemoTokens;
  readonly people: readonly DemoPerson[];
  /** Records to try things on, besides the organization and its workspaces: of the workspace Matriz, and of dunning. */
  readonly ids: DemoIds;
}

export interface DemoIds {
  readonly organization_id: string;
  readonly workspaces: Readonly<Record<WorkspaceName, string>>;
  /** Open, with a boleto, due in three business days, without an order. */
  readonly payable_ready_to_send: string;
  /** With a fine and interest. */
  readonly payable_overdue: string;
  readonly payable_with_pix_key: string;
  /** Its supplier's bank details are three days old when the sample is loaded. */
  readonly payable_with_new_bank_details: string;
  /** A checking account with money. */
  readonly account: string;
  readonly supplier: string;
  readonly company: string;
  readonly fiscal_document: string;
  readonly attachments: {
    readonly pdf: string;
    readonly xml_utf8: string;
    readonly xml_latin1: string;
    /** As large as a file may be. */
    readonly ten_mib: string;
  };
  readonly dunning: {
    /** Owes `charge`, and has an e-mail address that messages reach. */
    readonly person: string;
    /** Overdue, under a rule, nothing paid and nothing standing against it. */
    readonly charge: string;
    readonly paid_charge: string;
    /** Stands for a receivable of Matriz. */
    readonly linked_charge: string;
    /** In force, its first installments paid. */
    readonly agreement: string;
    /** Open. */
    readonly dispute: string;
    readonly rule: string;
    readonly template: string;
    /** Waits for the approval of somebody else than who asked for it. */
    readonly negativation: string;
  };
}

/**
 * Loads the sample organization if absent (several processes may call this at once), then makes fresh tokens. Who
 * loads it also brings its statements in; should that not come about, all the rest is there and sound.
 */
export async function loadDemo(ownerUrl: string, runtime: Runtime): Promise<DemoReport> {
  const { shared } = runtime.database;
  const now = runtime.now();
  const loaded = (await findOrganization(shared)) === null ? await load(ownerUrl, now) : [];
  for (const { place, userId, statements } of loaded) {
    await bringInStatements(runtime, place, userId, statements);
  }
  if (loaded.length > 0) await writeAsOwner(ownerUrl, analyzeSample);
  const organization = await findOrganization(shared);
  if (organization === null) throw new Error('the sample organization is gone');
  return {
    tokens: await createDemoTokens(shared, organization, now),
    people: await inviteToConsole(shared, organization, now),
    ids: await readIds(runtime, organization),
  };
}

/** A workspace whose rows are there, with the statements still to be brought in. */
interface Loaded {
  readonly place: JobPlace;
  readonly userId: string;
  readonly statements: readonly SampleStatement[];
}

/** Nothing when another process did it. */
function load(ownerUrl: string, now: Date): Promise<Loaded[]> {
  return writeAsOwner(ownerUrl, async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOAD_LOCK})`);
    // Another process may have loaded it while this one waited.
    if ((await findOrganization(db)) !== null) return [];
    // As the application's role: what row-level security would refuse it, the sample must not have either.
    await db.run(sql`set local role ${raw(APP_ROLE)}`);
    return insertEverything(db, now);
  });
}

async function insertEverything(db: Db, now: Date): Promise<Loaded[]> {
  const organization = await createOrganization(db);
  const { owner, approver, assistant } = organization.users;
  const loaded: Loaded[] = [];
  let books: FinanceBooks | undefined;
  for (const name of workspaceNames) {
    const workspaceId = organization.workspaces[name];
    const place = { organizationId: organization.id, workspaceId };
    const setting: Setting = {
      workspaceId,
      today: civilDateAt(now, TIME_ZONE),
      random: createRandom(profiles[name].seed),
      authors: { owner, approver, assistant },
    };
    const { rows, statements, examples } = await buildWorkspace(setting, profiles[name]);
    await db.run(sql`
      select set_config('kobana.organization_id', ${organization.id}, true),
             set_config('kobana.workspace_id', ${workspaceId}, true)`);
    await insertSample(db, workspaceId, rows);
    await queueQuestions(db, place, rows, now);
    await appendEvent(db, workspaceId, loadEvent(now, owner, [workspaceExample(workspaceId), ...examples]));
    if (name === 'Matriz') books = { workspaceId, ...rows };
    loaded.push({ place: { ...place, timeZone: TIME_ZONE }, userId: assistant, statements });
  }
  await insertCollection(db, now, organization, books!);
  return loaded;
}

/** What of finance was handed over for collection, and the portfolio around it. */
async function insertCollection(
  db: Db,
  now: Date,
  { id: organizationId, users: { owner, collector } }: Awaited<ReturnType<typeof createOrganization>>,
  books: FinanceBooks,
): Promise<void> {
  const today = civilDateAt(now, TIME_ZONE);
  const { rows, links, examples } = buildPortfolio(
    { organizationId, now, today, users: { owner, collector } },
    books,
  );
  await bindTo(db, '');
  await insertPortfolio(db, rows, links);
  await appendEvent(db, organizationId, loadEvent(now, owner, examples));
}

function workspaceExample(id: string): Example {
  return { name: 'workspace', kind: 'workspace', id };
}

/** Says that the sample was loaded, and keeps which records are the examples: an event never changes. */
function loadEvent(now: Date, userId: string, examples: readonly Example[]): AuditEvent {
  return {
    id: newId(),
    at: now.toISOString(),
    operation: LOAD_OPERATION,
    outcome: 'done',
    actor: { userId, tokenId: null, clientId: 'sample', surface: 'cli' },
    argumentsDigest: digestOf({}),
    changes: examples.map(({ name, kind, id }) => ({ kind, id, before: null, after: { example: name } })),
  };
}

async function readIds(runtime: Runtime, organization: SampleOrganization): Promise<DemoIds> {
  const organizationId = organization.id;
  const id = await readExamples(runtime, { organizationId, workspaceId: organization.workspaces.Matriz });
  const dunningId = await readExamples(runtime, { organizationId, workspaceId: null });
  return {
    organization_id: organizationId,
    workspaces: organization.workspaces,
    payable_ready_to_send: id('payable_ready_to_send'),
    payable_overdue: id('payable_overdue'),
    payable_with_pix_key: id('payable_with_pix_key'),
    payable_with_new_bank_details: id('payable_with_new_bank_details'),
    account: id('account'),
    supplier: id('supplier'),
    company: id('company'),
    fiscal_document: id('fiscal_document'),
    attachments: {
      pdf: id('attachment_pdf'),
      xml_utf8: id('attachment_xml_utf8'),
      xml_latin1: id('attachment_xml_latin1'),
      ten_mib: id('attachment_ten_mib'),
    },
    dunning: {
      person: dunningId('dunning_person'),
      charge: dunningId('dunning_charge'),
      paid_charge: dunningId('dunning_paid_charge'),
      linked_charge: dunningId('dunning_linked_charge'),
      agreement: dunningId('dunning_agreement'),
      dispute: dunningId('dunning_dispute'),
      rule: dunningId('dunning_rule'),
      template: dunningId('dunning_template'),
      negativation: dunningId('dunning_negativation'),
    },
  };
}

/** The ids of a tenant's examples by their names, as the event of the load keeps them. */
async function readExamples(
  runtime: Runtime,
  tenant: { organizationId: string; workspaceId: string | null },
): Promise<(name: string) => string> {
  const tenantId = tenant.workspaceId ?? tenant.organizationId;
  const row = await runtime.database.read(tenant, (db) =>
    db.row<{ body: string }>(sql`
      select body from events
       where tenant_id = ${tenantId} and operation = ${LOAD_OPERATION}
       order by position limit 1`),
  );
  if (row === undefined) throw new Error('the event of the sample is gone');
  const { changes } = JSON.parse(row.body) as AuditEvent;
  return (name) => {
    const found = changes.find(({ after }) => (after as { example: string }).example === name);
    if (found === undefined) throw new Error(`the sample has no ${name}`);
    return found.id;
  };
}
