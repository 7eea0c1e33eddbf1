-- Finance, whole: receivables and charges, entries and statements, reconciliation, transfers, recurrences, rules that
-- classify, boletos announced by DDA, returns of banks, safety settings, files by link.

-- Who an account's adapter speaks for: the id of the account at the provider, null for the simulator.
alter table financial_accounts add column bank_adapter_account text;

create table receivables (
  workspace_id uuid not null,
  id uuid not null,
  company_id uuid not null,
  person_id uuid not null,
  description text not null,
  amount_cents cents not null check (amount_cents > 0),
  abatement_cents cents not null default 0 check (abatement_cents >= 0),
  withheld_cents cents not null default 0 check (withheld_cents >= 0),
  -- Face value extinguished by effective settlements, discounts included.
  settled_cents cents not null default 0 check (settled_cents >= 0),
  -- What was given up as a loss.
  written_off_cents cents not null default 0 check (written_off_cents >= 0),
  -- What is left of the principal; never negative.
  open_cents bigint generated always as
    (amount_cents - abatement_cents - withheld_cents - settled_cents - written_off_cents) stored check (open_cents >= 0),
  issue_date date,
  due_date date not null,
  adjusted_due_date date not null,
  competence_month civil_month not null,
  planned_date date,
  planned_account_id uuid,
  document_number text,
  series text,
  installment_number integer,
  installment_total integer,
  installment_group_id uuid,
  recurrence_id uuid,
  category_id uuid,
  cost_centers jsonb not null default '[]',
  withholdings jsonb not null default '[]',
  terms jsonb,
  status text not null check (status in ('draft', 'open', 'partially_paid', 'paid', 'written_off', 'canceled')),
  canceled_reason text,
  write_off jsonb,
  -- `person` when somebody chose the category, `rule` when an automatic rule did.
  classified_by text check (classified_by in ('person', 'rule')),
  -- Description and document number, lower-case without accents.
  search_text text not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  foreign key (workspace_id, company_id) references companies,
  foreign key (workspace_id, person_id) references people,
  foreign key (workspace_id, category_id) references categories,
  foreign key (workspace_id, planned_account_id) references financial_accounts,
  check ((status in ('paid', 'written_off')) = (open_cents = 0 and status not in ('canceled', 'draft')))
);
create index receivables_by_due_date on receivables (workspace_id, due_date, id);
create index receivables_of_person on receivables (workspace_id, person_id, due_date, id);
create index receivables_by_status on receivables (workspace_id, status, due_date, id);
create index receivables_by_document on receivables (workspace_id, person_id, document_number) where document_number is not null;
create index receivables_by_creation on receivables (workspace_id, created_at, id);
create index receivables_by_amount on receivables (workspace_id, amount_cents, id);
create index receivables_still_open on receivables (workspace_id, due_date, id)
  include (open_cents, adjusted_due_date, company_id, person_id)
  where status in ('open', 'partially_paid');

-- Repeats a payable or a receivable. Occurrence k is due in the month of the start plus k, on the anchor day.
create table recurrences (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('payable', 'receivable')),
  -- What each occurrence is made of; amounts in centavos.
  template jsonb not null,
  frequency text not null check (frequency in ('weekly', 'monthly', 'yearly')),
  anchor_day integer not null check (anchor_day between 1 and 31),
  start_date date not null,
  end_date date,
  occurrences integer check (occurrences > 0),
  non_business_day text not null check (non_business_day in ('keep', 'next', 'previous')),
  -- The number of the next occurrence, counted from zero, and its date before it is moved to a business day.
  next_number integer not null default 0,
  next_on date,
  -- The error code that keeps the next occurrence from being made.
  held_by text,
  status text not null check (status in ('active', 'paused', 'ended')),
  end_reason text check (end_reason in ('completed', 'stopped')),
  -- Who last said what occurrences are made of: they count as registered by this person.
  template_by uuid not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  check ((status = 'ended') = (end_reason is not null)),
  check (status = 'ended' or next_on is not null)
);
-- What the daily run looks for.
create index recurrences_to_come on recurrences (workspace_id, next_on, id) where status = 'active';
create index recurrences_by_creation on recurrences (workspace_id, created_at, id);

