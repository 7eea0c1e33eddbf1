-- Generated from the migrations by `npm run generate`. Not run by anything.

create domain cents as bigint CHECK (((VALUE >= '-10000000000000'::bigint) AND (VALUE <= '10000000000000'::bigint)));

create domain civil_month as text CHECK ((VALUE ~ '^\d{4}-(0[1-9]|1[0-2])$'::text));

create table access_log (
  organization_id uuid not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  workspace_id uuid,
  user_id uuid not null,
  token_id uuid,
  client_id text not null,
  surface text not null,
  operation text not null,
  outcome text not null,
  arguments_digest text,
  duration_ms real not null,
  constraint access_log_pkey PRIMARY KEY (organization_id, id)
);
alter table access_log enable row level security;
alter table access_log force row level security;

create table account_balances (
  workspace_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  amount_cents cents not null,
  blocked_cents cents not null default 0,
  as_of timestamp with time zone not null,
  source text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint account_balances_pkey PRIMARY KEY (workspace_id, id),
  constraint account_balances_source_check CHECK ((source = ANY (ARRAY['bank'::text, 'statement'::text, 'manual'::text]))),
  constraint account_balances_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES financial_accounts(workspace_id, id)
);
alter table account_balances enable row level security;
alter table account_balances force row level security;

create table approval_settings (
  workspace_id uuid not null,
  id uuid not null,
  company_id uuid,
  thresholds jsonb not null default '[]'::jsonb,
  require_second_person boolean not null default false,
  safety jsonb not null default '{}'::jsonb,
  updated_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint approval_settings_pkey PRIMARY KEY (workspace_id, id),
  constraint approval_settings_workspace_id_company_id_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id),
  constraint approval_settings_workspace_id_company_id_key UNIQUE NULLS NOT DISTINCT (workspace_id, company_id)
);
alter table approval_settings enable row level security;
alter table approval_settings force row level security;

create table attachment_contents (
  workspace_id uuid not null,
  attachment_id uuid not null,
  bytes bytea not null,
  constraint attachment_contents_pkey PRIMARY KEY (workspace_id, attachment_id),
  constraint attachment_contents_workspace_id_attachment_id_fkey FOREIGN KEY (workspace_id, attachment_id) REFERENCES attachments(workspace_id, id) ON DELETE CASCADE
);
alter table attachment_contents enable row level security;
alter table attachment_contents force row level security;

create table attachment_links (
  workspace_id uuid not null,
  attachment_id uuid not null,
  record_kind text not null,
  record_id uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint attachment_links_pkey PRIMARY KEY (workspace_id, attachment_id, record_kind, record_id),
  constraint attachment_links_workspace_id_attachment_id_fkey FOREIGN KEY (workspace_id, attachment_id) REFERENCES attachments(workspace_id, id) ON DELETE CASCADE
);
alter table attachment_links enable row level security;
alter table attachment_links force row level security;

create table attachments (
  workspace_id uuid not null,
  id uuid not null,
  file_name text not null,
  content_type text not null,
  size_bytes integer not null,
  sha256 text not null,
  kind text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint attachments_kind_check CHECK ((kind = ANY (ARRAY['receipt'::text, 'boleto'::text, 'invoice_xml'::text, 'contract'::text, 'other'::text]))),
  constraint attachments_pkey PRIMARY KEY (workspace_id, id),
  constraint attachments_size_bytes_check CHECK (((size_bytes >= 0) AND (size_bytes <= 10485760)))
);
alter table attachments enable row level security;
alter table attachments force row level security;

create table automatic_rules (
  workspace_id uuid not null,
  id uuid not null,
  pattern text not null,
  search_pattern text not null,
  match text not null,
  scope text not null,
  category_id uuid,
  person_id uuid,
  cost_center_id uuid,
  payment_method text,
  notes text,
  "position" integer not null,
  active boolean not null default true,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint automatic_rules_match_check CHECK ((match = ANY (ARRAY['contains'::text, 'equals'::text]))),
  constraint automatic_rules_pkey PRIMARY KEY (workspace_id, id),
  constraint automatic_rules_scope_check CHECK ((scope = ANY (ARRAY['transactions'::text, 'documents'::text, 'all'::text]))),
  constraint automatic_rules_workspace_id_category_id_fkey FOREIGN KEY (workspace_id, category_id) REFERENCES categories(workspace_id, id),
  constraint automatic_rules_workspace_id_cost_center_id_fkey FOREIGN KEY (workspace_id, cost_center_id) REFERENCES cost_centers(workspace_id, id),
  constraint automatic_rules_workspace_id_person_id_fkey FOREIGN KEY (workspace_id, person_id) REFERENCES people(workspace_id, id),
  constraint automatic_rules_workspace_id_position_key UNIQUE (workspace_id, "position") DEFERRABLE INITIALLY DEFERRED
);
alter table automatic_rules enable row level security;
alter table automatic_rules force row level security;

create table bank_commands (
  workspace_id uuid not null,
  id uuid not null,
  payment_id uuid,
  kind text not null,
  status text not null,
  idempotency_key text not null,
  attempts integer not null default 0,
  answer jsonb,
  sent_at timestamp with time zone,
  answered_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  charge_id uuid,
  transfer_id uuid,
  constraint bank_commands_check CHECK ((num_nonnulls(payment_id, charge_id, transfer_id) = 1)),
  constraint bank_commands_kind_check CHECK ((kind = ANY (ARRAY['submit'::text, 'cancel'::text]))),
  constraint bank_commands_pkey PRIMARY KEY (workspace_id, id),
  constraint bank_commands_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'confirmed'::text, 'failed'::text, 'unknown'::text]))),
  constraint bank_commands_workspace_id_charge_id_fkey FOREIGN KEY (workspace_id, charge_id) REFERENCES charges(workspace_id, id),
  constraint bank_commands_workspace_id_idempotency_key_key UNIQUE (workspace_id, idempotency_key),
  constraint bank_commands_workspace_id_payment_id_fkey FOREIGN KEY (workspace_id, payment_id) REFERENCES payments(workspace_id, id),
  constraint bank_commands_workspace_id_transfer_id_fkey FOREIGN KEY (workspace_id, transfer_id) REFERENCES transfers(workspace_id, id)
);
alter table bank_commands enable row level security;
alter table bank_commands force row level security;

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
  replay_key text not null,
  outcome text not null,
  reason text,
  charge_id uuid,
  settlement_id uuid,
  constraint bank_return_records_outcome_check CHECK ((outcome = ANY (ARRAY['settled'::text, 'duplicate_payment'::text, 'noted'::text, 'replayed'::text, 'unknown_charge'::text, 'unreadable'::text, 'refused'::text]))),
  constraint bank_return_records_pkey PRIMARY KEY (workspace_id, bank_return_id, line),
  constraint bank_return_records_workspace_id_bank_return_id_fkey FOREIGN KEY (workspace_id, bank_return_id) REFERENCES bank_returns(workspace_id, id),
  constraint bank_return_records_workspace_id_charge_id_fkey FOREIGN KEY (workspace_id, charge_id) REFERENCES charges(workspace_id, id),
  constraint bank_return_records_workspace_id_settlement_id_fkey FOREIGN KEY (workspace_id, settlement_id) REFERENCES settlements(workspace_id, id)
);
alter table bank_return_records enable row level security;
alter table bank_return_records force row level security;

create table bank_returns (
  workspace_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  file_name text not null,
  file_sha256 text not null,
  layout text not null,
  bank_code text not null,
  agreement text,
  file_date date,
  sequence_number text,
  record_count integer not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint bank_returns_layout_check CHECK ((layout = ANY (ARRAY['cnab240'::text, 'cnab400'::text]))),
  constraint bank_returns_pkey PRIMARY KEY (workspace_id, id),
  constraint bank_returns_workspace_id_account_id_file_sha256_key UNIQUE (workspace_id, account_id, file_sha256),
  constraint bank_returns_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES financial_accounts(workspace_id, id)
);
alter table bank_returns enable row level security;
alter table bank_returns force row level security;

