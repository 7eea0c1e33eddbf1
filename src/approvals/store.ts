/** What waits for a person, and what a tenant lets happen, in the database. */

import type { Approval, ApprovalStore, Controls, NewApproval } from '../core/approvals.ts';
import { fail } from '../core/errors.ts';
import type { Transaction } from '../core/ports.ts';
import {
  type ApprovalRow,
  type ControlsRow,
  insertApproval,
  lockAsker,
  lockControlsShared,
  selectApproval,
  selectApprovalForUpdate,
  selectControls,
  selectWaiting,
  selectWaitingCount,
  tenantIdOf,
  updateDecided,
  updateExpired,
} from './queries.ts';
import { approvalOf } from './resource.ts';
import { controlsOf } from './rules.ts';

/** How many calls of one person may wait in one place; a client that loops fills no one's list. */
const WAITING_MAX = 20;

export const approvalStore: ApprovalStore = {
  async controls(db, place) {
    return inForce(await selectControls(db, tenantIdOf(place)));
  },
  async holdControls(db, place) {
    // Two statements: one that waits for a lock still sees the rows as they were when it began.
    await lockControlsShared(db, tenantIdOf(place));
    return inForce(await selectControls(db, tenantIdOf(place)));
  },
  open: openApproval,
  async find(db, place, id, now) {
    return approvalOrNull(await selectApproval(db, tenantIdOf(place), id, now));
  },
  async lock(db, place, id, now) {
    return approvalOrNull(await selectApprovalForUpdate(db, tenantIdOf(place), id, now));
  },
  async decide(db, place, id, decision) {
    if ((await updateDecided(db, tenantIdOf(place), id, decision)) === 0) fail('approval_not_pending');
  },
};

async function openApproval(
  db: Transaction,
  approval: NewApproval,
): Promise<{ id: string; expiresAt: string; isNew: boolean }> {
  const tenantId = tenantIdOf(approval);
  const { requestedBy, requestedAt } = approval;
  await lockAsker(db, tenantId, requestedBy);
  await updateExpired(db, tenantId, requestedBy, requestedAt);
  const waiting = await selectWaiting(db, approval);
  if (waiting !== undefined) return { id: waiting.id, expiresAt: waiting.expires_at, isNew: false };
  const { count, until } = await selectWaitingCount(db, tenantId, requestedBy);
  if (count >= WAITING_MAX) fail('rate_limited', { retry_after: secondsUntil(until!, requestedAt) });
  await insertApproval(db, approval);
  return { id: approval.id, expiresAt: approval.expiresAt.toISOString(), isNew: true };
}

function secondsUntil(instant: string, now: Date): number {
  return Math.max(1, Math.ceil((Date.parse(instant) - now.getTime()) / 1000));
}

function inForce(row: ControlsRow | undefined): Controls {
  const { approvals_enabled, approval_hours, second_person_from_cents, frozen_at } = controlsOf(row);
  return {
    approvalsEnabled: approvals_enabled,
    approvalHours: approval_hours,
    secondPersonFromCents: second_person_from_cents,
    isFrozen: frozen_at !== null,
  };
}

function approvalOrNull(row: ApprovalRow | undefined): Approval | null {
  return row === undefined ? null : approvalOf(row);
}
