/** Whether a debtor may be contacted: the one answer for every message, task and legal step. */

export { type Candidate, clearancesOf, requireCleared } from './clearances.ts';
export { gate } from './gate.ts';
export {
  type BlockCode,
  blockCodes,
  type Clearance,
  type ContactPurpose,
  countBlocks,
  failBlocked,
} from './rules.ts';