create table categories (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null,
  parent_id uuid,
  code text,
  statement_group text,
  active boolean not null default true,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint categories_kind_check CHECK ((kind = ANY (ARRAY['income'::text, 'expense'::text]))),
  constraint categories_pkey PRIMARY KEY (workspace_id, id),
  constraint categories_workspace_id_parent_id_fkey FOREIGN KEY (workspace_id, parent_id) REFERENCES categories(workspace_id, id),
  constraint categories_workspace_id_parent_id_kind_name_key UNIQUE NULLS NOT DISTINCT (workspace_id, parent_id, kind, name)
);
alter table categories enable row level security;
alter table categories force row level security;

create table charge_deliveries (
  workspace_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  channel text not null,
  recipient text not null,
  status text not null,
  message_id text,
  failed_reason text,
  attempts integer not null default 0,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint charge_deliveries_channel_check CHECK ((channel = 'email'::text)),
  constraint charge_deliveries_pkey PRIMARY KEY (workspace_id, id),
  constraint charge_deliveries_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'unknown'::text, 'canceled'::text]))),
  constraint charge_deliveries_workspace_id_charge_id_fkey FOREIGN KEY (workspace_id, charge_id) REFERENCES charges(workspace_id, id)
);
alter table charge_deliveries enable row level security;
alter table charge_deliveries force row level security;

create table charge_numbers (
  workspace_id uuid not null,
  account_id uuid not null,
  last_number bigint not null,
  constraint charge_numbers_pkey PRIMARY KEY (workspace_id, account_id),
  constraint charge_numbers_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES financial_accounts(workspace_id, id)
);
alter table charge_numbers enable row level security;
alter table charge_numbers force row level security;

create table charges (
  workspace_id uuid not null,
  id uuid not null,
  receivable_id uuid not null,
  account_id uuid not null,
  methods text[] not null,
  amount_cents cents not null,
  due_date date not null,
  valid_days_after_due integer not null default 0,
  terms jsonb,
  our_number text not null,
  barcode text,
  typed_line text,
  pix_txid text,
  pix_code text,
  end_to_end_id text,
  status text not null,
  registration_status text not null,
  bank_reference text,
  rejected_reason text,
  cancel_reason text,
  cancel_requested_at timestamp with time zone,
  paid_on date,
  pdf_attachment_id uuid,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint charges_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint charges_pkey PRIMARY KEY (workspace_id, id),
  constraint charges_registration_status_check CHECK ((registration_status = ANY (ARRAY['pending'::text, 'requested'::text, 'confirmed'::text, 'rejected'::text, 'failed'::text, 'unknown'::text]))),
  constraint charges_status_check CHECK ((status = ANY (ARRAY['generating'::text, 'open'::text, 'paid'::text, 'canceled'::text, 'failed'::text]))),
  constraint charges_valid_days_after_due_check CHECK (((valid_days_after_due >= 0) AND (valid_days_after_due <= 365))),
  constraint charges_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES financial_accounts(workspace_id, id),
  constraint charges_workspace_id_account_id_our_number_key UNIQUE (workspace_id, account_id, our_number),
  constraint charges_workspace_id_pdf_attachment_id_fkey FOREIGN KEY (workspace_id, pdf_attachment_id) REFERENCES attachments(workspace_id, id),
  constraint charges_workspace_id_receivable_id_fkey FOREIGN KEY (workspace_id, receivable_id) REFERENCES receivables(workspace_id, id)
);
alter table charges enable row level security;
alter table charges force row level security;

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
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint companies_pkey PRIMARY KEY (workspace_id, id),
  constraint companies_workspace_id_document_number_key UNIQUE (workspace_id, document_number),
  constraint companies_workspace_id_parent_id_fkey FOREIGN KEY (workspace_id, parent_id) REFERENCES companies(workspace_id, id)
);
alter table companies enable row level security;
alter table companies force row level security;

create table cost_centers (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  code text,
  parent_id uuid,
  active boolean not null default true,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint cost_centers_pkey PRIMARY KEY (workspace_id, id),
  constraint cost_centers_workspace_id_parent_id_fkey FOREIGN KEY (workspace_id, parent_id) REFERENCES cost_centers(workspace_id, id),
  constraint cost_centers_workspace_id_parent_id_name_key UNIQUE NULLS NOT DISTINCT (workspace_id, parent_id, name)
);
alter table cost_centers enable row level security;
alter table cost_centers force row level security;

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
  nominal_cents cents not null,
  amount_cents cents not null,
  min_cents cents,
  max_cents cents,
  allows_partial boolean not null default false,
  issue_date date,
  due_date date not null,
  terms jsonb,
  status text not null,
  external_status text not null,
  reject_reason text,
  rejection_status text,
  rejection_refused_reason text,
  bank_reference text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dda_boletos_amount_cents_check CHECK (((amount_cents)::bigint >= 0)),
  constraint dda_boletos_check CHECK (((status = 'rejected'::text) = (rejection_status IS NOT NULL))),
  constraint dda_boletos_external_status_check CHECK ((external_status = ANY (ARRAY['open'::text, 'overdue'::text, 'paid'::text, 'canceled'::text, 'written_off'::text, 'blocked'::text]))),
  constraint dda_boletos_nominal_cents_check CHECK (((nominal_cents)::bigint >= 0)),
  constraint dda_boletos_pkey PRIMARY KEY (workspace_id, id),
  constraint dda_boletos_rejection_status_check CHECK ((rejection_status = ANY (ARRAY['requested'::text, 'confirmed'::text, 'refused'::text]))),
  constraint dda_boletos_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'rejected'::text]))),
  constraint dda_boletos_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES financial_accounts(workspace_id, id),
  constraint dda_boletos_workspace_id_barcode_key UNIQUE (workspace_id, barcode),
  constraint dda_boletos_workspace_id_company_id_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id)
);
alter table dda_boletos enable row level security;
alter table dda_boletos force row level security;

create table duplicate_receipts (
  workspace_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  amount_cents cents not null,
  received_on date not null,
  external_id text,
  transaction_id uuid,
  status text not null,
  created_at timestamp with time zone not null default now(),
  constraint duplicate_receipts_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint duplicate_receipts_pkey PRIMARY KEY (workspace_id, id),
  constraint duplicate_receipts_status_check CHECK ((status = ANY (ARRAY['to_refund'::text, 'refunded'::text]))),
  constraint duplicate_receipts_workspace_id_charge_id_external_id_key UNIQUE (workspace_id, charge_id, external_id),
  constraint duplicate_receipts_workspace_id_charge_id_fkey FOREIGN KEY (workspace_id, charge_id) REFERENCES charges(workspace_id, id),
  constraint duplicate_receipts_workspace_id_transaction_id_fkey FOREIGN KEY (workspace_id, transaction_id) REFERENCES financial_transactions(workspace_id, id)
);
alter table duplicate_receipts enable row level security;
alter table duplicate_receipts force row level security;

create table event_chains (
  tenant_id uuid not null,
  "position" bigint not null,
  hash bytea not null,
  constraint event_chains_pkey PRIMARY KEY (tenant_id)
);
alter table event_chains enable row level security;
alter table event_chains force row level security;

create table event_records (
  tenant_id uuid not null,
  kind text not null,
  record_id text not null,
  at timestamp with time zone not null,
  "position" bigint not null,
  constraint event_records_pkey PRIMARY KEY (tenant_id, record_id, at, "position", kind)
);
alter table event_records enable row level security;
alter table event_records force row level security;

create table events (
  tenant_id uuid not null,
  "position" bigint not null,
  at timestamp with time zone not null,
  operation text not null,
  actor_id uuid not null,
  body text not null,
  hash bytea not null,
  constraint events_pkey PRIMARY KEY (tenant_id, "position")
);
alter table events enable row level security;
alter table events force row level security;