alter table receivables add foreign key (workspace_id, recurrence_id) references recurrences;
create index receivables_of_recurrence on receivables (workspace_id, recurrence_id) where recurrence_id is not null;
alter table payables add column recurrence_id uuid;
alter table payables add column recurrence_number integer;
alter table receivables add column recurrence_number integer;
alter table payables add column dda_boleto_id uuid;
alter table payables add column classified_by text check (classified_by in ('person', 'rule'));
alter table payables add foreign key (workspace_id, recurrence_id) references recurrences;
-- One payable for each occurrence, whatever is run twice.
create unique index payables_of_recurrence on payables (workspace_id, recurrence_id, recurrence_number) where recurrence_id is not null;
create unique index receivables_one_per_occurrence on receivables (workspace_id, recurrence_id, recurrence_number) where recurrence_id is not null;
create index payables_of_category on payables (workspace_id, category_id) where category_id is not null;
create index receivables_of_category on receivables (workspace_id, category_id) where category_id is not null;

-- Boletos and Pix codes issued for a receivable.
create table charges (
  workspace_id uuid not null,
  id uuid not null,
  receivable_id uuid not null,
  account_id uuid not null,
  methods text[] not null,
  amount_cents cents not null check (amount_cents > 0),
  due_date date not null,
  -- Calendar days after the adjusted due date on which it can still be paid.
  valid_days_after_due integer not null default 0 check (valid_days_after_due between 0 and 365),
  -- Fine, interest and discounts printed on it.
  terms jsonb,
  -- Ours, digits only, unique for the account; what a return file names it by.
  our_number text not null,
  barcode text,
  typed_line text,
  pix_txid text,
  pix_code text,
  end_to_end_id text,
  status text not null check (status in ('generating', 'open', 'paid', 'canceled', 'failed')),
  registration_status text not null check (registration_status in ('pending', 'requested', 'confirmed', 'rejected', 'failed', 'unknown')),
  bank_reference text,
  rejected_reason text,
  cancel_reason text,
  cancel_requested_at timestamptz,
  paid_on date,
  pdf_attachment_id uuid,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  unique (workspace_id, account_id, our_number),
  foreign key (workspace_id, receivable_id) references receivables,
  foreign key (workspace_id, account_id) references financial_accounts,
  foreign key (workspace_id, pdf_attachment_id) references attachments
);
-- At most one live charge per receivable, whatever the code above does.
create unique index charges_one_live on charges (workspace_id, receivable_id) where status in ('generating', 'open');
create index charges_of_receivable on charges (workspace_id, receivable_id);
create index charges_by_creation on charges (workspace_id, created_at, id);
create index charges_by_due_date on charges (workspace_id, due_date, id);
create index charges_by_txid on charges (workspace_id, pix_txid) where pix_txid is not null;

-- The numbers given to charges of an account.
create table charge_numbers (
  workspace_id uuid not null,
  account_id uuid not null,
  last_number bigint not null,
  primary key (workspace_id, account_id),
  foreign key (workspace_id, account_id) references financial_accounts
);

-- Messages that carried a charge to its customer.
create table charge_deliveries (
  workspace_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  channel text not null check (channel in ('email')),
  recipient text not null,
  status text not null check (status in ('queued', 'sending', 'sent', 'failed', 'unknown', 'canceled')),
  message_id text,
  failed_reason text,
  attempts integer not null default 0,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, charge_id) references charges
);
create index charge_deliveries_of_charge on charge_deliveries (workspace_id, charge_id, created_at);

create table transfers (
  workspace_id uuid not null,
  id uuid not null,
  from_account_id uuid not null,
  to_account_id uuid not null check (to_account_id <> from_account_id),
  amount_cents cents not null check (amount_cents > 0),
  method text not null check (method in ('internal', 'pix', 'ted')),
  scheduled_for date not null,
  description text,
  -- `linked`: two lines of statements that were declared one transfer.
  origin text not null check (origin in ('ordered', 'linked')),
  status text not null check (status in ('pending', 'confirmed', 'failed', 'canceled')),
  registration_status text not null check (registration_status in ('none', 'pending', 'requested', 'confirmed', 'rejected', 'failed', 'unknown')),
  bank_reference text,
  bank_settled_on date,
  rejected_reason text,
  cancel_reason text,
  cancel_requested_at timestamptz,
  debit_transaction_id uuid,
  credit_transaction_id uuid,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  foreign key (workspace_id, from_account_id) references financial_accounts,
  foreign key (workspace_id, to_account_id) references financial_accounts,
  foreign key (workspace_id, debit_transaction_id) references financial_transactions,
  foreign key (workspace_id, credit_transaction_id) references financial_transactions
);
create index transfers_of_debit on transfers (workspace_id, debit_transaction_id) where debit_transaction_id is not null;
create index transfers_of_credit on transfers (workspace_id, credit_transaction_id) where credit_transaction_id is not null;
create index transfers_by_date on transfers (workspace_id, scheduled_for, id);
create index transfers_by_creation on transfers (workspace_id, created_at, id);

