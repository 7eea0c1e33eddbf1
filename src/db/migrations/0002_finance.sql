-- Finance: companies, people, classification, accounts, payables, payments, fiscal documents, attachments.
-- Every table starts its key, its indexes and its references with the workspace.

create domain cents as bigint check (value between -10000000000000 and 10000000000000);
create domain civil_month as text check (value ~ '^\d{4}-(0[1-9]|1[0-2])$');

create table companies (
  workspace_id uuid not null,
  id uuid not null,
  document_number text not null,
  legal_name text not null,
  trade_name text,
  parent_id uuid,
  state_registration text,
  address jsonb,
  books_closed_until date,
  active boolean not null default true,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  unique (workspace_id, document_number),
  foreign key (workspace_id, parent_id) references companies
);

create table people (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null check (kind in ('natural', 'legal')),
  document_number text,
  roles text[] not null,
  emails text[] not null default '{}',
  phones text[] not null default '{}',
  address jsonb,
  bank_accounts jsonb not null default '[]',
  pix_keys jsonb not null default '[]',
  bank_details_changed_at timestamptz,
  -- Name, document and e-mails, lower-case without accents: what `search` looks at.
  search_text text not null,
  active boolean not null default true,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  unique (workspace_id, document_number)
);
create index people_by_name on people (workspace_id, name, id);
create index people_by_creation on people (workspace_id, created_at, id);

create table categories (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null check (kind in ('income', 'expense')),
  parent_id uuid,
  code text,
  statement_group text,
  active boolean not null default true,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  unique nulls not distinct (workspace_id, parent_id, kind, name),
  foreign key (workspace_id, parent_id) references categories
);
create index categories_by_name on categories (workspace_id, name, id);
create index categories_by_creation on categories (workspace_id, created_at, id);

create table cost_centers (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  code text,
  parent_id uuid,
  active boolean not null default true,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  unique nulls not distinct (workspace_id, parent_id, name),
  foreign key (workspace_id, parent_id) references cost_centers
);
create index cost_centers_by_name on cost_centers (workspace_id, name, id);
create index cost_centers_by_creation on cost_centers (workspace_id, created_at, id);

create table financial_accounts (
  workspace_id uuid not null,
  id uuid not null,
  company_id uuid not null,
  name text not null,
  kind text not null check (kind in ('checking', 'savings', 'payment', 'cash', 'card', 'investment')),
  bank_code text,
  agency text,
  number text,
  digit text,
  opening_balance_cents cents not null,
  opening_date date not null,
  -- Which adapter of the bank port sends its orders.
  bank_adapter text not null default 'simulator',
  active boolean not null default true,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  unique (workspace_id, name),
  foreign key (workspace_id, company_id) references companies
);
create index financial_accounts_by_creation on financial_accounts (workspace_id, created_at, id);

create table account_balances (
  workspace_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  amount_cents cents not null,
  blocked_cents cents not null default 0,
  as_of timestamptz not null,
  source text not null check (source in ('bank', 'statement', 'manual')),
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references financial_accounts
);
create index account_balances_latest on account_balances (workspace_id, account_id, as_of desc, created_at desc);

create table financial_transactions (
  workspace_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  date date not null,
  direction text not null check (direction in ('credit', 'debit')),
  amount_cents cents not null check (amount_cents > 0),
  description text not null,
  category_id uuid,
  person_id uuid,
  source text not null check (source in ('manual', 'import', 'payment', 'settlement', 'transfer', 'adjustment')),
  ignored boolean not null default false,
  reconciled_cents cents not null default 0 check (reconciled_cents between 0 and amount_cents),
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references financial_accounts,
  foreign key (workspace_id, category_id) references categories,
  foreign key (workspace_id, person_id) references people
);
create index financial_transactions_by_date on financial_transactions (workspace_id, account_id, date, id);