create table financial_accounts (
  workspace_id uuid not null,
  id uuid not null,
  company_id uuid not null,
  name text not null,
  kind text not null,
  bank_code text,
  agency text,
  number text,
  digit text,
  opening_balance_cents cents not null,
  opening_date date not null,
  bank_adapter text not null default 'simulator'::text,
  active boolean not null default true,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  bank_adapter_account text,
  constraint financial_accounts_kind_check CHECK ((kind = ANY (ARRAY['checking'::text, 'savings'::text, 'payment'::text, 'cash'::text, 'card'::text, 'investment'::text]))),
  constraint financial_accounts_pkey PRIMARY KEY (workspace_id, id),
  constraint financial_accounts_workspace_id_company_id_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id),
  constraint financial_accounts_workspace_id_name_key UNIQUE (workspace_id, name)
);
alter table financial_accounts enable row level security;
alter table financial_accounts force row level security;

create table financial_transactions (
  workspace_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  date date not null,
  direction text not null,
  amount_cents cents not null,
  description text not null,
  category_id uuid,
  person_id uuid,
  source text not null,
  ignored boolean not null default false,
  reconciled_cents cents not null default 0,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  notes text,
  bank_reference text,
  document_number text,
  counterparty_name text,
  counterparty_document text,
  end_to_end_id text,
  cost_centers jsonb not null default '[]'::jsonb,
  import_id uuid,
  dedup_key text,
  is_suspect boolean not null default false,
  transfer_id uuid,
  superseded_by uuid,
  classified_by text,
  search_text text not null default ''::text,
  constraint financial_transactions_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint financial_transactions_check CHECK ((((reconciled_cents)::bigint >= 0) AND ((reconciled_cents)::bigint <= (amount_cents)::bigint))),
  constraint financial_transactions_classified_by_check CHECK ((classified_by = ANY (ARRAY['person'::text, 'rule'::text]))),
  constraint financial_transactions_direction_check CHECK ((direction = ANY (ARRAY['credit'::text, 'debit'::text]))),
  constraint financial_transactions_pkey PRIMARY KEY (workspace_id, id),
  constraint financial_transactions_source_check CHECK ((source = ANY (ARRAY['manual'::text, 'import'::text, 'payment'::text, 'settlement'::text, 'transfer'::text, 'adjustment'::text]))),
  constraint financial_transactions_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES financial_accounts(workspace_id, id),
  constraint financial_transactions_workspace_id_category_id_fkey FOREIGN KEY (workspace_id, category_id) REFERENCES categories(workspace_id, id),
  constraint financial_transactions_workspace_id_import_id_fkey FOREIGN KEY (workspace_id, import_id) REFERENCES statement_imports(workspace_id, id),
  constraint financial_transactions_workspace_id_person_id_fkey FOREIGN KEY (workspace_id, person_id) REFERENCES people(workspace_id, id),
  constraint financial_transactions_workspace_id_superseded_by_fkey FOREIGN KEY (workspace_id, superseded_by) REFERENCES financial_transactions(workspace_id, id),
  constraint financial_transactions_workspace_id_transfer_id_fkey FOREIGN KEY (workspace_id, transfer_id) REFERENCES transfers(workspace_id, id)
);
alter table financial_transactions enable row level security;
alter table financial_transactions force row level security;

create table fiscal_documents (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null,
  access_key text,
  number text not null,
  series text,
  issued_at timestamp with time zone not null,
  issuer_document text not null,
  issuer_name text not null,
  recipient_document text,
  recipient_name text,
  total_cents cents not null,
  net_cents cents not null,
  withholdings jsonb not null default '[]'::jsonb,
  installments jsonb not null default '[]'::jsonb,
  authorization_protocol text,
  authorization_status text not null,
  warnings jsonb not null default '[]'::jsonb,
  status text not null,
  company_id uuid,
  person_id uuid,
  xml_attachment_id uuid not null,
  notes text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint fiscal_documents_authorization_status_check CHECK ((authorization_status = ANY (ARRAY['authorized'::text, 'unproven'::text, 'denied'::text]))),
  constraint fiscal_documents_kind_check CHECK ((kind = ANY (ARRAY['nfe'::text, 'nfse'::text, 'cte'::text]))),
  constraint fiscal_documents_pkey PRIMARY KEY (workspace_id, id),
  constraint fiscal_documents_status_check CHECK ((status = ANY (ARRAY['new'::text, 'linked'::text, 'ignored'::text, 'canceled'::text]))),
  constraint fiscal_documents_workspace_id_access_key_key UNIQUE (workspace_id, access_key),
  constraint fiscal_documents_workspace_id_company_id_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id),
  constraint fiscal_documents_workspace_id_person_id_fkey FOREIGN KEY (workspace_id, person_id) REFERENCES people(workspace_id, id),
  constraint fiscal_documents_workspace_id_xml_attachment_id_fkey FOREIGN KEY (workspace_id, xml_attachment_id) REFERENCES attachments(workspace_id, id)
);
alter table fiscal_documents enable row level security;
alter table fiscal_documents force row level security;

create table idempotency_keys (
  tenant_id uuid not null,
  user_id uuid not null,
  operation text not null,
  key text not null,
  arguments_digest text not null,
  answer text,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (tenant_id, user_id, operation, key)
);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;

create table memberships (
  organization_id uuid not null,
  user_id uuid not null,
  workspace_id uuid,
  role text not null,
  created_at timestamp with time zone not null default now(),
  constraint memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint memberships_organization_id_user_id_workspace_id_key UNIQUE NULLS NOT DISTINCT (organization_id, user_id, workspace_id),
  constraint memberships_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces(organization_id, id),
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'finance'::text, 'collections'::text, 'accountant'::text, 'viewer'::text]))),
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table organizations (
  id uuid not null,
  name text not null,
  time_zone text not null default 'America/Sao_Paulo'::text,
  created_at timestamp with time zone not null default now(),
  constraint organizations_pkey PRIMARY KEY (id)
);

create table payables (
  workspace_id uuid not null,
  id uuid not null,
  company_id uuid not null,
  person_id uuid not null,
  description text not null,
  amount_cents cents not null,
  abatement_cents cents not null default 0,
  withheld_cents cents not null default 0,
  settled_cents cents not null default 0,
  open_cents bigint generated always as (((((amount_cents)::bigint - (abatement_cents)::bigint) - (withheld_cents)::bigint) - (settled_cents)::bigint)) stored,
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
  category_id uuid,
  cost_centers jsonb not null default '[]'::jsonb,
  withholdings jsonb not null default '[]'::jsonb,
  terms jsonb,
  payment_details jsonb,
  status text not null,
  approval_status text not null,
  approval_by uuid,
  approval_at timestamp with time zone,
  approval_reason text,
  canceled_reason text,
  fiscal_document_id uuid,
  needs_review boolean not null default false,
  search_text text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  recurrence_id uuid,
  recurrence_number integer,
  dda_boleto_id uuid,
  classified_by text,
  constraint payables_abatement_cents_check CHECK (((abatement_cents)::bigint >= 0)),
  constraint payables_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint payables_approval_status_check CHECK ((approval_status = ANY (ARRAY['not_required'::text, 'pending'::text, 'approved'::text, 'rejected'::text]))),
  constraint payables_check CHECK (((status = 'paid'::text) = ((open_cents = 0) AND (status <> 'canceled'::text) AND (status <> 'draft'::text)))),
  constraint payables_classified_by_check CHECK ((classified_by = ANY (ARRAY['person'::text, 'rule'::text]))),
  constraint payables_open_cents_check CHECK ((open_cents >= 0)),
  constraint payables_pkey PRIMARY KEY (workspace_id, id),
  constraint payables_settled_cents_check CHECK (((settled_cents)::bigint >= 0)),
  constraint payables_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'partially_paid'::text, 'paid'::text, 'canceled'::text]))),
  constraint payables_withheld_cents_check CHECK (((withheld_cents)::bigint >= 0)),
  constraint payables_workspace_id_category_id_fkey FOREIGN KEY (workspace_id, category_id) REFERENCES categories(workspace_id, id),
  constraint payables_workspace_id_company_id_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id),
  constraint payables_workspace_id_dda_boleto_id_fkey FOREIGN KEY (workspace_id, dda_boleto_id) REFERENCES dda_boletos(workspace_id, id),
  constraint payables_workspace_id_fiscal_document_id_fkey FOREIGN KEY (workspace_id, fiscal_document_id) REFERENCES fiscal_documents(workspace_id, id),
  constraint payables_workspace_id_person_id_fkey FOREIGN KEY (workspace_id, person_id) REFERENCES people(workspace_id, id),
  constraint payables_workspace_id_planned_account_id_fkey FOREIGN KEY (workspace_id, planned_account_id) REFERENCES financial_accounts(workspace_id, id),
  constraint payables_workspace_id_recurrence_id_fkey FOREIGN KEY (workspace_id, recurrence_id) REFERENCES recurrences(workspace_id, id)
);
alter table payables enable row level security;
alter table payables force row level security;

