/** Deciding on what waits for a person: a session of the console only, whatever a token may do. */

import { z } from 'zod';
import type { Domain } from '../core/caller.ts';
import { fail, failArgument } from '../core/errors.ts';
import type { Invoker } from '../core/invoke.ts';
import type { Ask, Endpoint } from './dispatch.ts';
import type { Entry } from './router.ts';

const workspace = z.uuid({ error: 'the id of a workspace, a UUID' }).nullish();

const bodies = {
  open: z.strictObject({ workspace_id: workspace }),
  approve: z.strictObject({
    workspace_id: workspace,
    state: z.string({ error: 'the state that came with the question' }).max(16_384).optional(),
  }),
  decline: z.strictObject({
    workspace_id: workspace,
    reason: z.string({ error: 'text of at most 500 characters' }).max(500).nullish(),
  }),
};

/** `POST /<product>/v1/approvals/{id}/open`, `…/approve` and `…/decline` of both products. */
export function approvalEndpoints(invokers: Readonly<Record<Domain, Invoker>>): Entry<Endpoint>[] {
  return (['finance', 'dunning'] as const).flatMap((domain) => {
    const { approvals } = invokers[domain];
    return [
      entry(domain, 'open', (ask) => {
        const { workspace_id } = read(bodies.open, ask);
        return approvals.open(ask.caller, ask.params['id']!, workspace_id ?? null);
      }),
      entry(domain, 'approve', (ask) => {
        const { workspace_id, state } = read(bodies.approve, ask);
        return approvals.approve(ask.caller, ask.params['id']!, workspace_id ?? null, state);
      }),
      entry(domain, 'decline', (ask) => {
        const { workspace_id, reason } = read(bodies.decline, ask);
        return approvals.decline(ask.caller, ask.params['id']!, workspace_id ?? null, reason ?? null);
      }),
    ];
  });
}

function entry(
  domain: 'finance' | 'dunning',
  verb: keyof typeof bodies,
  decide: (ask: Ask) => Promise<unknown>,
): Entry<Endpoint> {
  return {
    method: 'POST',
    path: `/${domain}/v1/approvals/{id}/${verb}`,
    value: {
      domain,
      hasBody: true,
      async run(ask) {
        // Said before anything of the request is looked at: a program learns nothing here but that it is none of its business.
        if (ask.caller.session === undefined) fail('session_required');
        return { status: 200, headers: {}, body: await decide(ask) };
      },
    },
  };
}

function read<Shape extends z.ZodType>(schema: Shape, { body }: Ask): z.output<Shape> {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') failArgument('body', 'only the fields of this route');
  return failArgument(issue.path.map(String).join('.') || 'body', issue.message);
}
