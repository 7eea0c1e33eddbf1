/** Who approves what, and what payments are checked for. `paymentRulesOf` is the one reader. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { getApprovalSettings } from './operations/get.ts';
import { updateApprovalSettings } from './operations/update.ts';

export { paymentRulesOf } from './resource.ts';
export {
  approversFor,
  balanceFloorOf,
  isApprovalNeeded,
  type PaymentRules,
  type Safety,
  type SafetyMode,
} from './rules.ts';

export const operations = [getApprovalSettings, updateApprovalSettings];

export const resources: ResourceDefinition[] = [];