create table payments (
  workspace_id uuid not null,
  id uuid not null,
  payable_id uuid not null,
  account_id uuid not null,
  kind text not null,
  amount_cents cents not null,
  details jsonb not null,
  scheduled_for date not null,
  status text not null,
  registration_status text not null,
  bank_reference text,
  bank_authentication text,
  bank_settled_on date,
  rejected_reason text,
  cancel_reason text,
  cancel_requested_at timestamp with time zone,
  receipt_attachment_id uuid,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  created_by_token uuid,
  constraint payments_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint payments_kind_check CHECK ((kind = ANY (ARRAY['boleto'::text, 'utility'::text, 'pix_key'::text, 'pix_code'::text, 'ted'::text]))),
  constraint payments_pkey PRIMARY KEY (workspace_id, id),
  constraint payments_registration_status_check CHECK ((registration_status = ANY (ARRAY['pending'::text, 'requested'::text, 'confirmed'::text, 'rejected'::text, 'failed'::text, 'unknown'::text]))),
  constraint payments_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'awaiting_approval'::text, 'awaiting_funds'::text, 'scheduled'::text, 'processing'::text, 'confirmed'::text, 'canceled'::text, 'rejected'::text, 'failed'::text]))),
  constraint payments_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES financial_accounts(workspace_id, id),
  constraint payments_workspace_id_payable_id_fkey FOREIGN KEY (workspace_id, payable_id) REFERENCES payables(workspace_id, id),
  constraint payments_workspace_id_receipt_attachment_id_fkey FOREIGN KEY (workspace_id, receipt_attachment_id) REFERENCES attachments(workspace_id, id)
);
alter table payments enable row level security;
alter table payments force row level security;

create table people (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null,
  document_number text,
  roles text[] not null,
  emails text[] not null default '{}'::text[],
  phones text[] not null default '{}'::text[],
  address jsonb,
  bank_accounts jsonb not null default '[]'::jsonb,
  pix_keys jsonb not null default '[]'::jsonb,
  bank_details_changed_at timestamp with time zone,
  search_text text not null,
  active boolean not null default true,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint people_kind_check CHECK ((kind = ANY (ARRAY['natural'::text, 'legal'::text]))),
  constraint people_pkey PRIMARY KEY (workspace_id, id),
  constraint people_workspace_id_document_number_key UNIQUE (workspace_id, document_number)
);
alter table people enable row level security;
alter table people force row level security;

create table receivables (
  workspace_id uuid not null,
  id uuid not null,
  company_id uuid not null,
  person_id uuid not null,
  description text not null,
  amount_cents cents not null,
  abatement_cents cents not null default 0,
  withheld_cents cents not null default 0,
  settled_cents cents not null default 0,
  written_off_cents cents not null default 0,
  open_cents bigint generated always as ((((((amount_cents)::bigint - (abatement_cents)::bigint) - (withheld_cents)::bigint) - (settled_cents)::bigint) - (written_off_cents)::bigint)) stored,
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
  cost_centers jsonb not null default '[]'::jsonb,
  withholdings jsonb not null default '[]'::jsonb,
  terms jsonb,
  status text not null,
  canceled_reason text,
  write_off jsonb,
  classified_by text,
  search_text text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  recurrence_number integer,
  constraint receivables_abatement_cents_check CHECK (((abatement_cents)::bigint >= 0)),
  constraint receivables_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint receivables_check CHECK (((status = ANY (ARRAY['paid'::text, 'written_off'::text])) = ((open_cents = 0) AND (status <> ALL (ARRAY['canceled'::text, 'draft'::text]))))),
  constraint receivables_classified_by_check CHECK ((classified_by = ANY (ARRAY['person'::text, 'rule'::text]))),
  constraint receivables_open_cents_check CHECK ((open_cents >= 0)),
  constraint receivables_pkey PRIMARY KEY (workspace_id, id),
  constraint receivables_settled_cents_check CHECK (((settled_cents)::bigint >= 0)),
  constraint receivables_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'partially_paid'::text, 'paid'::text, 'written_off'::text, 'canceled'::text]))),
  constraint receivables_withheld_cents_check CHECK (((withheld_cents)::bigint >= 0)),
  constraint receivables_workspace_id_category_id_fkey FOREIGN KEY (workspace_id, category_id) REFERENCES categories(workspace_id, id),
  constraint receivables_workspace_id_company_id_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id),
  constraint receivables_workspace_id_person_id_fkey FOREIGN KEY (workspace_id, person_id) REFERENCES people(workspace_id, id),
  constraint receivables_workspace_id_planned_account_id_fkey FOREIGN KEY (workspace_id, planned_account_id) REFERENCES financial_accounts(workspace_id, id),
  constraint receivables_workspace_id_recurrence_id_fkey FOREIGN KEY (workspace_id, recurrence_id) REFERENCES recurrences(workspace_id, id),
  constraint receivables_written_off_cents_check CHECK (((written_off_cents)::bigint >= 0))
);
alter table receivables enable row level security;
alter table receivables force row level security;

create table reconciliation_documents (
  workspace_id uuid not null,
  reconciliation_id uuid not null,
  "position" integer not null,
  kind text not null,
  document_id uuid not null,
  settlement_id uuid,
  made_settlement boolean not null,
  superseded_transaction_id uuid,
  amount_cents cents not null,
  constraint reconciliation_documents_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint reconciliation_documents_kind_check CHECK ((kind = ANY (ARRAY['payable'::text, 'receivable'::text, 'settlement'::text, 'transfer'::text]))),
  constraint reconciliation_documents_pkey PRIMARY KEY (workspace_id, reconciliation_id, "position"),
  constraint reconciliation_documents_workspace_id_reconciliation_id_fkey FOREIGN KEY (workspace_id, reconciliation_id) REFERENCES reconciliations(workspace_id, id),
  constraint reconciliation_documents_workspace_id_settlement_id_fkey FOREIGN KEY (workspace_id, settlement_id) REFERENCES settlements(workspace_id, id)
);
alter table reconciliation_documents enable row level security;
alter table reconciliation_documents force row level security;

create table reconciliation_transactions (
  workspace_id uuid not null,
  reconciliation_id uuid not null,
  transaction_id uuid not null,
  amount_cents cents not null,
  constraint reconciliation_transactions_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint reconciliation_transactions_pkey PRIMARY KEY (workspace_id, reconciliation_id, transaction_id),
  constraint reconciliation_transactions_workspace_id_reconciliation_id_fkey FOREIGN KEY (workspace_id, reconciliation_id) REFERENCES reconciliations(workspace_id, id)
);
alter table reconciliation_transactions enable row level security;
alter table reconciliation_transactions force row level security;

create table reconciliations (
  workspace_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  direction text not null,
  total_cents cents not null,
  origin text not null,
  status text not null,
  undone_reason text,
  undone_by uuid,
  undone_at timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint reconciliations_direction_check CHECK ((direction = ANY (ARRAY['credit'::text, 'debit'::text]))),
  constraint reconciliations_origin_check CHECK ((origin = ANY (ARRAY['manual'::text, 'suggestion'::text, 'automatic'::text]))),
  constraint reconciliations_pkey PRIMARY KEY (workspace_id, id),
  constraint reconciliations_status_check CHECK ((status = ANY (ARRAY['active'::text, 'undone'::text]))),
  constraint reconciliations_total_cents_check CHECK (((total_cents)::bigint > 0)),
  constraint reconciliations_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES financial_accounts(workspace_id, id)
);
alter table reconciliations enable row level security;
alter table reconciliations force row level security;

