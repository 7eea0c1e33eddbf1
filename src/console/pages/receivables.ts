import { debtPage } from './debt-detail.ts';
import { debtListPage } from './debts.ts';

export const receivables = debtListPage('receivables');
export const receivable = debtPage('receivables');
