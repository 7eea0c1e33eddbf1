import { z } from 'zod';
import type { AccessLevel, Caller, Domain, Locale } from './caller.ts';
import type { Db, Job, Transaction } from './ports.ts';

/** What the effect of an operation is; hints, access level and confirmation all derive from it. */
export type Effect = 'read' | 'write' | 'destructive';

/** Whose rows an operation works on: of one workspace, of the organization, or of nobody (catalogues, identity). */
export type TenantKind = 'workspace' | 'organization' | 'none';

/**
 * One line of the question put to a person. Bound facts are part of the confirmation: when the value of one
 * changes before the answer, the person is asked again. Values are raw; the question escapes them.
 */
export interface Fact {
  /** Stable key, unique in the question, for example `amount`. */
  readonly key: string;
  readonly label: Readonly<Record<Locale, string>>;
  readonly value: string | Readonly<Record<Locale, string>>;
  /** The whole amount that the action moves, gives up or commits to, in centavos; on one line of the question at most. */
  readonly movesCents?: number;
  /** Text from outside is quoted and escaped; `ours` is text this code computed (amounts, dates, sentences). */
  readonly origin: 'outside' | 'ours';
  /** False for lines that move by themselves, such as "confirmed 3 minutes ago". Default true. */
  readonly bound?: boolean;
}

/** How far a long call is. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

export interface Context {
  readonly db: Db;
  readonly caller: Caller;
  readonly organizationId: string;
  /** The workspace of the call; the empty string when the operation has none, which matches no row. */
  readonly workspaceId: string;
  /** True inside the transaction of a write: rows that decide are then read with a lock. */
  readonly isWriting: boolean;
  /** Scopes the caller holds at this place. */
  readonly scopes: ReadonlySet<string>;
  readonly now: Date;
  /** The civil date now in the time zone of the workspace or organization. */
  readonly today: string;
  readonly timeZone: string;
  /** The address under which clients reach this server, without a path; null where there is none, as over stdio. */
  readonly publicUrl: string | null;
  /** As `host:port`: private addresses that may be called although nothing else private is; for tests. */
  readonly testHosts: readonly string[];
  /** Tells whoever waits how far the work is; never waits itself, and nobody may be listening. */
  readonly progress: (step: Progress) => void;
  /** The catalogue of operations, for those that describe it. */
  readonly catalogue: Catalogue;
}

export interface WriteContext extends Context {
  readonly db: Transaction;
  /** Everything is rolled back in the end. For saying so in the answer; nothing may be done otherwise for it. */
  readonly isDryRun: boolean;
  /** A new UUIDv7. */
  readonly newId: () => string;
  /** Adds what happened to a record to this operation's audit event. */
  readonly changed: (kind: string, id: string, before: unknown, after: unknown) => void;
  /** Queues a job in this transaction. */
  readonly enqueue: (job: Job) => void;
}

export interface OperationDefinition<
  Input extends z.ZodRawShape,
  Output extends z.ZodObject,
  E extends Effect,
> {
  /** The tool name, `<product>_<resources>_<verb>`, or `account_…` for what only the console does; the file is named after the verb. */
  readonly name: string;
  readonly title: string;
  /** The title in the question put to a person who reads Portuguese; every destructive operation has one. */
  readonly titlePortuguese?: string;
  readonly summary: string;
  readonly effect: E;
  /** The scope family, for example `finance.payables`; null when any connection of the product may call it. */
  readonly scope: string | null;
  /** Scopes needed besides the family's, such as `finance.payments.send`. */
  readonly alsoScopes?: readonly string[];
  /** Default: `workspace` for finance, `organization` for the others. */
  readonly tenant?: TenantKind;
  readonly hints?: { readonly idempotent?: boolean; readonly openWorld?: boolean };
  /** Adds the argument `dry_run`: the same code, rolled back. `default`: unless the caller says false. */
  readonly dryRun?: boolean | 'default';
  /** Fields of the answer that hold a secret: shown to this call, null when it is repeated with its idempotency key. */
  readonly onceOnly?: readonly string[];
  /** Runs only for a person in the console who proved to be there in the last minutes. */
  readonly needsFreshSession?: boolean;
  readonly input: Input;
  readonly output: Output;
  /** Destructive operations only: checks that the action can go ahead now and gives the facts to show and bind. */
  readonly question?: E extends 'destructive'
    ? (input: InputOf<Input>, context: Context) => Promise<readonly Fact[]>
    : never;
  readonly run: (
    input: InputOf<Input>,
    context: E extends 'read' ? Context : WriteContext,
  ) => Promise<z.input<Output>>;
}

export type InputOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** A registered operation: the definition plus everything derived from it once. */
export interface Operation {
  readonly name: string;
  readonly product: Domain;
  readonly title: string;
  readonly titlePortuguese: string | undefined;
  readonly summary: string;
  readonly effect: Effect;
  readonly access: AccessLevel;
  readonly tenant: TenantKind;
  /** Every permission scope the caller must hold. */
  readonly scopes: readonly string[];
  readonly hints: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly onceOnly: readonly string[];
  readonly needsFreshSession: boolean;
  /** The family of tools it belongs to, such as `payables`; empty for what belongs to every family. */
  readonly toolset: string;
  /** Closed object, shared arguments included. */
  readonly input: z.ZodObject;
  /** What `run` gives. */
  readonly output: z.ZodObject;
  /** What the caller gets: the same, but of the items of a list only the fields asked for. */
  readonly answer: z.ZodObject;
  readonly question: ((input: never, context: Context) => Promise<readonly Fact[]>) | undefined;
  readonly run: (input: never, context: never) => Promise<unknown>;
}

