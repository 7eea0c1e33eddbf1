import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Locale } from '../../core/caller.ts';
import { digestOf } from '../../core/digest.ts';
import { newId } from '../../core/ids.ts';
import { SYSTEM_USER_ID } from '../../core/job.ts';
import type { AuditEvent, Db } from '../../core/ports.ts';
import { cleanOutsideText } from '../../core/text.ts';
import { appendEvent } from '../../db/events.ts';
import { createInvitation } from '../../identity/invitations.ts';
import {
  insertMembership,
  insertOrganization,
  insertUser,
  insertWorkspace,
  selectUserToEnrol,
} from '../../identity/queries.ts';
import { readFlags } from '../command.ts';
import { type Config, UsageError } from '../config.ts';
import { openHouse } from '../house.ts';
import type { Runtime } from '../runtime.ts';
import { consoleUrlOf } from './console-url.ts';

const USAGE =
  'usage: kobana owner create --email EMAIL --name NAME --organization NAME [--workspace NAME] [--locale pt-BR|en] [--json]';
const NAME_MAX = 120;
const firstWorkspace: Readonly<Record<Locale, string>> = { 'pt-BR': 'Principal', en: 'Main' };

export interface OwnerRequest {
  readonly email: string;
  readonly name: string;
  readonly organization: string;
  readonly workspace: string;
  readonly locale: Locale;
}

export interface CreatedOwner {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly userId: string;
  /** The link to choose a password by; null for somebody who has one. */
  readonly link: { readonly path: string; readonly expiresAt: Date } | null;
}

/** Creates an organization with its first workspace and its owner, and prints the link that lets the owner in, once. */
export async function owner(words: readonly string[], config: Config): Promise<void> {
  const { positionals, flags } = readFlags(words, {
    email: { type: 'string' },
    name: { type: 'string' },
    organization: { type: 'string' },
    workspace: { type: 'string' },
    locale: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (positionals.join(' ') !== 'create') throw new UsageError(USAGE);
  const request = ownerRequestOf((name) => flags.text(name));
  const house = await openHouse(config);
  try {
    const { organizationId, workspaceId, userId, link } = await createOwner(house.runtime, request);
    const url = link === null ? null : consoleUrlOf(config, link.path);
    const shown = {
      organization_id: organizationId,
      workspace_id: workspaceId,
      person_id: userId,
      url,
      expires_at: link?.expiresAt.toISOString() ?? null,
    };
    if (flags.has('json')) console.log(JSON.stringify(shown));
    else if (url === null) console.log('Created. The owner signs in with the password they have.');
    else console.log(`${url}\nOpens once, until ${shown.expires_at}: there the owner chooses a password.`);
  } finally {
    await house.close();
  }
}

/** What the flags ask for. Fails with a usage error that names the flag. */
export function ownerRequestOf(flag: (name: string) => string | undefined): OwnerRequest {
  const locale = flag('locale') ?? 'pt-BR';
  if (locale !== 'pt-BR' && locale !== 'en') throw new UsageError('--locale is pt-BR or en');
  const named = (name: string, otherwise?: string) => {
    const text = cleanOutsideText(flag(name) ?? otherwise ?? '', NAME_MAX);
    if (text === '') throw new UsageError(`--${name} is required\n${USAGE}`);
    return text;
  };
  const email = z.email().max(254).safeParse(flag('email')?.trim().toLowerCase());
  if (!email.success) throw new UsageError(`--email takes an address such as name@example.com\n${USAGE}`);
  return {
    email: email.data,
    name: named('name'),
    organization: named('organization'),
    workspace: named('workspace', firstWorkspace[locale]),
    locale,
  };
}

/** Everything in one transaction. Fails with a usage error when the person owns an organization of that name already. */
export async function createOwner(runtime: Runtime, request: OwnerRequest): Promise<CreatedOwner> {
  const organizationId = newId();
  const workspaceId = newId();
  const now = runtime.now();
  return runtime.database.write({ organizationId, workspaceId: null }, async (db) => {
    const known = await selectUserToEnrol(db, request.email, request.organization);
    if (known?.owns_it === true) {
      throw new UsageError('this person owns an organization of that name already; see: kobana person reset');
    }
    // No time in it, as with those who are invited: it must not say who was here first.
    const userId = known?.id ?? randomUUID();
    if (known === undefined) await insertUser(db, { ...request, id: userId });
    await insertOrganization(db, { id: organizationId, name: request.organization });
    await insertWorkspace(db, { organizationId, id: workspaceId, name: request.workspace });
    await insertMembership(db, { organizationId, userId, workspaceId: null, role: 'owner' });
    const invitation = { userId, organizationId, invitedBy: null };
    const link = known?.has_password === true ? null : await createInvitation(db, invitation, now);
    await record(db, { organizationId, workspaceId, userId }, request, now);
    return { organizationId, workspaceId, userId, link };
  });
}

/** The first event of the organization's chain. */
async function record(
  db: Db,
  made: { organizationId: string; workspaceId: string; userId: string },
  request: OwnerRequest,
  now: Date,
): Promise<void> {
  const { organizationId, workspaceId, userId } = made;
  const changes = [
    { kind: 'organization', id: organizationId, before: null, after: { name: request.organization } },
    { kind: 'workspace', id: workspaceId, before: null, after: { name: request.workspace } },
    { kind: 'person', id: userId, before: null, after: { roles: [{ workspace_id: null, role: 'owner' }] } },
  ];
  await appendEvent(db, organizationId, commandLineEvent('owner_create', changes, now));
}

/** An event of the command line, where nobody is signed in. */
export function commandLineEvent(operation: string, changes: AuditEvent['changes'], now: Date): AuditEvent {
  return {
    id: newId(),
    at: now.toISOString(),
    operation,
    outcome: 'done',
    actor: { userId: SYSTEM_USER_ID, tokenId: null, clientId: 'command line', surface: 'cli' },
    argumentsDigest: digestOf(changes.map(({ kind, id }) => ({ kind, id }))),
    changes,
  };
}
