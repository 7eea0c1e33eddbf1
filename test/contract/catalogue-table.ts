/** The tools of the two servers as they are meant to be, one reviewed line each: what the catalogue is held against. */

/** `r` reads, `w` writes; `D` when it only runs after the person confirms. */
type Access = 'r' | 'w' | 'wD';

/** What a client is told besides: `i` safe to repeat, `o` reaches a bank, a debtor or somebody else outside. */
type Hints = '' | 'i' | 'o';

export const tools: Readonly<Record<string, readonly [access: Access, hints: Hints]>> = {
  finance_me: ['r', 'i'],
  finance_workspaces_list: ['r', 'i'],
  finance_schemas_list: ['r', 'i'],
  finance_schemas_get: ['r', 'i'],

  finance_companies_list: ['r', 'i'],
  finance_companies_get: ['r', 'i'],
  finance_companies_update: ['w', 'i'],

  finance_people_list: ['r', 'i'],
  finance_people_get: ['r', 'i'],
  finance_people_create: ['w', ''],
  finance_people_update: ['w', 'i'],

  finance_categories_list: ['r', 'i'],
  finance_categories_create: ['w', ''],
  finance_categories_update: ['w', 'i'],
  finance_cost_centers_list: ['r', 'i'],
  finance_cost_centers_create: ['w', ''],
  finance_cost_centers_update: ['w', 'i'],

  finance_financial_accounts_list: ['r', 'i'],
  finance_financial_accounts_get: ['r', 'i'],
  finance_financial_accounts_create: ['w', ''],
  finance_financial_accounts_update: ['w', 'i'],
  finance_financial_account_balances_list: ['r', 'i'],
  finance_financial_account_balances_latest: ['r', 'i'],
  finance_financial_account_balances_create: ['w', ''],
  finance_financial_account_balances_adjust: ['wD', ''],

  finance_payables_list: ['r', 'i'],
  finance_payables_get: ['r', 'i'],
  finance_payables_create: ['w', ''],
  finance_payables_update: ['w', 'i'],
  finance_payables_delete: ['wD', ''],
  finance_payables_cancel: ['wD', ''],
  finance_payables_approve: ['w', ''],
  finance_payables_reject: ['w', ''],
  finance_payables_settle: ['w', ''],
  finance_payables_unsettle: ['wD', ''],
  finance_payables_send_to_bank: ['wD', 'o'],
  finance_payables_bulk_send_to_bank: ['wD', 'o'],

  finance_payments_list: ['r', 'i'],
  finance_payments_get: ['r', 'i'],
  finance_payments_cancel: ['wD', 'o'],
  finance_boletos_decode: ['r', 'i'],
  finance_pix_codes_decode: ['r', 'i'],

  finance_fiscal_documents_list: ['r', 'i'],
  finance_fiscal_documents_get: ['r', 'i'],
  finance_fiscal_documents_import: ['w', ''],
  finance_fiscal_documents_link_payable: ['w', 'i'],
  finance_fiscal_documents_create_payables: ['w', ''],

  finance_attachments_list: ['r', 'i'],
  finance_attachments_get: ['r', 'i'],
  finance_attachments_download: ['r', 'i'],
  finance_attachments_upload: ['w', ''],
  finance_attachments_link: ['w', 'i'],
  finance_attachments_delete: ['wD', ''],

  dunning_me: ['r', 'i'],
};

/** Families that roles know and no tool uses yet: their tools come with later slices. */
export const laterFamilies = [
  'finance.financial_transactions',
  'finance.receivables',
  'finance.charges',
  'finance.transfers',
  'finance.reconciliations',
  'finance.recurrences',
  'finance.statement_imports',
  'finance.reports',
  'finance.events',
  'dunning.people',
  'dunning.charges',
  'dunning.collection_rules',
  'dunning.templates',
  'dunning.notifications',
  'dunning.agreements',
  'dunning.disputes',
  'dunning.legal',
  'dunning.campaigns',
  'dunning.webhooks',
  'dunning.metrics',
  'dunning.settings',
  'dunning.events',
];

/** Scopes that no tool asks for as a whole; the code behind a tool looks at them to decide what it shows. */
export const finerScopes = ['finance.people.bank_details'];

/** Folders whose tools are not simply named after them: what stands before the verb. */
export const resourcesOf: Readonly<Record<string, readonly string[]>> = {
  'finance/identity': [''],
  'dunning/identity': [''],
  'finance/accounts': ['financial_accounts_', 'financial_account_'],
  // Sending is an act on the payable, and the readers of codes serve it: all that speaks to banks is one slice.
  'finance/payments': ['payments_', 'payables_', ''],
};

/** Files that are deliberately not named after the tail of their tool: there is no folder of their own for them. */
export const namedOtherwise: Readonly<Record<string, string>> = {
  finance_workspaces_list: 'list-workspaces',
  finance_schemas_list: 'list-schemas',
  finance_schemas_get: 'get-schema',
};

/** Arguments that say what they are by name and type alone; every other one has words of its own. */
export const plainArguments = new Set([
  'abatement',
  'active',
  'address',
  'agency',
  'amount',
  'approval_status',
  'bank_accounts',
  'bank_code',
  'category_id',
  'charges',
  'code',
  'competence_month',
  'created_from',
  'created_to',
  'digit',
  'discount',
  'due_date',
  'due_from',
  'due_to',
  'emails',
  'file',
  'fine',
  'interest',
  'issue_date',
  'issued_from',
  'kind',
  'legal_name',
  'method',
  'name',
  'number',
  'paid_to',
  'payment_details',
  'phones',
  'pix_keys',
  'reason',
  'role',
  'roles',
  'scheduled_from',
  'scheduled_to',
  'series',
  'sort',
  'state_registration',
  'statement_group',
  'status',
  'trade_name',
  'updated_from',
  'updated_to',
]);
