import type { Caller, Domain } from '../../src/core/caller.ts';
import { createSession, findSession } from '../../src/identity/sessions.ts';
import type { Who, World } from './world.ts';

/** Somebody signed in to the console of a world. */
export interface TestSession {
  readonly id: string;
  readonly userId: string;
  /** What the cookie holds. */
  readonly secret: string;
  /** The header `Cookie` of a browser that is signed in, over plain http. */
  readonly cookie: string;
  /** The caller as the database has it at this moment. */
  caller(domain: Domain): Promise<Caller>;
  /** Runs an operation of the account as the console does. Throws its `AppError`. */
  account(name: string, args?: object): Promise<Record<string, any>>;
}

/** Signs the person in at the world's present moment, as if by password just now. */
export async function openSession(world: World, who: Who = 'owner'): Promise<TestSession> {
  const db = world.runtime.database.shared;
  const { user, organization } = await world.caller(who);
  const request = { userId: user.id, organizationId: organization.id, userAgent: 'test' };
  const { id, secret } = await createSession(db, { ...request, verifiedWith: 'password' }, world.now());
  const caller = async (domain: Domain) => {
    const found = await (await findSession(db, secret, world.now()))?.callerFor(domain);
    if (found === null || found === undefined) throw new Error(`the session of ${who} is over`);
    return found;
  };
  return {
    id,
    userId: user.id,
    secret,
    cookie: `kobana_session=${secret}`,
    caller,
    account: async (name, args = {}) => callAccount(world, await caller('account'), name, args),
  };
}

/** Runs an operation of the account for this caller. Throws its `AppError`. */
export async function callAccount(
  world: World,
  caller: Caller,
  name: string,
  args: object = {},
): Promise<Record<string, any>> {
  const invoker = world.runtime.invokers.account;
  const operation = invoker.catalogue.byName.get(name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const outcome = await invoker.call(operation, args, caller, { surface: 'console' });
  if (outcome.kind !== 'done') throw new Error(`${name} asked instead of running`);
  return outcome.output;
}
