import { approvalsList } from '../../../approvals/index.ts';

export const listApprovals = approvalsList('finance');