create table attachments (
  workspace_id uuid not null,
  id uuid not null,
  file_name text not null,
  content_type text not null,
  size_bytes integer not null check (size_bytes between 0 and 10485760),
  sha256 text not null,
  kind text not null check (kind in ('receipt', 'boleto', 'invoice_xml', 'contract', 'other')),
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index attachments_by_creation on attachments (workspace_id, created_at, id);

-- Apart from their data, so that no list ever reads a file.
create table attachment_contents (
  workspace_id uuid not null,
  attachment_id uuid not null,
  bytes bytea not null,
  primary key (workspace_id, attachment_id),
  foreign key (workspace_id, attachment_id) references attachments on delete cascade
);
alter table attachment_contents alter column bytes set storage external;

create table attachment_links (
  workspace_id uuid not null,
  attachment_id uuid not null,
  record_kind text not null,
  record_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, attachment_id, record_kind, record_id),
  foreign key (workspace_id, attachment_id) references attachments on delete cascade
);
create index attachment_links_of_record on attachment_links (workspace_id, record_kind, record_id);

create table fiscal_documents (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('nfe', 'nfse', 'cte')),
  access_key text,
  number text not null,
  series text,
  issued_at timestamptz not null,
  issuer_document text not null,
  issuer_name text not null,
  recipient_document text,
  recipient_name text,
  total_cents cents not null,
  net_cents cents not null,
  withholdings jsonb not null default '[]',
  installments jsonb not null default '[]',
  authorization_protocol text,
  authorization_status text not null check (authorization_status in ('authorized', 'unproven', 'denied')),
  warnings jsonb not null default '[]',
  status text not null check (status in ('new', 'linked', 'ignored', 'canceled')),
  company_id uuid,
  person_id uuid,
  xml_attachment_id uuid not null,
  notes text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  unique (workspace_id, access_key),
  foreign key (workspace_id, company_id) references companies,
  foreign key (workspace_id, person_id) references people,
  foreign key (workspace_id, xml_attachment_id) references attachments
);
create index fiscal_documents_by_issue on fiscal_documents (workspace_id, issued_at, id);

create table payables (
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
  -- What is left of the principal; never negative.
  open_cents bigint generated always as (amount_cents - abatement_cents - withheld_cents - settled_cents) stored check (open_cents >= 0),
  issue_date date,
  due_date date not null,
  -- The due date, or the next business day when it is none (Lei 7.089/83): overdue from the day after.
  adjusted_due_date date not null,
  competence_month civil_month not null,
  planned_date date,
  planned_account_id uuid,
  document_number text,
  series text,
  installment_number integer,
  installment_total integer,
  installment_group_id uuid,
  category_id uuid,
  cost_centers jsonb not null default '[]',
  withholdings jsonb not null default '[]',
  terms jsonb,
  payment_details jsonb,
  status text not null check (status in ('draft', 'open', 'partially_paid', 'paid', 'canceled')),
  approval_status text not null check (approval_status in ('not_required', 'pending', 'approved', 'rejected')),
  approval_by uuid,
  approval_at timestamptz,
  approval_reason text,
  canceled_reason text,
  fiscal_document_id uuid,
  -- Set when the fiscal document behind it was canceled: somebody has to look.
  needs_review boolean not null default false,
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
  foreign key (workspace_id, fiscal_document_id) references fiscal_documents,
  check ((status = 'paid') = (open_cents = 0 and status <> 'canceled' and status <> 'draft'))
);
create index payables_by_due_date on payables (workspace_id, due_date, id);
create index payables_of_person on payables (workspace_id, person_id, due_date, id);
create index payables_by_status on payables (workspace_id, status, due_date, id);
create index payables_by_document on payables (workspace_id, person_id, document_number) where document_number is not null;
create index payables_of_fiscal_document on payables (workspace_id, fiscal_document_id) where fiscal_document_id is not null;
create index payables_by_creation on payables (workspace_id, created_at, id);
create index payables_by_amount on payables (workspace_id, amount_cents, id);
create index payables_by_barcode on payables (workspace_id, (payment_details->>'barcode')) where payment_details->>'barcode' is not null;
-- What every list and its total ask for; holds all the total needs, so the table itself is not read.
create index payables_still_open on payables (workspace_id, due_date, id)
  include (open_cents, adjusted_due_date, company_id, person_id)
  where status in ('open', 'partially_paid');