export interface Catalogue {
  readonly operations: readonly Operation[];
  readonly byName: ReadonlyMap<string, Operation>;
}

/** The token scope that each access level stands for (PROTOCOL C-71); write implies read. */
export function tokenScopeOf(product: Domain, access: AccessLevel): string {
  return `${product}:${access}`;
}

/**
 * Makes an operation of its definition. Throws at start-up when the definition contradicts itself: a wrong
 * name, a destructive operation without a question, a question on one that is not destructive.
 */
export function operation<
  const Input extends z.ZodRawShape,
  Output extends z.ZodObject,
  const E extends Effect,
>(definition: OperationDefinition<Input, Output, E>): Operation {
  const { name, effect, scope, alsoScopes = [], hints = {} } = definition;
  const product = productOf(name);
  const isDestructive = effect === 'destructive';
  if (isDestructive !== (definition.question !== undefined)) {
    throw new Error(`${name}: exactly the destructive operations have a question`);
  }
  const tenant = definition.tenant ?? (product === 'finance' ? 'workspace' : 'organization');
  const family = scope === null ? [] : [effect === 'read' ? scope : `${scope}.write`];
  const item = name.endsWith('_list') ? itemOf(definition.output) : null;
  return {
    name,
    product,
    title: definition.title,
    titlePortuguese: definition.titlePortuguese,
    summary: definition.summary,
    effect,
    access: effect === 'read' ? 'read' : 'write',
    tenant,
    scopes: [...family, ...alsoScopes],
    hints: {
      readOnlyHint: effect === 'read',
      destructiveHint: isDestructive,
      idempotentHint: effect === 'read' || (hints.idempotent ?? false),
      openWorldHint: hints.openWorld ?? false,
    },
    onceOnly: definition.onceOnly ?? [],
    needsFreshSession: definition.needsFreshSession ?? false,
    toolset: toolsetOf(name, scope),
    input: z.strictObject({
      ...definition.input,
      ...(item !== null && { fields: fieldsArgument(item) }),
      ...sharedArguments(effect, tenant, definition.dryRun ?? false),
    }),
    output: definition.output,
    answer:
      item === null ? definition.output : z.object({ ...definition.output.shape, items: cutItems(item) }),
    question: definition.question as Operation['question'],
    run: definition.run as Operation['run'],
  };
}

function productOf(name: string): Domain {
  const product = /^(finance|dunning|account)_[a-z_]{2,56}$/.exec(name)?.[1];
  if (product === undefined) throw new Error(`${name}: an operation name starts with its product`);
  return product as Domain;
}

/** The last word of the scope family; what has none is called after the records in its name. */
function toolsetOf(name: string, scope: string | null): string {
  if (scope !== null) return scope.slice(scope.indexOf('.') + 1);
  return name.split('_').slice(1, -1).join('_');
}

/** The record that a list is made of, or null when the answer is no list of records. */
function itemOf(output: z.ZodObject): z.ZodObject | null {
  const items: unknown = output.shape['items'];
  return items instanceof z.ZodArray && items.element instanceof z.ZodObject ? items.element : null;
}

function fieldsArgument(item: z.ZodObject): z.ZodType {
  const names = Object.keys(item.shape);
  return z
    .array(z.enum(names))
    .min(1)
    .max(names.length)
    .optional()
    .describe('Only these fields of each item, and `id`.');
}

/** A field that was not asked for is absent, so that only the id is certain. */
function cutItems(item: z.ZodObject): z.ZodArray<z.ZodObject> {
  const cut = item.partial();
  return z.array('id' in item.shape ? cut.required({ id: true }) : cut);
}

/** The answer of a list with only the fields that the arguments ask for; every other answer as it is. */
export function selectFields(
  input: Readonly<Record<string, unknown>>,
  output: Record<string, unknown>,
): Record<string, unknown> {
  const { fields } = input;
  if (!Array.isArray(fields) || !Array.isArray(output['items'])) return output;
  const kept = new Set<string>(['id', ...fields]);
  const items = output['items'].map((item: object) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => kept.has(name))),
  );
  return { ...output, items };
}

/** The arguments an operation has because of what it is; no operation declares them itself. */
function sharedArguments(effect: Effect, tenant: TenantKind, canDryRun: boolean | 'default'): z.ZodRawShape {
  const shape: Record<string, z.ZodType> = {};
  if (tenant === 'workspace') {
    shape['workspace_id'] = z
      .uuid({ error: 'the id of a workspace, a UUID' })
      .optional()
      .describe("The workspace; default: the connection's own.");
  }
  if (effect !== 'read') {
    shape['idempotency_key'] = z
      .string({ error: 'text of 1 to 255 characters' })
      .min(1)
      .max(255)
      .optional()
      .describe('Makes a repeated call safe: same key and arguments, same answer, for 24 hours.');
  }
  if (canDryRun !== false) {
    const said = z.boolean();
    shape['dry_run'] = (canDryRun === 'default' ? said.default(true) : said.optional()).describe(
      'Show what would happen; nothing is changed.',
    );
  }
  return shape;
}

/** Builds the catalogue and refuses two operations of one name. */
export function catalogueOf(operations: readonly Operation[]): Catalogue {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  if (byName.size !== operations.length) throw new Error('two operations share a name');
  return { operations, byName };
}

/** Whether the caller sees the operation: its access level and, at any place reached, every scope. */
export function mayList(operation: Operation, access: AccessLevel, scopes: ReadonlySet<string>): boolean {
  return (operation.access === 'read' || access === 'write') && operation.scopes.every((s) => scopes.has(s));
}