create table recurrences (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null,
  template jsonb not null,
  frequency text not null,
  anchor_day integer not null,
  start_date date not null,
  end_date date,
  occurrences integer,
  non_business_day text not null,
  next_number integer not null default 0,
  next_on date,
  held_by text,
  status text not null,
  end_reason text,
  template_by uuid not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint recurrences_anchor_day_check CHECK (((anchor_day >= 1) AND (anchor_day <= 31))),
  constraint recurrences_check CHECK (((status = 'ended'::text) = (end_reason IS NOT NULL))),
  constraint recurrences_check1 CHECK (((status = 'ended'::text) OR (next_on IS NOT NULL))),
  constraint recurrences_end_reason_check CHECK ((end_reason = ANY (ARRAY['completed'::text, 'stopped'::text]))),
  constraint recurrences_frequency_check CHECK ((frequency = ANY (ARRAY['weekly'::text, 'monthly'::text, 'yearly'::text]))),
  constraint recurrences_kind_check CHECK ((kind = ANY (ARRAY['payable'::text, 'receivable'::text]))),
  constraint recurrences_non_business_day_check CHECK ((non_business_day = ANY (ARRAY['keep'::text, 'next'::text, 'previous'::text]))),
  constraint recurrences_occurrences_check CHECK ((occurrences > 0)),
  constraint recurrences_pkey PRIMARY KEY (workspace_id, id),
  constraint recurrences_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text])))
);
alter table recurrences enable row level security;
alter table recurrences force row level security;

create table schema_migrations (
  version integer not null,
  name text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table search_words (
  workspace_id uuid not null,
  kind "char" not null,
  word text not null,
  record_id uuid not null,
  constraint search_words_pkey PRIMARY KEY (workspace_id, kind, word, record_id)
);
alter table search_words enable row level security;
alter table search_words force row level security;

create table settlements (
  workspace_id uuid not null,
  id uuid not null,
  payable_id uuid,
  account_id uuid not null,
  transaction_id uuid,
  payment_id uuid,
  paid_at date not null,
  amount_cents cents not null,
  principal_cents cents not null,
  discount_cents cents not null default 0,
  interest_cents cents not null default 0,
  fine_cents cents not null default 0,
  method text not null,
  receipt_attachment_id uuid,
  status text not null,
  reversed_reason text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  receivable_id uuid,
  charge_id uuid,
  fee_cents cents not null default 0,
  external_id text,
  constraint settlements_amount_cents_check CHECK (((amount_cents)::bigint >= 0)),
  constraint settlements_check CHECK (((amount_cents)::bigint = ((((principal_cents)::bigint - (discount_cents)::bigint) + (interest_cents)::bigint) + (fine_cents)::bigint))),
  constraint settlements_check1 CHECK ((num_nonnulls(payable_id, receivable_id) = 1)),
  constraint settlements_check2 CHECK ((((fee_cents)::bigint = 0) OR (receivable_id IS NOT NULL))),
  constraint settlements_discount_cents_check CHECK (((discount_cents)::bigint >= 0)),
  constraint settlements_fee_cents_check CHECK (((fee_cents)::bigint >= 0)),
  constraint settlements_fine_cents_check CHECK (((fine_cents)::bigint >= 0)),
  constraint settlements_interest_cents_check CHECK (((interest_cents)::bigint >= 0)),
  constraint settlements_method_check CHECK ((method = ANY (ARRAY['boleto'::text, 'pix'::text, 'ted'::text, 'cash'::text, 'card'::text, 'debit'::text, 'other'::text]))),
  constraint settlements_pkey PRIMARY KEY (workspace_id, id),
  constraint settlements_principal_cents_check CHECK (((principal_cents)::bigint >= 0)),
  constraint settlements_status_check CHECK ((status = ANY (ARRAY['effective'::text, 'reversed'::text]))),
  constraint settlements_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES financial_accounts(workspace_id, id),
  constraint settlements_workspace_id_charge_id_fkey FOREIGN KEY (workspace_id, charge_id) REFERENCES charges(workspace_id, id),
  constraint settlements_workspace_id_payable_id_fkey FOREIGN KEY (workspace_id, payable_id) REFERENCES payables(workspace_id, id),
  constraint settlements_workspace_id_payment_id_fkey FOREIGN KEY (workspace_id, payment_id) REFERENCES payments(workspace_id, id),
  constraint settlements_workspace_id_receipt_attachment_id_fkey FOREIGN KEY (workspace_id, receipt_attachment_id) REFERENCES attachments(workspace_id, id),
  constraint settlements_workspace_id_receivable_id_fkey FOREIGN KEY (workspace_id, receivable_id) REFERENCES receivables(workspace_id, id),
  constraint settlements_workspace_id_transaction_id_fkey FOREIGN KEY (workspace_id, transaction_id) REFERENCES financial_transactions(workspace_id, id)
);
alter table settlements enable row level security;
alter table settlements force row level security;

create table statement_imports (
  workspace_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  file_name text not null,
  file_sha256 text not null,
  format text not null,
  period_from date,
  period_to date,
  read_count integer not null,
  created_count integer not null,
  duplicate_count integer not null,
  skipped_count integer not null,
  skipped jsonb not null default '[]'::jsonb,
  skipped_reasons jsonb not null default '{}'::jsonb,
  warnings jsonb not null default '[]'::jsonb,
  closing_balance_cents cents,
  closing_date date,
  column_map jsonb,
  balance_id uuid,
  status text not null,
  revert_reason text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint statement_imports_format_check CHECK ((format = ANY (ARRAY['ofx'::text, 'csv'::text, 'cnab240'::text]))),
  constraint statement_imports_pkey PRIMARY KEY (workspace_id, id),
  constraint statement_imports_status_check CHECK ((status = ANY (ARRAY['processed'::text, 'failed'::text, 'reverted'::text]))),
  constraint statement_imports_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES financial_accounts(workspace_id, id),
  constraint statement_imports_workspace_id_balance_id_fkey FOREIGN KEY (workspace_id, balance_id) REFERENCES account_balances(workspace_id, id)
);
alter table statement_imports enable row level security;
alter table statement_imports force row level security;

create table tokens (
  id uuid not null,
  secret_hash bytea not null,
  name text not null,
  user_id uuid not null,
  organization_id uuid not null,
  product text not null,
  access text not null,
  client_id text not null,
  workspace_id uuid,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint tokens_access_check CHECK ((access = ANY (ARRAY['read'::text, 'write'::text]))),
  constraint tokens_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint tokens_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces(organization_id, id),
  constraint tokens_pkey PRIMARY KEY (id),
  constraint tokens_product_check CHECK ((product = ANY (ARRAY['finance'::text, 'dunning'::text]))),
  constraint tokens_secret_hash_key UNIQUE (secret_hash),
  constraint tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table transfers (
  workspace_id uuid not null,
  id uuid not null,
  from_account_id uuid not null,
  to_account_id uuid not null,
  amount_cents cents not null,
  method text not null,
  scheduled_for date not null,
  description text,
  origin text not null,
  status text not null,
  registration_status text not null,
  bank_reference text,
  bank_settled_on date,
  rejected_reason text,
  cancel_reason text,
  cancel_requested_at timestamp with time zone,
  debit_transaction_id uuid,
  credit_transaction_id uuid,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint transfers_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint transfers_check CHECK ((to_account_id <> from_account_id)),
  constraint transfers_method_check CHECK ((method = ANY (ARRAY['internal'::text, 'pix'::text, 'ted'::text]))),
  constraint transfers_origin_check CHECK ((origin = ANY (ARRAY['ordered'::text, 'linked'::text]))),
  constraint transfers_pkey PRIMARY KEY (workspace_id, id),
  constraint transfers_registration_status_check CHECK ((registration_status = ANY (ARRAY['none'::text, 'pending'::text, 'requested'::text, 'confirmed'::text, 'rejected'::text, 'failed'::text, 'unknown'::text]))),
  constraint transfers_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'confirmed'::text, 'failed'::text, 'canceled'::text]))),
  constraint transfers_workspace_id_credit_transaction_id_fkey FOREIGN KEY (workspace_id, credit_transaction_id) REFERENCES financial_transactions(workspace_id, id),
  constraint transfers_workspace_id_debit_transaction_id_fkey FOREIGN KEY (workspace_id, debit_transaction_id) REFERENCES financial_transactions(workspace_id, id),
  constraint transfers_workspace_id_from_account_id_fkey FOREIGN KEY (workspace_id, from_account_id) REFERENCES financial_accounts(workspace_id, id),
  constraint transfers_workspace_id_to_account_id_fkey FOREIGN KEY (workspace_id, to_account_id) REFERENCES financial_accounts(workspace_id, id)
);
alter table transfers enable row level security;
alter table transfers force row level security;

