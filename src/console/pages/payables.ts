import { debtPage } from './debt-detail.ts';
import { debtListPage } from './debts.ts';

export const payables = debtListPage('payables');
export const payable = debtPage('payables');