create table payments (
  workspace_id uuid not null,
  id uuid not null,
  payable_id uuid not null,
  account_id uuid not null,
  kind text not null check (kind in ('boleto', 'utility', 'pix_key', 'pix_code', 'ted')),
  amount_cents cents not null check (amount_cents > 0),
  details jsonb not null,
  scheduled_for date not null,
  status text not null check (status in ('pending', 'awaiting_approval', 'awaiting_funds', 'scheduled', 'processing', 'confirmed', 'canceled', 'rejected', 'failed')),
  registration_status text not null check (registration_status in ('pending', 'requested', 'confirmed', 'rejected', 'failed', 'unknown')),
  bank_reference text,
  bank_authentication text,
  bank_settled_on date,
  rejected_reason text,
  cancel_reason text,
  cancel_requested_at timestamptz,
  receipt_attachment_id uuid,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, id),
  foreign key (workspace_id, payable_id) references payables,
  foreign key (workspace_id, account_id) references financial_accounts,
  foreign key (workspace_id, receipt_attachment_id) references attachments
);
-- At most one live order per payable, whatever the code above does.
create unique index payments_one_live on payments (workspace_id, payable_id)
  where status in ('pending', 'awaiting_approval', 'awaiting_funds', 'scheduled', 'processing');
create index payments_by_date on payments (workspace_id, scheduled_for, id);
create index payments_of_payable on payments (workspace_id, payable_id);
create index payments_by_barcode on payments (workspace_id, (details->>'barcode')) where details->>'barcode' is not null;

-- What is asked of the bank, written with the operation and sent by the worker.
create table bank_commands (
  workspace_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  kind text not null check (kind in ('submit', 'cancel')),
  -- `unknown`: sent, no answer; resolved by asking the bank, never by sending again.
  status text not null check (status in ('requested', 'confirmed', 'failed', 'unknown')),
  -- Goes to the bank with the command; equal for every attempt.
  idempotency_key text not null,
  attempts integer not null default 0,
  answer jsonb,
  sent_at timestamptz,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, idempotency_key),
  foreign key (workspace_id, payment_id) references payments
);

create table settlements (
  workspace_id uuid not null,
  id uuid not null,
  payable_id uuid not null,
  account_id uuid not null,
  transaction_id uuid,
  payment_id uuid,
  paid_at date not null,
  -- Cash moved: principal − discount + interest + fine.
  amount_cents cents not null check (amount_cents >= 0),
  principal_cents cents not null check (principal_cents >= 0),
  discount_cents cents not null default 0 check (discount_cents >= 0),
  interest_cents cents not null default 0 check (interest_cents >= 0),
  fine_cents cents not null default 0 check (fine_cents >= 0),
  method text not null check (method in ('boleto', 'pix', 'ted', 'cash', 'card', 'debit', 'other')),
  receipt_attachment_id uuid,
  status text not null check (status in ('effective', 'reversed')),
  reversed_reason text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, payable_id) references payables,
  foreign key (workspace_id, account_id) references financial_accounts,
  foreign key (workspace_id, transaction_id) references financial_transactions,
  foreign key (workspace_id, payment_id) references payments,
  foreign key (workspace_id, receipt_attachment_id) references attachments,
  check (amount_cents = principal_cents - discount_cents + interest_cents + fine_cents)
);
create index settlements_of_payable on settlements (workspace_id, payable_id);
create index settlements_by_date on settlements (workspace_id, paid_at, payable_id) where status = 'effective';
-- A bank answer that arrives twice settles once.
create unique index settlements_one_per_payment on settlements (workspace_id, payment_id)
  where payment_id is not null and status = 'effective';