-- What is asked of a bank may be about an order, a charge or a transfer.
alter table bank_commands alter column payment_id drop not null;
alter table bank_commands add column charge_id uuid;
alter table bank_commands add column transfer_id uuid;
alter table bank_commands add foreign key (workspace_id, charge_id) references charges;
alter table bank_commands add foreign key (workspace_id, transfer_id) references transfers;
alter table bank_commands add check (num_nonnulls(payment_id, charge_id, transfer_id) = 1);
create index bank_commands_of_payment on bank_commands (workspace_id, payment_id) where payment_id is not null;
create index bank_commands_of_charge on bank_commands (workspace_id, charge_id) where charge_id is not null;
create index bank_commands_of_transfer on bank_commands (workspace_id, transfer_id) where transfer_id is not null;

-- A settlement is of a payable or of a receivable.
alter table settlements alter column payable_id drop not null;
alter table settlements add column receivable_id uuid;
alter table settlements add column charge_id uuid;
-- Kept back by the bank: the account was credited `amount - fee`. Receivables only.
alter table settlements add column fee_cents cents not null default 0 check (fee_cents >= 0);
-- What the payment is called outside: an end-to-end id, a record of a return. Settles once.
alter table settlements add column external_id text;
alter table settlements add foreign key (workspace_id, receivable_id) references receivables;
alter table settlements add foreign key (workspace_id, charge_id) references charges;
alter table settlements add check (num_nonnulls(payable_id, receivable_id) = 1);
alter table settlements add check (fee_cents = 0 or receivable_id is not null);
create index settlements_of_receivable on settlements (workspace_id, receivable_id) where receivable_id is not null;
create index settlements_of_transaction on settlements (workspace_id, transaction_id) where transaction_id is not null;
create unique index settlements_once_outside on settlements (workspace_id, account_id, external_id)
  where external_id is not null and status = 'effective';

create table statement_imports (
  workspace_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  file_name text not null,
  file_sha256 text not null,
  format text not null check (format in ('ofx', 'csv', 'cnab240')),
  period_from date,
  period_to date,
  read_count integer not null,
  created_count integer not null,
  duplicate_count integer not null,
  skipped_count integer not null,
  -- The first lines that were not taken, `{line, reason}`; at most 1,000.
  skipped jsonb not null default '[]',
  -- How many lines were not taken for each reason.
  skipped_reasons jsonb not null default '{}',
  warnings jsonb not null default '[]',
  closing_balance_cents cents,
  closing_date date,
  -- How the columns of a CSV file were read: the same file read in another way would be other lines.
  column_map jsonb,
  -- The snapshot that the closing balance became.
  balance_id uuid,
  status text not null check (status in ('processed', 'failed', 'reverted')),
  revert_reason text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references financial_accounts,
  foreign key (workspace_id, balance_id) references account_balances
);
create index statement_imports_by_creation on statement_imports (workspace_id, created_at, id);
create unique index statement_imports_once on statement_imports (workspace_id, account_id, file_sha256) where status = 'processed';

