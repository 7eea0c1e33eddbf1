/** Words, shapes and the editor of roles that the pages of people share. */

import type { Locale } from '../../core/caller.ts';
import { type Html, html } from '../../web/html.ts';
import { type FormError, facts, select } from '../forms.ts';
import type { PageContext } from '../page.ts';

export const roles = ['owner', 'admin', 'finance', 'collections', 'accountant', 'viewer'] as const;
export type RoleName = (typeof roles)[number];

export interface GivenRole {
  readonly workspace_id: string | null;
  readonly role: RoleName;
}

export interface Person {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  readonly status: 'active' | 'invited';
  readonly roles: readonly (GivenRole & { readonly workspace_name: string | null })[];
  readonly last_seen_at: string | null;
  readonly invitation_expires_at: string | null;
}

export const peopleWords = {
  'pt-BR': {
    title: 'Pessoas',
    lead: 'Quem tem acesso à organização e o que cada papel permite.',
    roles: 'Papéis',
    names: {
      owner: 'Proprietário',
      admin: 'Administrador',
      finance: 'Financeiro',
      collections: 'Cobrança',
      accountant: 'Contador',
      viewer: 'Leitor',
    },
    meanings: {
      owner: 'Tudo, e é quem nomeia outros proprietários. Vale para toda a organização.',
      admin: 'Tudo, menos nomear proprietários.',
      finance: 'Registra, aprova e paga; emite cobranças. Não muda as regras de aprovação.',
      collections: 'Cuida da cobrança e vê as contas a receber.',
      accountant: 'Vê as finanças e o que aconteceu; organiza categorias e documentos.',
      viewer: 'Só lê.',
    },
    whole: 'Em toda a organização',
    none: 'Nenhum papel',
    inWorkspace: (name: string) => `Só em ${name}`,
    rolesHint: 'Um papel para toda a organização, ou um para cada espaço de trabalho.',
    whatRolesMean: 'O que cada papel permite',
    somewhere: (role: string, place: string) => `${role} em ${place}`,
    missingRole: 'Escolha pelo menos um papel.',
    errors: {
      forbidden: 'Você não pode dar nem tirar um papel que vai além do seu.',
      duplicate: 'Esta pessoa já faz parte da organização. Altere os papéis dela.',
      last_owner: 'A organização precisa de pelo menos um proprietário.',
    },
  },
  en: {
    title: 'People',
    lead: 'Who has access to the organization, and what each role allows.',
    roles: 'Roles',
    names: {
      owner: 'Owner',
      admin: 'Administrator',
      finance: 'Finance',
      collections: 'Collections',
      accountant: 'Accountant',
      viewer: 'Viewer',
    },
    meanings: {
      owner: 'Everything, and makes other owners. Holds in the whole organization.',
      admin: 'Everything but making owners.',
      finance: 'Registers, approves and pays; issues charges. Does not change the approval rules.',
      collections: 'Does the collecting and sees the receivables.',
      accountant: 'Sees finance and what happened; keeps categories and documents in order.',
      viewer: 'Only reads.',
    },
    whole: 'In the whole organization',
    none: 'No role',
    inWorkspace: (name: string) => `Only in ${name}`,
    rolesHint: 'One role for the whole organization, or one for each workspace.',
    whatRolesMean: 'What each role allows',
    somewhere: (role: string, place: string) => `${role} in ${place}`,
    missingRole: 'Choose at least one role.',
    errors: {
      forbidden: 'You cannot give or take a role that goes beyond yours.',
      duplicate: 'This person belongs to the organization already. Change their roles.',
      last_owner: 'The organization needs at least one owner.',
    },
  },
} as const;

/** The roles of a person as one text. */
export function rolesText(locale: Locale, given: Person['roles']): string {
  const own = peopleWords[locale];
  return given
    .map(({ role, workspace_id, workspace_name }) =>
      workspace_id === null
        ? own.names[role]
        : own.somewhere(own.names[role], workspace_name ?? workspace_id),
    )
    .join('; ');
}

const WHOLE = 'role_all';
const fieldOf = (workspaceId: string) => `role_${workspaceId}`;

/** One choice for the whole organization, and one for each workspace. */
export function rolesEditor(
  ctx: PageContext,
  given: readonly GivenRole[],
  error: FormError | undefined,
): Html {
  const own = peopleWords[ctx.locale];
  const givenAt = (id: string | null) => given.find(({ workspace_id }) => workspace_id === id)?.role ?? '';
  const choices = (isWhole: boolean) => [
    { value: '', label: own.none },
    ...roles
      .filter((role) => role !== 'owner' || (isWhole && ctx.can('account.owners.write')))
      .map((role) => ({ value: role, label: own.names[role] })),
  ];
  return html`<fieldset><legend>${own.roles}</legend><p class="hint">${own.rolesHint}</p>
${select({ name: WHOLE, label: own.whole, choices: choices(true), value: givenAt(null), error: error?.text })}
${ctx.workspaces.map(({ id, name }) =>
  select({ name: fieldOf(id), label: own.inWorkspace(name), choices: choices(false), value: givenAt(id) }),
)}</fieldset>
<details><summary>${own.whatRolesMean}</summary>${facts(roles.map((role) => [own.names[role], own.meanings[role]] as const))}</details>`;
}

/** The roles chosen in a form; those elsewhere than the workspaces the person in front sees are kept. */
export function rolesIn(
  ctx: PageContext,
  form: URLSearchParams,
  kept: readonly GivenRole[] = [],
): GivenRole[] {
  const isRole = (text: string | null): text is RoleName => roles.includes(text as RoleName);
  const places = [null, ...ctx.workspaces.map(({ id }) => id)];
  const chosen = places.flatMap((id): GivenRole[] => {
    const role = form.get(id === null ? WHOLE : fieldOf(id));
    return isRole(role) ? [{ workspace_id: id, role }] : [];
  });
  const unseen = kept.filter(({ workspace_id }) => !places.includes(workspace_id));
  return [...chosen, ...unseen.map(({ workspace_id, role }) => ({ workspace_id, role }))];
}

/** The field of the roles, for errors about them. */
export const ROLES_FIELD = WHOLE;