create table upload_links (
  workspace_id uuid not null,
  id uuid not null,
  secret_hash text not null,
  file_name text not null,
  kind text not null,
  link jsonb,
  user_id uuid not null,
  token_id uuid,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  attachment_id uuid,
  created_at timestamp with time zone not null default now(),
  constraint upload_links_pkey PRIMARY KEY (workspace_id, id)
);
alter table upload_links enable row level security;
alter table upload_links force row level security;

create table used_confirmations (
  organization_id uuid not null,
  id text not null,
  status text not null,
  workspace_id uuid,
  user_id uuid not null,
  client_id text not null,
  operation text not null,
  arguments_digest text not null,
  error_code text,
  used_at timestamp with time zone not null,
  constraint used_confirmations_pkey PRIMARY KEY (organization_id, id),
  constraint used_confirmations_status_check CHECK ((status = ANY (ARRAY['used'::text, 'failed'::text, 'declined'::text])))
);
alter table used_confirmations enable row level security;
alter table used_confirmations force row level security;

create table users (
  id uuid not null,
  email text not null,
  name text not null,
  locale text not null default 'pt-BR'::text,
  created_at timestamp with time zone not null default now(),
  constraint users_email_check CHECK ((email = lower(email))),
  constraint users_email_key UNIQUE (email),
  constraint users_locale_check CHECK ((locale = ANY (ARRAY['pt-BR'::text, 'en'::text]))),
  constraint users_pkey PRIMARY KEY (id)
);

create table workspaces (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  time_zone text not null default 'America/Sao_Paulo'::text,
  settings jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  constraint workspaces_id_key UNIQUE (id),
  constraint workspaces_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint workspaces_pkey PRIMARY KEY (organization_id, id)
);