alter table financial_transactions add column notes text;
-- FITID and the like, as the bank wrote it; neither unique nor stable.
alter table financial_transactions add column bank_reference text;
alter table financial_transactions add column document_number text;
alter table financial_transactions add column counterparty_name text;
alter table financial_transactions add column counterparty_document text;
alter table financial_transactions add column end_to_end_id text;
alter table financial_transactions add column cost_centers jsonb not null default '[]';
alter table financial_transactions add column import_id uuid;
-- Tells the same line of another export of the statement (MODEL: account, date, amount, direction, text, ordinal).
alter table financial_transactions add column dedup_key text;
-- Same bank reference as another line, with other content: a person may want to look.
alter table financial_transactions add column is_suspect boolean not null default false;
-- The transfer between own accounts this entry is a leg of: kept out of income and expense.
alter table financial_transactions add column transfer_id uuid;
-- The line of the statement that took this entry's place: the entry is `ignored` while it is set.
alter table financial_transactions add column superseded_by uuid;
alter table financial_transactions add column classified_by text check (classified_by in ('person', 'rule'));
-- Description, notes, counterparty and document number, lower-case without accents.
alter table financial_transactions add column search_text text not null default '';
alter table financial_transactions add foreign key (workspace_id, import_id) references statement_imports;
alter table financial_transactions add foreign key (workspace_id, transfer_id) references transfers;
alter table financial_transactions add foreign key (workspace_id, superseded_by) references financial_transactions;
create unique index financial_transactions_once on financial_transactions (workspace_id, account_id, dedup_key) where dedup_key is not null;
create index financial_transactions_of_workspace on financial_transactions (workspace_id, date, id);
create index financial_transactions_by_creation on financial_transactions (workspace_id, created_at, id);
create index financial_transactions_by_amount on financial_transactions (workspace_id, amount_cents, id);
create index financial_transactions_of_import on financial_transactions (workspace_id, import_id) where import_id is not null;
create index financial_transactions_of_transfer on financial_transactions (workspace_id, transfer_id) where transfer_id is not null;
create index financial_transactions_superseded on financial_transactions (workspace_id, superseded_by) where superseded_by is not null;
create index financial_transactions_of_category on financial_transactions (workspace_id, category_id, date, id) where category_id is not null;
create index financial_transactions_of_person on financial_transactions (workspace_id, person_id, date, id) where person_id is not null;
-- What no person and no rule has classified, for the rules to look at.
create index financial_transactions_unclassified on financial_transactions (workspace_id, date, id)
  where category_id is null and classified_by is null and not ignored;

create table reconciliations (
  workspace_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  direction text not null check (direction in ('credit', 'debit')),
  total_cents cents not null check (total_cents > 0),
  origin text not null check (origin in ('manual', 'suggestion', 'automatic')),
  status text not null check (status in ('active', 'undone')),
  undone_reason text,
  undone_by uuid,
  undone_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references financial_accounts
);
create index reconciliations_by_creation on reconciliations (workspace_id, created_at, id);

create table reconciliation_transactions (
  workspace_id uuid not null,
  reconciliation_id uuid not null,
  transaction_id uuid not null,
  amount_cents cents not null check (amount_cents > 0),
  primary key (workspace_id, reconciliation_id, transaction_id),
  -- The entry is not referred to: an undone link outlives it. While the link is active `reconciled_cents` keeps it.
  foreign key (workspace_id, reconciliation_id) references reconciliations
);
create index reconciliation_transactions_of on reconciliation_transactions (workspace_id, transaction_id);

create table reconciliation_documents (
  workspace_id uuid not null,
  reconciliation_id uuid not null,
  position integer not null,
  kind text not null check (kind in ('payable', 'receivable', 'settlement', 'transfer')),
  document_id uuid not null,
  -- The settlement this link made, or the recorded one it tied to the bank's lines.
  settlement_id uuid,
  -- True when the reconciliation made the settlement, and undoing it reverses it.
  made_settlement boolean not null,
  -- The entry of ours whose place the bank's lines took; not referred to, for the same reason.
  superseded_transaction_id uuid,
  -- What it takes of the lines: principal - discount + interest + fine - fee.
  amount_cents cents not null check (amount_cents > 0),
  primary key (workspace_id, reconciliation_id, position),
  foreign key (workspace_id, reconciliation_id) references reconciliations,
  foreign key (workspace_id, settlement_id) references settlements
);
create index reconciliation_documents_of on reconciliation_documents (workspace_id, document_id);
create index reconciliation_documents_of_settlement on reconciliation_documents (workspace_id, settlement_id) where settlement_id is not null;

create table automatic_rules (
  workspace_id uuid not null,
  id uuid not null,
  pattern text not null,
  -- The pattern lower-case without accents.
  search_pattern text not null,
  match text not null check (match in ('contains', 'equals')),
  scope text not null check (scope in ('transactions', 'documents', 'all')),
  category_id uuid,
  person_id uuid,
  cost_center_id uuid,
  payment_method text,
  notes text,
  -- The first rule that matches wins.
  position integer not null,
  active boolean not null default true,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  unique (workspace_id, position) deferrable initially deferred,
  foreign key (workspace_id, category_id) references categories,
  foreign key (workspace_id, person_id) references people,
  foreign key (workspace_id, cost_center_id) references cost_centers
);

