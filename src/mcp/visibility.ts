/** What a caller sees: an operation, and whatever rests on operations, only when it may be run. */

import { type Caller, scopesAnywhere } from '../core/caller.ts';
import { type Catalogue, mayList, type Operation } from '../core/operation.ts';

const scopesOf = new WeakMap<Caller, ReadonlySet<string>>();

/** Whether the caller may run every one of these operations somewhere. */
export function maySee(caller: Caller, operations: readonly Operation[]): boolean {
  let scopes = scopesOf.get(caller);
  if (scopes === undefined) {
    scopes = scopesAnywhere(caller);
    scopesOf.set(caller, scopes);
  }
  const held = scopes;
  return operations.every((operation) => mayList(operation, caller.access, held));
}

/** The read operation of this name. Throws at start-up when there is none or it does more than read. */
export function readOperation(catalogue: Catalogue, name: string, usedBy: string): Operation {
  const operation = catalogue.byName.get(name);
  if (operation === undefined) throw new Error(`${usedBy} needs ${name}, which does not exist`);
  if (operation.effect !== 'read') throw new Error(`${usedBy} needs ${name}, which does more than read`);
  return operation;
}