CREATE INDEX account_balances_latest ON public.account_balances USING btree (workspace_id, account_id, as_of DESC, created_at DESC);
CREATE INDEX attachment_links_of_record ON public.attachment_links USING btree (workspace_id, record_kind, record_id);
CREATE INDEX attachments_by_creation ON public.attachments USING btree (workspace_id, created_at, id);
CREATE INDEX bank_commands_of_charge ON public.bank_commands USING btree (workspace_id, charge_id) WHERE (charge_id IS NOT NULL);
CREATE INDEX bank_commands_of_payment ON public.bank_commands USING btree (workspace_id, payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX bank_commands_of_transfer ON public.bank_commands USING btree (workspace_id, transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE INDEX bank_return_records_of_charge ON public.bank_return_records USING btree (workspace_id, charge_id) WHERE (charge_id IS NOT NULL);
CREATE INDEX bank_return_records_replay ON public.bank_return_records USING btree (workspace_id, replay_key);
CREATE INDEX bank_returns_by_creation ON public.bank_returns USING btree (workspace_id, created_at, id);
CREATE INDEX categories_by_creation ON public.categories USING btree (workspace_id, created_at, id);
CREATE INDEX categories_by_name ON public.categories USING btree (workspace_id, name, id);
CREATE INDEX charge_deliveries_of_charge ON public.charge_deliveries USING btree (workspace_id, charge_id, created_at);
CREATE INDEX charges_by_creation ON public.charges USING btree (workspace_id, created_at, id);
CREATE INDEX charges_by_due_date ON public.charges USING btree (workspace_id, due_date, id);
CREATE INDEX charges_by_txid ON public.charges USING btree (workspace_id, pix_txid) WHERE (pix_txid IS NOT NULL);
CREATE INDEX charges_of_receivable ON public.charges USING btree (workspace_id, receivable_id);
CREATE UNIQUE INDEX charges_one_live ON public.charges USING btree (workspace_id, receivable_id) WHERE (status = ANY (ARRAY['generating'::text, 'open'::text]));
CREATE INDEX cost_centers_by_creation ON public.cost_centers USING btree (workspace_id, created_at, id);
CREATE INDEX cost_centers_by_name ON public.cost_centers USING btree (workspace_id, name, id);
CREATE INDEX dda_boletos_by_creation ON public.dda_boletos USING btree (workspace_id, created_at, id);
CREATE INDEX dda_boletos_by_due_date ON public.dda_boletos USING btree (workspace_id, due_date, id);
CREATE INDEX duplicate_receipts_of_transaction ON public.duplicate_receipts USING btree (workspace_id, transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX event_records_by_kind ON public.event_records USING btree (tenant_id, kind, at, "position");
CREATE INDEX events_by_actor ON public.events USING btree (tenant_id, actor_id, at, "position");
CREATE INDEX events_by_operation ON public.events USING btree (tenant_id, operation, at, "position");
CREATE INDEX events_by_time ON public.events USING btree (tenant_id, at, "position");
CREATE INDEX financial_accounts_by_creation ON public.financial_accounts USING btree (workspace_id, created_at, id);
CREATE INDEX financial_transactions_balance ON public.financial_transactions USING btree (workspace_id, account_id, date) INCLUDE (direction, amount_cents) WHERE (NOT ignored);
CREATE INDEX financial_transactions_by_amount ON public.financial_transactions USING btree (workspace_id, amount_cents, id);
CREATE INDEX financial_transactions_by_creation ON public.financial_transactions USING btree (workspace_id, created_at, id);
CREATE INDEX financial_transactions_by_date ON public.financial_transactions USING btree (workspace_id, account_id, date, id);
CREATE INDEX financial_transactions_of_category ON public.financial_transactions USING btree (workspace_id, category_id, date, id) WHERE (category_id IS NOT NULL);
CREATE INDEX financial_transactions_of_import ON public.financial_transactions USING btree (workspace_id, import_id) WHERE (import_id IS NOT NULL);
CREATE INDEX financial_transactions_of_person ON public.financial_transactions USING btree (workspace_id, person_id, date, id) WHERE (person_id IS NOT NULL);
CREATE INDEX financial_transactions_of_transfer ON public.financial_transactions USING btree (workspace_id, transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE INDEX financial_transactions_of_workspace ON public.financial_transactions USING btree (workspace_id, date, id);
CREATE UNIQUE INDEX financial_transactions_once ON public.financial_transactions USING btree (workspace_id, account_id, dedup_key) WHERE (dedup_key IS NOT NULL);
CREATE INDEX financial_transactions_others ON public.financial_transactions USING btree (workspace_id, date) INCLUDE (account_id, direction, amount_cents, reconciled_cents, category_id) WHERE ((NOT ignored) AND (transfer_id IS NULL) AND (source = ANY (ARRAY['manual'::text, 'import'::text, 'adjustment'::text])));
CREATE INDEX financial_transactions_superseded ON public.financial_transactions USING btree (workspace_id, superseded_by) WHERE (superseded_by IS NOT NULL);
CREATE INDEX financial_transactions_unclassified ON public.financial_transactions USING btree (workspace_id, date, id) WHERE ((category_id IS NULL) AND (classified_by IS NULL) AND (NOT ignored));
CREATE INDEX fiscal_documents_by_issue ON public.fiscal_documents USING btree (workspace_id, issued_at, id);
CREATE INDEX memberships_of_user ON public.memberships USING btree (user_id);
CREATE INDEX payables_by_amount ON public.payables USING btree (workspace_id, amount_cents, id);
CREATE INDEX payables_by_barcode ON public.payables USING btree (workspace_id, ((payment_details ->> 'barcode'::text))) WHERE ((payment_details ->> 'barcode'::text) IS NOT NULL);
CREATE INDEX payables_by_competence ON public.payables USING btree (workspace_id, competence_month) INCLUDE (category_id, amount_cents, abatement_cents) WHERE (status <> ALL (ARRAY['draft'::text, 'canceled'::text]));
CREATE INDEX payables_by_creation ON public.payables USING btree (workspace_id, created_at, id);
CREATE INDEX payables_by_document ON public.payables USING btree (workspace_id, person_id, document_number) WHERE (document_number IS NOT NULL);
CREATE INDEX payables_by_due_date ON public.payables USING btree (workspace_id, due_date, id);
CREATE INDEX payables_by_status ON public.payables USING btree (workspace_id, status, due_date, id);
CREATE INDEX payables_of_category ON public.payables USING btree (workspace_id, category_id) WHERE (category_id IS NOT NULL);
CREATE INDEX payables_of_fiscal_document ON public.payables USING btree (workspace_id, fiscal_document_id) WHERE (fiscal_document_id IS NOT NULL);
CREATE INDEX payables_of_person ON public.payables USING btree (workspace_id, person_id, due_date, id);
CREATE UNIQUE INDEX payables_of_recurrence ON public.payables USING btree (workspace_id, recurrence_id, recurrence_number) WHERE (recurrence_id IS NOT NULL);
CREATE UNIQUE INDEX payables_one_per_dda_boleto ON public.payables USING btree (workspace_id, dda_boleto_id) WHERE ((dda_boleto_id IS NOT NULL) AND (status <> 'canceled'::text));
CREATE INDEX payables_still_open ON public.payables USING btree (workspace_id, due_date, id) INCLUDE (open_cents, adjusted_due_date, planned_date, issue_date, created_at, company_id, person_id) WHERE (status = ANY (ARRAY['open'::text, 'partially_paid'::text]));
CREATE INDEX payments_by_barcode ON public.payments USING btree (workspace_id, ((details ->> 'barcode'::text))) WHERE ((details ->> 'barcode'::text) IS NOT NULL);
CREATE INDEX payments_by_date ON public.payments USING btree (workspace_id, scheduled_for, id);
CREATE INDEX payments_by_token ON public.payments USING btree (workspace_id, created_by_token, created_at) WHERE (created_by_token IS NOT NULL);
CREATE INDEX payments_of_payable ON public.payments USING btree (workspace_id, payable_id);
CREATE UNIQUE INDEX payments_one_live ON public.payments USING btree (workspace_id, payable_id) WHERE (status = ANY (ARRAY['pending'::text, 'awaiting_approval'::text, 'awaiting_funds'::text, 'scheduled'::text, 'processing'::text]));
CREATE INDEX people_by_creation ON public.people USING btree (workspace_id, created_at, id);
CREATE INDEX people_by_name ON public.people USING btree (workspace_id, name, id);
CREATE INDEX receivables_by_amount ON public.receivables USING btree (workspace_id, amount_cents, id);
CREATE INDEX receivables_by_competence ON public.receivables USING btree (workspace_id, competence_month) INCLUDE (category_id, amount_cents, abatement_cents) WHERE (status <> ALL (ARRAY['draft'::text, 'canceled'::text]));
CREATE INDEX receivables_by_creation ON public.receivables USING btree (workspace_id, created_at, id);
CREATE INDEX receivables_by_document ON public.receivables USING btree (workspace_id, person_id, document_number) WHERE (document_number IS NOT NULL);
CREATE INDEX receivables_by_due_date ON public.receivables USING btree (workspace_id, due_date, id);
CREATE INDEX receivables_by_status ON public.receivables USING btree (workspace_id, status, due_date, id);
CREATE INDEX receivables_of_category ON public.receivables USING btree (workspace_id, category_id) WHERE (category_id IS NOT NULL);
CREATE INDEX receivables_of_person ON public.receivables USING btree (workspace_id, person_id, due_date, id);
CREATE INDEX receivables_of_recurrence ON public.receivables USING btree (workspace_id, recurrence_id) WHERE (recurrence_id IS NOT NULL);
CREATE UNIQUE INDEX receivables_one_per_occurrence ON public.receivables USING btree (workspace_id, recurrence_id, recurrence_number) WHERE (recurrence_id IS NOT NULL);
CREATE INDEX receivables_still_open ON public.receivables USING btree (workspace_id, due_date, id) INCLUDE (open_cents, adjusted_due_date, planned_date, issue_date, created_at, company_id, person_id) WHERE (status = ANY (ARRAY['open'::text, 'partially_paid'::text]));
CREATE INDEX receivables_written_off ON public.receivables USING btree (workspace_id, ((write_off ->> 'date'::text))) WHERE ((written_off_cents)::bigint > 0);
CREATE INDEX reconciliation_documents_of ON public.reconciliation_documents USING btree (workspace_id, document_id);
CREATE INDEX reconciliation_documents_of_settlement ON public.reconciliation_documents USING btree (workspace_id, settlement_id) WHERE (settlement_id IS NOT NULL);
CREATE INDEX reconciliation_transactions_of ON public.reconciliation_transactions USING btree (workspace_id, transaction_id);
CREATE INDEX reconciliations_by_creation ON public.reconciliations USING btree (workspace_id, created_at, id);
CREATE INDEX recurrences_by_creation ON public.recurrences USING btree (workspace_id, created_at, id);
CREATE INDEX recurrences_to_come ON public.recurrences USING btree (workspace_id, next_on, id) WHERE (status = 'active'::text);
CREATE INDEX settlements_by_date ON public.settlements USING btree (workspace_id, paid_at, payable_id) WHERE (status = 'effective'::text);
CREATE INDEX settlements_of_payable ON public.settlements USING btree (workspace_id, payable_id);
CREATE INDEX settlements_of_receivable ON public.settlements USING btree (workspace_id, receivable_id) WHERE (receivable_id IS NOT NULL);
CREATE INDEX settlements_of_transaction ON public.settlements USING btree (workspace_id, transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE UNIQUE INDEX settlements_once_outside ON public.settlements USING btree (workspace_id, account_id, external_id) WHERE ((external_id IS NOT NULL) AND (status = 'effective'::text));
CREATE UNIQUE INDEX settlements_one_per_payment ON public.settlements USING btree (workspace_id, payment_id) WHERE ((payment_id IS NOT NULL) AND (status = 'effective'::text));
CREATE INDEX statement_imports_by_creation ON public.statement_imports USING btree (workspace_id, created_at, id);
CREATE UNIQUE INDEX statement_imports_once ON public.statement_imports USING btree (workspace_id, account_id, file_sha256) WHERE (status = 'processed'::text);
CREATE INDEX tokens_of_user ON public.tokens USING btree (user_id);
CREATE INDEX transfers_by_creation ON public.transfers USING btree (workspace_id, created_at, id);
CREATE INDEX transfers_by_date ON public.transfers USING btree (workspace_id, scheduled_for, id);
CREATE INDEX transfers_of_credit ON public.transfers USING btree (workspace_id, credit_transaction_id) WHERE (credit_transaction_id IS NOT NULL);
CREATE INDEX transfers_of_debit ON public.transfers USING btree (workspace_id, debit_transaction_id) WHERE (debit_transaction_id IS NOT NULL);
CREATE INDEX used_confirmations_of_action ON public.used_confirmations USING btree (organization_id, user_id, operation, arguments_digest, used_at);
create policy tenant on access_log to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on account_balances to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on approval_settings to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on attachment_contents to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on attachment_links to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on attachments to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on automatic_rules to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on bank_commands to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on bank_return_records to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on bank_returns to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on categories to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on charge_deliveries to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on charge_numbers to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on charges to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on companies to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on cost_centers to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on dda_boletos to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on duplicate_receipts to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on event_chains to kobana_app, postgres using ((tenant_id = ( SELECT COALESCE(kobana_workspace(), kobana_organization()) AS "coalesce"))) with check ((tenant_id = ( SELECT COALESCE(kobana_workspace(), kobana_organization()) AS "coalesce")));
create policy tenant on event_records to kobana_app, postgres using ((tenant_id = ( SELECT COALESCE(kobana_workspace(), kobana_organization()) AS "coalesce"))) with check ((tenant_id = ( SELECT COALESCE(kobana_workspace(), kobana_organization()) AS "coalesce")));
create policy tenant on events to kobana_app, postgres using ((tenant_id = ( SELECT COALESCE(kobana_workspace(), kobana_organization()) AS "coalesce"))) with check ((tenant_id = ( SELECT COALESCE(kobana_workspace(), kobana_organization()) AS "coalesce")));
create policy tenant on financial_accounts to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on financial_transactions to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on fiscal_documents to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on idempotency_keys to kobana_app, postgres using ((tenant_id = ( SELECT COALESCE(kobana_workspace(), kobana_organization()) AS "coalesce"))) with check ((tenant_id = ( SELECT COALESCE(kobana_workspace(), kobana_organization()) AS "coalesce")));
create policy tenant on payables to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on payments to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on people to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on receivables to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on reconciliation_documents to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on reconciliation_transactions to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on reconciliations to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on recurrences to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on search_words to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on settlements to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on statement_imports to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on transfers to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on upload_links to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on used_confirmations to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));

CREATE OR REPLACE FUNCTION public.add_search_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into search_words (workspace_id, kind, word, record_id)
    select added.workspace_id, tg_argv[0]::"char", word, added.id from added, words_of(added.search_text) word;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.append_event(the_tenant uuid, the_at timestamp with time zone, the_operation text, the_actor uuid, the_body text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.change_search_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    delete from search_words
     where workspace_id = old.workspace_id and kind = tg_argv[0]::"char" and record_id = old.id
       and word in (select words_of(old.search_text));
  end if;
  if tg_op = 'UPDATE' then
    insert into search_words (workspace_id, kind, word, record_id)
      select new.workspace_id, tg_argv[0]::"char", words_of(new.search_text), new.id;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.enqueue_job(task text, payload json, run_at timestamp with time zone, job_key text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
  select graphile_worker.add_job(task, payload, run_at => coalesce(run_at, now()), job_key => job_key, max_attempts => 20)
$function$
;

CREATE OR REPLACE FUNCTION public.kobana_organization()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('kobana.organization_id', true), '')::uuid $function$
;

CREATE OR REPLACE FUNCTION public.kobana_workspace()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('kobana.workspace_id', true), '')::uuid $function$
;

CREATE OR REPLACE FUNCTION public.record_event_changes(the_tenant uuid, the_at timestamp with time zone, the_position bigint, the_body text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
  insert into event_records (tenant_id, kind, record_id, at, position)
  select distinct the_tenant, change->>'kind', change->>'id', the_at, the_position
    from json_array_elements(case json_typeof(the_body::json->'changes') when 'array' then the_body::json->'changes' else '[]' end) change
   where change->>'kind' is not null and change->>'id' is not null
$function$
;

CREATE OR REPLACE FUNCTION public.words_of(search_text text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select distinct left(word, 40)
    from unnest((string_to_array(regexp_replace(search_text, '[^a-z0-9]+', ' ', 'g'), ' '))[1:60]) word
   where word <> ''
$function$
;
CREATE TRIGGER search_words_added AFTER INSERT ON public.financial_transactions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_search_words('t');
CREATE TRIGGER search_words_changed AFTER UPDATE OF search_text ON public.financial_transactions FOR EACH ROW WHEN ((old.search_text IS DISTINCT FROM new.search_text)) EXECUTE FUNCTION change_search_words('t');
CREATE TRIGGER search_words_removed AFTER DELETE ON public.financial_transactions FOR EACH ROW EXECUTE FUNCTION change_search_words('t');
CREATE TRIGGER search_words_added AFTER INSERT ON public.payables REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_search_words('p');
CREATE TRIGGER search_words_changed AFTER UPDATE OF search_text ON public.payables FOR EACH ROW WHEN ((old.search_text IS DISTINCT FROM new.search_text)) EXECUTE FUNCTION change_search_words('p');
CREATE TRIGGER search_words_removed AFTER DELETE ON public.payables FOR EACH ROW EXECUTE FUNCTION change_search_words('p');
CREATE TRIGGER search_words_added AFTER INSERT ON public.people REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_search_words('n');
CREATE TRIGGER search_words_changed AFTER UPDATE OF search_text ON public.people FOR EACH ROW WHEN ((old.search_text IS DISTINCT FROM new.search_text)) EXECUTE FUNCTION change_search_words('n');
CREATE TRIGGER search_words_removed AFTER DELETE ON public.people FOR EACH ROW EXECUTE FUNCTION change_search_words('n');
CREATE TRIGGER search_words_added AFTER INSERT ON public.receivables REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_search_words('r');
CREATE TRIGGER search_words_changed AFTER UPDATE OF search_text ON public.receivables FOR EACH ROW WHEN ((old.search_text IS DISTINCT FROM new.search_text)) EXECUTE FUNCTION change_search_words('r');
CREATE TRIGGER search_words_removed AFTER DELETE ON public.receivables FOR EACH ROW EXECUTE FUNCTION change_search_words('r');
grant insert, select on access_log to kobana_app;
grant delete, insert, select, update on account_balances to kobana_app;
grant delete, insert, select, update on approval_settings to kobana_app;
grant delete, insert, select, update on attachment_contents to kobana_app;
grant delete, insert, select, update on attachment_links to kobana_app;
grant delete, insert, select, update on attachments to kobana_app;
grant delete, insert, select, update on automatic_rules to kobana_app;
grant delete, insert, select, update on bank_commands to kobana_app;
grant delete, insert, select, update on bank_return_records to kobana_app;
grant delete, insert, select, update on bank_returns to kobana_app;
grant delete, insert, select, update on categories to kobana_app;
grant delete, insert, select, update on charge_deliveries to kobana_app;
grant delete, insert, select, update on charge_numbers to kobana_app;
grant delete, insert, select, update on charges to kobana_app;
grant delete, insert, select, update on companies to kobana_app;
grant delete, insert, select, update on cost_centers to kobana_app;
grant delete, insert, select, update on dda_boletos to kobana_app;
grant delete, insert, select, update on duplicate_receipts to kobana_app;
grant select on event_chains to kobana_app;
grant select on event_records to kobana_app;
grant select on events to kobana_app;
grant delete, insert, select, update on financial_accounts to kobana_app;
grant delete, insert, select, update on financial_transactions to kobana_app;
grant delete, insert, select, update on fiscal_documents to kobana_app;
grant delete, insert, select, update on idempotency_keys to kobana_app;
grant delete, insert, select, update on memberships to kobana_app;
grant delete, insert, select, update on organizations to kobana_app;
grant delete, insert, select, update on payables to kobana_app;
grant delete, insert, select, update on payments to kobana_app;
grant delete, insert, select, update on people to kobana_app;
grant delete, insert, select, update on receivables to kobana_app;
grant delete, insert, select, update on reconciliation_documents to kobana_app;
grant delete, insert, select, update on reconciliation_transactions to kobana_app;
grant delete, insert, select, update on reconciliations to kobana_app;
grant delete, insert, select, update on recurrences to kobana_app;
grant select on schema_migrations to kobana_app;
grant delete, insert, select, update on search_words to kobana_app;
grant delete, insert, select, update on settlements to kobana_app;
grant delete, insert, select, update on statement_imports to kobana_app;
grant delete, insert, select, update on tokens to kobana_app;
grant delete, insert, select, update on transfers to kobana_app;
grant delete, insert, select, update on upload_links to kobana_app;
grant delete, insert, select, update on used_confirmations to kobana_app;
grant delete, insert, select, update on users to kobana_app;
grant delete, insert, select, update on workspaces to kobana_app;