create table dda_boletos (
  workspace_id uuid not null,
  id uuid not null,
  company_id uuid not null,
  account_id uuid,
  barcode text not null,
  typed_line text not null,
  beneficiary_name text not null,
  beneficiary_document text not null,
  payer_document text not null,
  document_number text,
  nominal_cents cents not null check (nominal_cents >= 0),
  amount_cents cents not null check (amount_cents >= 0),
  min_cents cents,
  max_cents cents,
  allows_partial boolean not null default false,
  issue_date date,
  due_date date not null,
  terms jsonb,
  -- Linked or paid is what a bill with this `dda_boleto_id` makes it.
  status text not null check (status in ('pending', 'rejected')),
  external_status text not null check (external_status in ('open', 'overdue', 'paid', 'canceled', 'written_off', 'blocked')),
  reject_reason text,
  -- What became of telling the bank.
  rejection_status text check (rejection_status in ('requested', 'confirmed', 'refused')),
  rejection_refused_reason text,
  bank_reference text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  unique (workspace_id, barcode),
  foreign key (workspace_id, company_id) references companies,
  foreign key (workspace_id, account_id) references financial_accounts,
  check ((status = 'rejected') = (rejection_status is not null))
);
create index dda_boletos_by_due_date on dda_boletos (workspace_id, due_date, id);
create index dda_boletos_by_creation on dda_boletos (workspace_id, created_at, id);
alter table payables add foreign key (workspace_id, dda_boleto_id) references dda_boletos;
create unique index payables_one_per_dda_boleto on payables (workspace_id, dda_boleto_id)
 where dda_boleto_id is not null and status <> 'canceled';

-- CNAB return files.
create table bank_returns (
  workspace_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  file_name text not null,
  file_sha256 text not null,
  layout text not null check (layout in ('cnab240', 'cnab400')),
  bank_code text not null,
  agreement text,
  file_date date,
  sequence_number text,
  record_count integer not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, account_id, file_sha256),
  foreign key (workspace_id, account_id) references financial_accounts
);
create index bank_returns_by_creation on bank_returns (workspace_id, created_at, id);

create table bank_return_records (
  workspace_id uuid not null,
  bank_return_id uuid not null,
  line integer not null,
  our_number text not null,
  document_number text,
  occurrence text not null,
  occurrence_date date,
  face_cents cents,
  paid_cents cents,
  credited_cents cents,
  fee_cents cents,
  interest_cents cents,
  discount_cents cents,
  abatement_cents cents,
  credit_date date,
  -- Bank, agreement, our number, occurrence, day and amount: the same record in another file does nothing.
  replay_key text not null,
  outcome text not null check (outcome in ('settled', 'duplicate_payment', 'noted', 'replayed', 'unknown_charge', 'unreadable', 'refused')),
  reason text,
  charge_id uuid,
  settlement_id uuid,
  primary key (workspace_id, bank_return_id, line),
  foreign key (workspace_id, bank_return_id) references bank_returns,
  foreign key (workspace_id, charge_id) references charges,
  foreign key (workspace_id, settlement_id) references settlements
);
create index bank_return_records_replay on bank_return_records (workspace_id, replay_key);
create index bank_return_records_of_charge on bank_return_records (workspace_id, charge_id) where charge_id is not null;

-- Money received a second time for a charge that was paid: nothing of the charge changes, somebody gives it back.
create table duplicate_receipts (
  workspace_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  amount_cents cents not null check (amount_cents > 0),
  received_on date not null,
  external_id text,
  transaction_id uuid,
  status text not null check (status in ('to_refund', 'refunded')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, charge_id, external_id),
  foreign key (workspace_id, charge_id) references charges,
  foreign key (workspace_id, transaction_id) references financial_transactions
);

create index duplicate_receipts_of_transaction on duplicate_receipts (workspace_id, transaction_id) where transaction_id is not null;

-- What payments must keep to: of the whole workspace (company null), or of one company.
create table approval_settings (
  workspace_id uuid not null,
  id uuid not null,
  company_id uuid,
  -- `{above, approvers?}`, amounts in centavos, ascending.
  thresholds jsonb not null default '[]',
  require_second_person boolean not null default false,
  -- What the payment safety net does: `{changed_bank_details, possible_duplicate, …}`.
  safety jsonb not null default '{}',
  updated_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  unique nulls not distinct (workspace_id, company_id),
  foreign key (workspace_id, company_id) references companies
);

