/** The organization, its workspaces, the people who sign in and their tokens. */

import type { Locale, Product } from '../../core/caller.ts';
import { newId } from '../../core/ids.ts';
import type { Db } from '../../core/ports.ts';
import { createInvitation } from '../../identity/invitations.ts';
import {
  insertMembership,
  insertOrganization,
  insertUser,
  insertWorkspace,
  selectUserByEmail,
  selectUserToEnrol,
  selectWorkspaces,
} from '../../identity/queries.ts';
import type { Role } from '../../identity/roles.ts';
import { createToken } from '../../identity/tokens.ts';

export const workspaceNames = ['Matriz', 'Filial Recife', 'Projetos'] as const;
export type WorkspaceName = (typeof workspaceNames)[number];

const ORGANIZATION_NAME = 'Grupo Aurora (exemplo)';
const TOKEN_DAYS = 90;
const DAY_MS = 86_400_000;

interface SampleUser {
  readonly name: string;
  readonly role: Role;
  readonly locale: Locale;
  /** The whole organization when absent. */
  readonly workspaces?: readonly WorkspaceName[];
}

/** Who signs in, by the part of the e-mail before `@aurora.example.com`. */
const users = {
  owner: { name: 'Helena Valdoar', role: 'owner', locale: 'pt-BR' },
  approver: { name: 'Caio Brisal', role: 'finance', locale: 'pt-BR' },
  assistant: {
    name: 'Marina Solviva',
    role: 'finance',
    locale: 'en',
    workspaces: ['Matriz', 'Filial Recife'],
  },
  viewer: { name: 'Tales Riovivo', role: 'viewer', locale: 'pt-BR', workspaces: ['Matriz'] },
  collector: { name: 'Ravi Montelume', role: 'collections', locale: 'pt-BR' },
  accountant: { name: 'Bruna Pedrazul', role: 'accountant', locale: 'pt-BR' },
} as const satisfies Record<string, SampleUser>;

export type SampleUserName = keyof typeof users;

export interface SampleOrganization {
  readonly id: string;
  readonly workspaces: Readonly<Record<WorkspaceName, string>>;
}

export interface DemoTokens {
  readonly finance: { readonly full: string; readonly read: string; readonly several_workspaces: string };
  readonly dunning: { readonly full: string; readonly read: string };
}

/** Somebody who may sign in; the link opens once, within a day. */
export interface DemoPerson {
  readonly email: string;
  readonly role: Role;
  /** Null: they have a password. */
  readonly path: string | null;
}

/** The sample organization, or null where it was never loaded: its owner's address is how it is known. */
export async function findOrganization(db: Db): Promise<SampleOrganization | null> {
  const owner = await selectUserByEmail(db, emailOf('owner'));
  if (owner === undefined) return null;
  const known = await selectWorkspaces(db, owner.organization_id);
  return {
    id: owner.organization_id,
    workspaces: byName((name) => known.find((one) => one.name === name)?.id),
  };
}

export async function createOrganization(
  db: Db,
): Promise<SampleOrganization & { readonly users: Readonly<Record<SampleUserName, string>> }> {
  const organizationId = newId();
  await insertOrganization(db, { id: organizationId, name: ORGANIZATION_NAME });
  const workspaces = byName(() => newId());
  for (const name of workspaceNames)
    await insertWorkspace(db, { organizationId, id: workspaces[name], name });
  const ids: Partial<Record<SampleUserName, string>> = {};
  for (const [name, user] of Object.entries(users) as [SampleUserName, SampleUser][]) {
    const userId = newId();
    ids[name] = userId;
    await insertUser(db, { id: userId, email: emailOf(name), name: user.name, locale: user.locale });
    for (const workspace of user.workspaces ?? [null]) {
      const workspaceId = workspace === null ? null : workspaces[workspace];
      await insertMembership(db, { organizationId, userId, workspaceId, role: user.role });
    }
  }
  return { id: organizationId, workspaces, users: ids as Record<SampleUserName, string> };
}

/** Makes new tokens; those made before stay good until they expire. */
export async function createDemoTokens(
  db: Db,
  organization: SampleOrganization,
  now: Date,
): Promise<DemoTokens> {
  const expiresAt = new Date(now.getTime() + TOKEN_DAYS * DAY_MS);
  const make = async (
    user: SampleUserName,
    product: Product,
    access: 'read' | 'write',
    workspaceId: string | null,
  ) => {
    const found = await selectUserByEmail(db, emailOf(user));
    if (found === undefined) throw new Error(`the sample person ${user} is gone`);
    const { token } = await createToken(db, {
      userId: found.id,
      organizationId: organization.id,
      product,
      access,
      workspaceId,
      expiresAt,
      name: 'sample',
    });
    return token;
  };
  const { Matriz: main } = organization.workspaces;
  return {
    finance: {
      full: await make('owner', 'finance', 'write', main),
      read: await make('owner', 'finance', 'read', main),
      several_workspaces: await make('assistant', 'finance', 'write', null),
    },
    dunning: {
      full: await make('owner', 'dunning', 'write', null),
      read: await make('owner', 'dunning', 'read', null),
    },
  };
}

/** Who can sign in to the console of the sample, and the links by which those without a password choose one, once. */
export async function inviteToConsole(
  db: Db,
  organization: SampleOrganization,
  now: Date,
): Promise<DemoPerson[]> {
  const invited: DemoPerson[] = [];
  for (const name of ['owner', 'approver'] as const) {
    const email = emailOf(name);
    const person = await selectUserToEnrol(db, email, ORGANIZATION_NAME);
    if (person === undefined) throw new Error(`the sample person ${name} is gone`);
    const link = person.has_password
      ? null
      : await createInvitation(
          db,
          { userId: person.id, organizationId: organization.id, invitedBy: null },
          now,
        );
    invited.push({ email, role: users[name].role, path: link?.path ?? null });
  }
  return invited;
}

function emailOf(user: SampleUserName): string {
  return `${user}@aurora.example.com`;
}

function byName(idOf: (name: WorkspaceName) => string | undefined): Record<WorkspaceName, string> {
  const ids: Partial<Record<WorkspaceName, string>> = {};
  for (const name of workspaceNames) {
    const id = idOf(name);
    if (id === undefined) throw new Error(`the sample workspace ${name} is gone`);
    ids[name] = id;
  }
  return ids as Record<WorkspaceName, string>;
}
