/**
 * The tools listed to a client that does not say which it wants: what the work of most days needs, from a bill that
 * comes in to the money that leaves, and what a person asks about. Everything else is found with the search tools.
 */
export const everyday: readonly string[] = [
  'finance_me',
  'finance_companies_list',
  'finance_people_list',
  'finance_categories_list',
  'finance_financial_accounts_list',
  'finance_financial_account_balances_latest',
  'finance_payables_list',
  'finance_payables_get',
  'finance_payables_create',
  'finance_payables_settle',
  'finance_payables_send_to_bank',
  'finance_receivables_list',
  'finance_receivables_get',
  'finance_receivables_charge',
  'finance_reports_cash_flow',
  'finance_reports_monthly_summary',
  'finance_reports_aging',
  'finance_approvals_get',
];
