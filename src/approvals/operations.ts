/** The operations that read approvals: the same for both products, made once for each. */

import { z } from 'zod';
import type { Product } from '../core/caller.ts';
import { id, listArguments, listOutput, text } from '../core/fields.ts';
import { type Operation, operation } from '../core/operation.ts';
import { approvalFor, approvalsPage } from './resource.ts';
import { approvalSchema, approvalStatuses } from './schema.ts';

const NAME_MAX = 64;

/** Lists what waits, or waited, for a person. A client that was refused reads here what became of its call. */
export function approvalsList(product: Product): Operation {
  return operation({
    name: `${product}_approvals_list`,
    title: 'List approvals',
    summary:
      "Calls that wait or waited for a person's yes in the console: your own, and those you could approve.",
    effect: 'read',
    scope: null,
    input: {
      status: z.enum(approvalStatuses).optional(),
      operation: text(NAME_MAX).optional().describe('Name of the tool.'),
      sort: z.enum(['requested_at', '-requested_at']).default('-requested_at'),
      ...listArguments,
    },
    output: listOutput(approvalSchema),
    run: (input, context) => approvalsPage(context, product, input),
  });
}

/** One of them. */
export function approvalsGet(product: Product): Operation {
  return operation({
    name: `${product}_approvals_get`,
    title: 'Get approval',
    summary: 'What became of a call that was left for a person to approve in the console.',
    effect: 'read',
    scope: null,
    input: { id: id('the approval') },
    output: approvalSchema,
    run: (input, context) => approvalFor(context, product, input.id),
  });
}
