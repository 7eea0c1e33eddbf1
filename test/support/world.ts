import pg from 'pg';
import { openRuntime, type Runtime } from '../../src/apps/runtime.ts';
import type { AccessLevel, Caller, Product } from '../../src/core/caller.ts';
import type { TrustedProxies } from '../../src/core/client-address.ts';
import type { Question } from '../../src/core/confirmations.ts';
import { newId } from '../../src/core/ids.ts';
import type { Outcome } from '../../src/core/invoke.ts';
import type { RateLimits } from '../../src/core/rate-limits.ts';
import {
  insertMembership,
  insertOrganization,
  insertUser,
  insertWorkspace,
} from '../../src/identity/queries.ts';
import type { Role } from '../../src/identity/roles.ts';
import { createToken } from '../../src/identity/tokens.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';

export const TEST_KEY = 'a key for tests of thirty-two bytes or more';

/** A client that can show a form. */
export const formCapable = { elicitation: {} };

type Output = Record<string, any>;

/**
 * A real database with two organizations. "Aurora" has the workspaces "Matriz" and "Filial"; "Boreal" has one.
 * `owner` reaches Matriz by a pinned token, `several` both workspaces without a default, `stranger` is of Boreal.
 */
export interface World {
  readonly runtime: Runtime;
  readonly url: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly otherWorkspaceId: string;
  readonly foreignWorkspaceId: string;
  readonly tokens: Readonly<Record<Who, string>>;
  /** Time as the system under test sees it. */
  setNow(instant: string): void;
  now(): Date;
  caller(who: Who): Promise<Caller>;
  /** Runs an operation; a destructive one is asked and confirmed. Throws its `AppError`. */
  call(name: string, args?: object, who?: Who): Promise<Output>;
  /** One call as a client sends it, with what it says about confirming. */
  send(name: string, args: object, confirmation?: Confirmation, who?: Who): Promise<Outcome>;
  /** The question of a destructive operation. */
  ask(name: string, args: object, who?: Who): Promise<Question>;
  /** Answers yes to the question with this state. */
  confirm(name: string, args: object, state: string, who?: Who): Promise<Output>;
  /** Runs one statement past row-level security. */
  look<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface Confirmation {
  readonly capabilities?: unknown;
  readonly state?: string;
  readonly responses?: unknown;
}

const people = {
  owner: { role: 'owner', access: 'write', pinned: true },
  approver: { role: 'finance', access: 'write', pinned: true },
  reader: { role: 'owner', access: 'read', pinned: true },
  viewer: { role: 'viewer', access: 'write', pinned: true },
  accountant: { role: 'accountant', access: 'write', pinned: true },
  several: { role: 'owner', access: 'write', pinned: false },
  colleague: { role: 'owner', access: 'write', pinned: true },
  collector: { role: 'collections', access: 'write', pinned: true },
  stranger: { role: 'owner', access: 'write', pinned: true },
} as const satisfies Record<string, { role: Role; access: AccessLevel; pinned: boolean }>;

export type Who = keyof typeof people;

export async function openWorld(
  options: {
    product?: Product;
    poolSize?: number;
    database?: TestDatabase;
    rateLimits?: RateLimits;
    trustedProxies?: TrustedProxies;
  } = {},
): Promise<World> {
  const product = options.product ?? 'finance';
  const testDatabase = options.database ?? (await cloneDatabase());
  // Connecting anew for every look would take longer than the look.
  const owner = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
  // A server that a test stops takes the idle connections with it.
  owner.on('error', () => undefined);
  let clock = new Date('2026-10-01T12:00:00Z');
  const runtime = openRuntime({
    databaseUrl: testDatabase.url,
    secretKeys: [TEST_KEY],
    environment: 'test',
    poolSize: options.poolSize ?? 4,
    rateLimits: options.rateLimits ?? {},
    trustedProxies: options.trustedProxies,
    now: () => clock,
    logFailure: (error, what) => console.error(what, error),
  });
  const home = await createOrganization(runtime, 'Aurora', ['Matriz', 'Filial']);
  const abroad = await createOrganization(runtime, 'Boreal', ['Sede']);
  const tokens = {} as Record<Who, string>;
  for (const who of Object.keys(people) as Who[]) {
    tokens[who] = await createPerson(runtime, product, who, who === 'stranger' ? abroad : home);
  }
  const caller = async (who: Who) => {
    const found = await runtime.authenticator.authenticate(tokens[who], product, clock);
    if (found === null) throw new Error(`no caller for ${who}`);
    return found;
  };
  const send: World['send'] = async (name, args, confirmation = {}, who = 'owner') => {
    const invoker = runtime.invokers[product];
    const operation = invoker.catalogue.byName.get(name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    return invoker.call(operation, args, await caller(who), {
      surface: 'mcp',
      confirmation: {
        capabilities: formCapable,
        state: undefined,
        responses: undefined,
        ...confirmation,
      },
    });
  };
  const confirm: World['confirm'] = async (name, args, state, who) => {
    const responses = { confirm: { action: 'accept', content: { confirm: true } } };
    return outputOf(await send(name, args, { state, responses }, who));
  };
  return {
    runtime,
    url: testDatabase.url,
    organizationId: home.organizationId,
    workspaceId: home.workspaceIds[0]!,
    otherWorkspaceId: home.workspaceIds[1]!,
    foreignWorkspaceId: abroad.workspaceIds[0]!,
    tokens,
    setNow: (instant) => {
      clock = new Date(instant);
    },
    now: () => clock,
    caller,
    send,
    confirm,
    async call(name, args = {}, who = 'owner') {
      const outcome = await send(name, args, {}, who);
      return outcome.kind === 'done' ? outcome.output : confirm(name, args, outcome.question.state, who);
    },
    async ask(name, args, who) {
      const outcome = await send(name, args, {}, who);
      if (outcome.kind !== 'ask') throw new Error(`${name} did not ask`);
      return outcome.question;
    },
    look: async (text, values) => (await owner.query(text, values)).rows,
    async close() {
      await owner.end();
      await runtime.close();
      await testDatabase.drop();
    },
  };
}

function outputOf(outcome: Outcome): Output {
  if (outcome.kind !== 'done') throw new Error('asked instead of running');
  return outcome.output;
}

interface TestOrganization {
  readonly organizationId: string;
  readonly workspaceIds: readonly string[];
}

async function createOrganization(
  runtime: Runtime,
  name: string,
  workspaces: string[],
): Promise<TestOrganization> {
  const db = runtime.database.shared;
  const organizationId = newId();
  await insertOrganization(db, { id: organizationId, name });
  const workspaceIds: string[] = [];
  for (const workspace of workspaces) {
    const id = newId();
    await insertWorkspace(db, { organizationId, id, name: workspace });
    workspaceIds.push(id);
  }
  return { organizationId, workspaceIds };
}

async function createPerson(
  runtime: Runtime,
  product: Product,
  who: Who,
  organization: TestOrganization,
): Promise<string> {
  const db = runtime.database.shared;
  const { role, access, pinned } = people[who];
  const userId = newId();
  await insertUser(db, { id: userId, email: `${who}@example.com`, name: `Person ${who}`, locale: 'pt-BR' });
  const { organizationId, workspaceIds } = organization;
  await insertMembership(db, { organizationId, userId, workspaceId: null, role });
  const { token } = await createToken(db, {
    userId,
    organizationId,
    product,
    access,
    workspaceId: pinned && product === 'finance' ? workspaceIds[0]! : null,
    expiresAt: new Date('2030-01-01T00:00:00Z'),
  });
  return token;
}
