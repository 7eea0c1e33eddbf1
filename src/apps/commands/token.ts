import type { AccessLevel, Product } from '../../core/caller.ts';
import { parseId } from '../../core/ids.ts';
import type { Db } from '../../core/ports.ts';
import { selectUserByEmail, selectWorkspaces } from '../../identity/queries.ts';
import { createToken } from '../../identity/tokens.ts';
import { readFlags } from '../command.ts';
import { type Config, UsageError } from '../config.ts';
import { openHouse } from '../house.ts';

const DAY_MS = 86_400_000;
const EXPIRY_DAYS_MAX = 366;

/** Creates a personal access token and shows it, once. */
export async function token(words: readonly string[], config: Config): Promise<void> {
  const { positionals, flags } = readFlags(words, {
    person: { type: 'string' },
    product: { type: 'string' },
    access: { type: 'string' },
    workspace: { type: 'string' },
    expires: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (positionals.join(' ') !== 'create') throw new UsageError('usage: kobana token create --person EMAIL …');
  const email = flags.text('person') ?? missing('--person EMAIL');
  const product = oneOf(flags.text('product'), ['finance', 'dunning'] as const, '--product');
  const access: AccessLevel = oneOf(flags.text('access'), ['read', 'write'] as const, '--access');
  const expiresAt = new Date(Date.now() + daysOf(flags.text('expires') ?? '90d') * DAY_MS);
  const house = await openHouse(config);
  try {
    const db = house.runtime.database.shared;
    const user = await selectUserByEmail(db, email);
    if (user === undefined) throw new UsageError(`nobody has the e-mail ${email}`);
    const workspaceId = await pinnedWorkspace(db, user.organization_id, product, flags.text('workspace'));
    const created = await createToken(db, {
      userId: user.id,
      organizationId: user.organization_id,
      product,
      access,
      workspaceId,
      expiresAt,
      name: 'command line',
    });
    const shown = { token: created.token, id: created.id, expires_at: expiresAt.toISOString() };
    console.log(
      flags.has('json')
        ? JSON.stringify(shown)
        : `${created.token}\nShown once; expires ${shown.expires_at}.`,
    );
  } finally {
    await house.close();
  }
}

async function pinnedWorkspace(
  db: Db,
  organizationId: string,
  product: Product,
  text: string | undefined,
): Promise<string | null> {
  if (text === undefined) return null;
  if (product === 'dunning') throw new UsageError('--workspace is for finance only');
  const id = parseId(text);
  const reachable = await selectWorkspaces(db, organizationId);
  if (!reachable.some((workspace) => workspace.id === id)) {
    throw new UsageError('--workspace is none of the organization');
  }
  return id;
}

function missing(flag: string): never {
  throw new UsageError(`${flag} is required`);
}

function oneOf<const Value extends string>(
  text: string | undefined,
  values: readonly Value[],
  flag: string,
): Value {
  return values.find((value) => value === text) ?? missing(`${flag} ${values.join('|')}`);
}

function daysOf(text: string): number {
  const days = Number(/^(\d{1,3})d$/.exec(text)?.[1] ?? Number.NaN);
  if (!(days >= 1 && days <= EXPIRY_DAYS_MAX))
    throw new UsageError(`--expires takes 1d to ${EXPIRY_DAYS_MAX}d`);
  return days;
}
