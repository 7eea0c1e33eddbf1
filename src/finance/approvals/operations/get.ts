import { approvalsGet } from '../../../approvals/index.ts';

export const getApproval = approvalsGet('finance');
