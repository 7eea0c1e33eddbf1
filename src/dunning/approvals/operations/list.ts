import { approvalsList } from '../../../approvals/index.ts';

export const listApprovals = approvalsList('dunning');
