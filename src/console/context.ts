/** Builds what a page is given: who asks, in which books, and how it reaches REST. */

import type { Caller, Domain, ReachableWorkspace } from '../core/caller.ts';
import { newId } from '../core/ids.ts';
import type { RestClient, RestReply, RestRequest } from '../rest/client.ts';
import type { SignedIn } from '../web/sign-in.ts';
import { type PageContext, PageProblem, type PublicContext } from './page.ts';

const domains = ['finance', 'dunning', 'account'] as const satisfies readonly Domain[];

export interface Visitor {
  readonly visit: PublicContext;
  readonly person: SignedIn;
  readonly client: RestClient;
  /** Counts only when the person reaches it. */
  readonly wantedWorkspaceId: string | null;
  /** Finds the person anew, or null when the session is over. */
  readonly personAgain: () => Promise<SignedIn | null>;
}

/** For somebody who belongs to no organization any more, and sees nothing that has a time. */
const TIME_ZONE_OF_NOBODY = 'America/Sao_Paulo';

/** What a page of this person is given. */
export async function contextOf(visitor: Visitor): Promise<PageContext> {
  const { visit, person, client, wantedWorkspaceId } = visitor;
  const found = await Promise.all(domains.map((domain) => person.callerFor(domain)));
  const callers = new Map<Domain, Caller | null>(domains.map((domain, index) => [domain, found[index]!]));
  const finance = callers.get('finance') ?? null;
  const workspaces = [...(finance?.workspaces.values() ?? [])].toSorted((one, other) =>
    one.name.localeCompare(other.name, visit.locale),
  );
  const workspace = chosenOf(workspaces, [wantedWorkspaceId, finance?.defaultWorkspaceId ?? null]);
  const organizationTimeZone = callers.get('account')?.organization.timeZone ?? TIME_ZONE_OF_NOBODY;
  const rest = async (domain: Domain, request: RestRequest): Promise<RestReply> => {
    const caller = callers.get(domain) ?? null;
    if (caller === null) return { status: 403, headers: {}, body: { code: 'forbidden' } };
    const idempotencyKey = request.idempotencyKey ?? (request.method === 'GET' ? undefined : newId());
    const reply = await client(
      { ...request, ...(idempotencyKey !== undefined && { idempotencyKey }) },
      caller,
    );
    if (reply.status >= 500) throw new PageProblem(reply);
    return reply;
  };
  return {
    ...visit,
    person,
    formWord: person.formWord,
    workspace,
    workspaceId: workspace?.id ?? null,
    workspaces,
    timeZone: workspace?.timeZone ?? organizationTimeZone,
    organizationTimeZone,
    caller: async (domain) => callers.get(domain) ?? null,
    can: (scope) => {
      const domain = scope.split('.', 1)[0] as Domain;
      const held = domain === 'finance' ? workspace?.scopes : callers.get(domain)?.organizationScopes;
      return held?.has(scope) ?? false;
    },
    async renewed() {
      const again = await visitor.personAgain();
      if (again === null)
        throw new PageProblem({ status: 401, headers: {}, body: { code: 'unauthenticated' } });
      return contextOf({ ...visitor, person: again });
    },
    rest,
    async restOk<T>(domain: Domain, request: RestRequest): Promise<T> {
      const reply = await rest(domain, request);
      if (reply.status >= 400) throw new PageProblem(reply);
      return reply.body as T;
    },
  };
}

function chosenOf(
  workspaces: readonly ReachableWorkspace[],
  wishes: readonly (string | null)[],
): ReachableWorkspace | null {
  for (const wish of wishes) {
    const found = workspaces.find(({ id }) => id === wish);
    if (found !== undefined) return found;
  }
  return workspaces[0] ?? null;
}
