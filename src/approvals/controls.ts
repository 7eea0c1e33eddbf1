/** The operations that read and set what a tenant lets happen: the same for both kinds of tenant, made once for each. */

import { z } from 'zod';
import { failArgument } from '../core/errors.ts';
import { moneyOrZero, moneyOut, moneyText, text } from '../core/fields.ts';
import { type Context, type Operation, operation, type TenantKind } from '../core/operation.ts';
import { type ControlsRow, lockControls, selectControls, selectUserName, upsertControls } from './queries.ts';
import { controlsOf, HOURS_MAX, type StoredControls, withChanges } from './rules.ts';

const REASON_MAX = 500;
const hoursForm = `a whole number of hours from 1 to ${HOURS_MAX}`;

const controlsSchema = z
  .object({
    approvals_enabled: z
      .boolean()
      .describe("Whether a call that a client could not confirm may wait for a person's yes in the console."),
    approval_hours: z.int().describe('How long such a call waits.'),
    second_person_from: moneyOut().nullable().describe('From this amount on a second person says yes too.'),
    frozen: z.boolean().describe('Nothing destructive runs.'),
    frozen_at: z.string().nullable(),
    frozen_by: z.object({ user_id: z.string(), name: z.string() }).nullable(),
    freeze_reason: z.string().nullable(),
  })
  .meta({ id: 'controls', description: 'What a workspace or an organization lets happen.' });

interface Made {
  readonly name: `account_${string}`;
  readonly tenant: Extract<TenantKind, 'workspace' | 'organization'>;
  /** Whose, for the texts: "a workspace of finance". */
  readonly whose: string;
}

export function controlsGet({ name, tenant, whose }: Made): Operation {
  return operation({
    name,
    title: 'Get controls',
    summary: `Approvals, second person and freeze of ${whose}.`,
    effect: 'read',
    scope: 'account.settings',
    tenant,
    input: {},
    output: controlsSchema,
    async run(_input, context) {
      return recordOf(context, controlsOf(await selectControls(context.db, tenantIdAt(context))));
    },
  });
}

/** Setting the switch waits for the destructive calls that run, and those that come later wait for it. */
export function controlsUpdate({ name, tenant, whose }: Made): Operation {
  return operation({
    name,
    title: 'Set controls',
    summary: `Sets approvals, second person or freeze of ${whose}.`,
    effect: 'write',
    scope: 'account.settings',
    tenant,
    needsFreshSession: true,
    hints: { idempotent: true },
    input: {
      approvals_enabled: z.boolean().optional(),
      approval_hours: z
        .int({ error: hoursForm })
        .min(1, { error: hoursForm })
        .max(HOURS_MAX, { error: hoursForm })
        .optional(),
      second_person_from: moneyOrZero().nullable().optional().describe('Null: one yes is always enough.'),
      frozen: z.boolean().optional(),
      freeze_reason: text(REASON_MAX).optional().describe('Only together with `frozen`: true.'),
    },
    output: controlsSchema,
    async run({ second_person_from: from, ...given }, context) {
      const { db, organizationId, now, caller } = context;
      if (given.freeze_reason !== undefined && given.frozen !== true) {
        failArgument('freeze_reason', 'only together with `frozen`: true');
      }
      const tenantId = tenantIdAt(context);
      await lockControls(db, tenantId);
      const before = controlsOf(await selectControls(db, tenantId));
      const changes = { ...given, ...(from !== undefined && { second_person_from_cents: from }) };
      const after = withChanges(before, changes, { by: caller.user.id, at: now.toISOString() });
      const row: ControlsRow = {
        ...after,
        tenant_id: tenantId,
        organization_id: organizationId,
        updated_at: now.toISOString(),
      };
      const shown = await recordOf(context, before);
      await upsertControls(db, row);
      const record = await recordOf(context, controlsOf(await selectControls(db, tenantId)));
      context.changed('controls', tenantId, shown, record);
      return record;
    },
  });
}

async function recordOf({ db }: Context, controls: StoredControls) {
  const { frozen_by: userId, second_person_from_cents: from } = controls;
  const freezer = userId === null ? undefined : await selectUserName(db, userId);
  return {
    approvals_enabled: controls.approvals_enabled,
    approval_hours: controls.approval_hours,
    second_person_from: from === null ? null : moneyText(from),
    frozen: controls.frozen_at !== null,
    frozen_at: controls.frozen_at,
    frozen_by: userId === null ? null : { user_id: userId, name: freezer?.name ?? '' },
    freeze_reason: controls.freeze_reason,
  };
}

const tenantIdAt = ({ workspaceId, organizationId }: Context): string =>
  workspaceId === '' ? organizationId : workspaceId;
