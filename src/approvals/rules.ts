/** What is in force where nobody has set anything, and what a change makes of it. */

/** A week: what waits longer is about other records than when it was asked. */
export const HOURS_MAX = 168;

export interface StoredControls {
  readonly approvals_enabled: boolean;
  readonly approval_hours: number;
  readonly second_person_from_cents: number | null;
  readonly frozen_at: string | null;
  readonly frozen_by: string | null;
  readonly freeze_reason: string | null;
}

export interface ControlsChange {
  readonly approvals_enabled?: boolean | undefined;
  readonly approval_hours?: number | undefined;
  readonly second_person_from_cents?: number | null;
  readonly frozen?: boolean | undefined;
  readonly freeze_reason?: string | undefined;
}

/** Off by default: a call that nobody could confirm is refused and leaves nothing behind. */
const defaults: StoredControls = {
  approvals_enabled: false,
  approval_hours: 24,
  second_person_from_cents: null,
  frozen_at: null,
  frozen_by: null,
  freeze_reason: null,
};

/** The stored controls, or the defaults. */
export function controlsOf(row: StoredControls | undefined): StoredControls {
  return row ?? defaults;
}

/** The controls after a change. Freezing what is frozen keeps who did it and when, unless another reason is given. */
export function withChanges(
  before: StoredControls,
  change: ControlsChange,
  who: { readonly by: string; readonly at: string },
): StoredControls {
  return {
    approvals_enabled: change.approvals_enabled ?? before.approvals_enabled,
    approval_hours: change.approval_hours ?? before.approval_hours,
    second_person_from_cents:
      change.second_person_from_cents === undefined
        ? before.second_person_from_cents
        : change.second_person_from_cents,
    ...freezeAfter(before, change, who),
  };
}

function freezeAfter(
  { frozen_at, frozen_by, freeze_reason }: StoredControls,
  change: ControlsChange,
  { by, at }: { readonly by: string; readonly at: string },
): Pick<StoredControls, 'frozen_at' | 'frozen_by' | 'freeze_reason'> {
  if (change.frozen === false) return { frozen_at: null, frozen_by: null, freeze_reason: null };
  if (change.frozen === undefined) return { frozen_at, frozen_by, freeze_reason };
  return {
    frozen_at: frozen_at ?? at,
    frozen_by: frozen_by ?? by,
    freeze_reason: change.freeze_reason ?? freeze_reason,
  };
}