-- One-time links by which a client hands over a file without carrying its bytes through the model.
create table upload_links (
  workspace_id uuid not null,
  id uuid not null,
  secret_hash text not null,
  file_name text not null,
  kind text not null,
  link jsonb,
  user_id uuid not null,
  token_id uuid,
  expires_at timestamptz not null,
  used_at timestamptz,
  attachment_id uuid,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- The connection that sent an order: limits count by it.
alter table payments add column created_by_token uuid;
create index payments_by_token on payments (workspace_id, created_by_token, created_at) where created_by_token is not null;

-- Reports. Each index holds all that a sum needs, so that the wide rows themselves are not read.
drop index payables_still_open;
create index payables_still_open on payables (workspace_id, due_date, id)
  include (open_cents, adjusted_due_date, planned_date, issue_date, created_at, company_id, person_id)
  where status in ('open', 'partially_paid');
drop index receivables_still_open;
create index receivables_still_open on receivables (workspace_id, due_date, id)
  include (open_cents, adjusted_due_date, planned_date, issue_date, created_at, company_id, person_id)
  where status in ('open', 'partially_paid');
create index payables_by_competence on payables (workspace_id, competence_month)
  include (category_id, amount_cents, abatement_cents) where status not in ('draft', 'canceled');
create index receivables_by_competence on receivables (workspace_id, competence_month)
  include (category_id, amount_cents, abatement_cents) where status not in ('draft', 'canceled');
create index receivables_written_off on receivables (workspace_id, (write_off->>'date')) where written_off_cents > 0;
create index financial_transactions_balance on financial_transactions (workspace_id, account_id, date)
  include (direction, amount_cents) where not ignored;
-- Entries that no settlement stands for: what is left of them to reconcile.
create index financial_transactions_others on financial_transactions (workspace_id, date)
  include (account_id, direction, amount_cents, reconciled_cents, category_id)
  where not ignored and transfer_id is null and source in ('manual', 'import', 'adjustment');

-- Events are read newest first, of one person or one operation or all; `at` may repeat, so the position decides.
drop index events_by_time;
create index events_by_time on events (tenant_id, at, position);
create index events_by_actor on events (tenant_id, actor_id, at, position);
create index events_by_operation on events (tenant_id, operation, at, position);

-- Which records an event changed: the body is text that is hashed as it is, and cannot be looked into by an index.
-- Only `append_event` writes here, from the body itself, in the same transaction; `events` stays what is verified.
create table event_records (
  tenant_id uuid not null,
  kind text not null,
  record_id text not null,
  at timestamptz not null,
  position bigint not null,
  primary key (tenant_id, record_id, at, position, kind)
);
create index event_records_by_kind on event_records (tenant_id, kind, at, position);

create function record_event_changes(the_tenant uuid, the_at timestamptz, the_position bigint, the_body text)
  returns void language sql set search_path = pg_catalog, public as $$
  insert into event_records (tenant_id, kind, record_id, at, position)
  select distinct the_tenant, change->>'kind', change->>'id', the_at, the_position
    from json_array_elements(case json_typeof(the_body::json->'changes') when 'array' then the_body::json->'changes' else '[]' end) change
   where change->>'kind' is not null and change->>'id' is not null
$$;
revoke execute on function record_event_changes(uuid, timestamptz, bigint, text) from public;

create or replace function append_event(the_tenant uuid, the_at timestamptz, the_operation text, the_actor uuid, the_body text)
  returns bigint language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  next_position bigint;
  next_hash bytea;
begin
  -- The owner of the function may not be bound by the policies, so the tenant is checked here.
  if the_tenant is distinct from coalesce(kobana_workspace(), kobana_organization()) then
    raise exception 'an event belongs to the bound tenant' using errcode = '42501';
  end if;
  insert into event_chains (tenant_id, position, hash) values (the_tenant, 0, '\x')
    on conflict (tenant_id) do nothing;
  update event_chains
     set position = position + 1, hash = sha256(hash || convert_to(the_body, 'UTF8'))
   where tenant_id = the_tenant
   returning position, hash into next_position, next_hash;
  insert into events (tenant_id, position, at, operation, actor_id, body, hash)
    values (the_tenant, next_position, the_at, the_operation, the_actor, the_body, next_hash);
  perform record_event_changes(the_tenant, the_at, next_position, the_body);
  return next_position;
end $$;

-- The policy holds for the owner too; without it, the events of every tenant are seen once.
alter table events no force row level security;
select record_event_changes(tenant_id, at, position, body) from events;
alter table events force row level security;
