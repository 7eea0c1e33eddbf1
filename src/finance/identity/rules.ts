import type { Caller } from '../../core/caller.ts';

/** The workspaces a caller reaches, by name. */
export function workspacesOf(caller: Caller) {
  return [...caller.workspaces.values()].map(({ id, name, timeZone }) => ({
    id,
    name,
    time_zone: timeZone,
    is_default: id === caller.defaultWorkspaceId,
  }));
}
