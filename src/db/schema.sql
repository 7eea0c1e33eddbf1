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

create table approvals (
  tenant_id uuid not null,
  id uuid not null,
  organization_id uuid not null,
  workspace_id uuid,
  product text not null,
  operation text not null,
  arguments jsonb not null,
  arguments_digest text not null,
  reason text not null,
  question text not null,
  amount_cents bigint,
  requested_by uuid not null,
  token_id uuid,
  client_id text not null,
  surface text not null,
  requested_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  status text not null default 'pending'::text,
  decided_by uuid,
  decided_at timestamp with time zone,
  decided_with text,
  decline_reason text,
  answer jsonb,
  error jsonb,
  constraint approvals_check CHECK (((status = 'pending'::text) = (decided_at IS NULL))),
  constraint approvals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  constraint approvals_decided_with_check CHECK ((decided_with = ANY (ARRAY['password'::text, 'passkey'::text]))),
  constraint approvals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint approvals_pkey PRIMARY KEY (tenant_id, id),
  constraint approvals_product_check CHECK ((product = ANY (ARRAY['finance'::text, 'dunning'::text]))),
  constraint approvals_reason_check CHECK ((reason = ANY (ARRAY['client_cannot_ask'::text, 'second_person'::text]))),
  constraint approvals_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint approvals_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text, 'declined'::text, 'expired'::text]))),
  constraint approvals_token_id_fkey FOREIGN KEY (token_id) REFERENCES tokens(id)
);
alter table approvals enable row level security;
alter table approvals force row level security;

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

create table attempts (
  kind text not null,
  subject bytea not null,
  window_start timestamp with time zone not null,
  count integer not null,
  constraint attempts_pkey PRIMARY KEY (kind, subject, window_start)
);

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

create table connections (
  id uuid not null,
  grant_id text not null,
  user_id uuid not null,
  organization_id uuid not null,
  product text not null,
  access text not null,
  workspace_id uuid,
  client_id text not null,
  client_name text not null,
  client_host text not null,
  is_verified boolean not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  revoked_by uuid,
  last_used_at timestamp with time zone,
  constraint connections_access_check CHECK ((access = ANY (ARRAY['read'::text, 'write'::text]))),
  constraint connections_grant_id_key UNIQUE (grant_id),
  constraint connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint connections_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces(organization_id, id),
  constraint connections_pkey PRIMARY KEY (id),
  constraint connections_product_check CHECK ((product = ANY (ARRAY['finance'::text, 'dunning'::text]))),
  constraint connections_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES users(id),
  constraint connections_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table controls (
  tenant_id uuid not null,
  organization_id uuid not null,
  approvals_enabled boolean not null default false,
  approval_hours integer not null default 24,
  second_person_from_cents bigint,
  frozen_at timestamp with time zone,
  frozen_by uuid,
  freeze_reason text,
  updated_at timestamp with time zone not null,
  constraint controls_approval_hours_check CHECK (((approval_hours >= 1) AND (approval_hours <= 168))),
  constraint controls_frozen_by_fkey FOREIGN KEY (frozen_by) REFERENCES users(id),
  constraint controls_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint controls_pkey PRIMARY KEY (tenant_id),
  constraint controls_second_person_from_cents_check CHECK ((second_person_from_cents >= 0))
);
alter table controls enable row level security;
alter table controls force row level security;

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

create table dunning_agreement_charges (
  organization_id uuid not null,
  agreement_id uuid not null,
  charge_id uuid not null,
  principal_cents cents not null,
  interest_cents cents not null,
  fine_cents cents not null,
  discount_cents cents not null,
  is_live boolean not null default false,
  constraint dunning_agreement_charges_discount_cents_check CHECK (((discount_cents)::bigint >= 0)),
  constraint dunning_agreement_charges_fine_cents_check CHECK (((fine_cents)::bigint >= 0)),
  constraint dunning_agreement_charges_interest_cents_check CHECK (((interest_cents)::bigint >= 0)),
  constraint dunning_agreement_charges_organization_id_agreement_id_fkey FOREIGN KEY (organization_id, agreement_id) REFERENCES dunning_agreements(organization_id, id) ON DELETE CASCADE,
  constraint dunning_agreement_charges_organization_id_charge_id_fkey FOREIGN KEY (organization_id, charge_id) REFERENCES dunning_charges(organization_id, id),
  constraint dunning_agreement_charges_pkey PRIMARY KEY (organization_id, agreement_id, charge_id),
  constraint dunning_agreement_charges_principal_cents_check CHECK (((principal_cents)::bigint >= 0))
);
alter table dunning_agreement_charges enable row level security;
alter table dunning_agreement_charges force row level security;

create table dunning_agreement_credits (
  organization_id uuid not null,
  id uuid not null,
  agreement_id uuid not null,
  charge_id uuid not null,
  payment_id uuid,
  credited_on date not null,
  amount_cents cents not null,
  discount_cents cents not null default 0,
  constraint dunning_agreement_credits_amount_cents_check CHECK (((amount_cents)::bigint >= 0)),
  constraint dunning_agreement_credits_discount_cents_check CHECK (((discount_cents)::bigint >= 0)),
  constraint dunning_agreement_credits_organization_id_agreement_id_fkey FOREIGN KEY (organization_id, agreement_id) REFERENCES dunning_agreements(organization_id, id),
  constraint dunning_agreement_credits_organization_id_charge_id_fkey FOREIGN KEY (organization_id, charge_id) REFERENCES dunning_charges(organization_id, id),
  constraint dunning_agreement_credits_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES dunning_payments(organization_id, id),
  constraint dunning_agreement_credits_pkey PRIMARY KEY (organization_id, id)
);
alter table dunning_agreement_credits enable row level security;
alter table dunning_agreement_credits force row level security;

create table dunning_agreements (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  status text not null,
  as_of date not null,
  original_total_cents cents not null,
  discount_cents cents not null,
  negotiated_total_cents cents not null,
  valid_until date not null,
  default_after_days integer not null,
  campaign_id uuid,
  notes text,
  sent_at timestamp with time zone,
  accepted_at timestamp with time zone,
  accepted_by text,
  evidence text,
  ended_at timestamp with time zone,
  ended_by text,
  ended_reason text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_agreements_check CHECK (((negotiated_total_cents)::bigint = ((original_total_cents)::bigint - (discount_cents)::bigint))),
  constraint dunning_agreements_default_after_days_check CHECK ((default_after_days >= 0)),
  constraint dunning_agreements_discount_cents_check CHECK (((discount_cents)::bigint >= 0)),
  constraint dunning_agreements_ended_by_check CHECK ((ended_by = ANY (ARRAY['debtor'::text, 'creditor'::text, 'time'::text]))),
  constraint dunning_agreements_negotiated_total_cents_check CHECK (((negotiated_total_cents)::bigint > 0)),
  constraint dunning_agreements_organization_id_campaign_id_fkey FOREIGN KEY (organization_id, campaign_id) REFERENCES dunning_campaigns(organization_id, id),
  constraint dunning_agreements_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES dunning_people(organization_id, id),
  constraint dunning_agreements_original_total_cents_check CHECK (((original_total_cents)::bigint > 0)),
  constraint dunning_agreements_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_agreements_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'accepted'::text, 'active'::text, 'completed'::text, 'rejected'::text, 'expired'::text, 'canceled'::text, 'broken'::text])))
);
alter table dunning_agreements enable row level security;
alter table dunning_agreements force row level security;

create table dunning_campaigns (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  notes text,
  starts_on date not null,
  ends_on date not null,
  conditions jsonb not null,
  tiers jsonb not null,
  status text not null,
  ended_at timestamp with time zone,
  ended_reason text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_campaigns_check CHECK ((starts_on <= ends_on)),
  constraint dunning_campaigns_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint dunning_campaigns_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_campaigns_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'active'::text, 'ended'::text])))
);
alter table dunning_campaigns enable row level security;
alter table dunning_campaigns force row level security;

create table dunning_charges (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  amount_cents cents not null,
  abatement_cents cents not null default 0,
  open_cents cents not null,
  ledger jsonb,
  due_date date not null,
  adjusted_due_date date not null,
  description text not null,
  document_number text,
  title_kind text,
  terms jsonb,
  payment_options jsonb not null default '{}'::jsonb,
  status text not null,
  paid_on date,
  canceled_reason text,
  collection_rule_id uuid,
  rule_started_at timestamp with time zone,
  rule_cycle integer not null default 1,
  dunning_state text not null default 'none'::text,
  paused_reason text,
  agreement_id uuid,
  legal_kind text,
  is_disputed boolean not null default false,
  archived_at timestamp with time zone,
  external_id text,
  source text not null default 'api'::text,
  finance_workspace_id uuid,
  finance_receivable_id uuid,
  tags text[] not null default '{}'::text[],
  search_text text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_charges_abatement_cents_check CHECK (((abatement_cents)::bigint >= 0)),
  constraint dunning_charges_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint dunning_charges_check CHECK ((((abatement_cents)::bigint <= (amount_cents)::bigint) AND ((open_cents)::bigint <= ((amount_cents)::bigint - (abatement_cents)::bigint)))),
  constraint dunning_charges_check1 CHECK (((dunning_state = 'paused'::text) = (paused_reason IS NOT NULL))),
  constraint dunning_charges_check2 CHECK (((collection_rule_id IS NULL) OR (rule_started_at IS NOT NULL))),
  constraint dunning_charges_check3 CHECK (((finance_workspace_id IS NULL) = (finance_receivable_id IS NULL))),
  constraint dunning_charges_dunning_state_check CHECK ((dunning_state = ANY (ARRAY['none'::text, 'active'::text, 'paused'::text, 'completed'::text]))),
  constraint dunning_charges_legal_kind_check CHECK ((legal_kind = ANY (ARRAY['negativation'::text, 'protest'::text]))),
  constraint dunning_charges_open_cents_check CHECK (((open_cents)::bigint >= 0)),
  constraint dunning_charges_organization_id_agreement_id_fkey FOREIGN KEY (organization_id, agreement_id) REFERENCES dunning_agreements(organization_id, id),
  constraint dunning_charges_organization_id_collection_rule_id_fkey FOREIGN KEY (organization_id, collection_rule_id) REFERENCES dunning_collection_rules(organization_id, id),
  constraint dunning_charges_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES dunning_people(organization_id, id),
  constraint dunning_charges_paused_reason_check CHECK ((paused_reason = ANY (ARRAY['manual'::text, 'dispute'::text, 'promise'::text, 'agreement'::text, 'legal'::text, 'contact'::text]))),
  constraint dunning_charges_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_charges_rule_cycle_check CHECK ((rule_cycle > 0)),
  constraint dunning_charges_source_check CHECK ((source = ANY (ARRAY['api'::text, 'finance'::text, 'import'::text]))),
  constraint dunning_charges_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'overdue'::text, 'in_agreement'::text, 'paid'::text, 'canceled'::text])))
);
alter table dunning_charges enable row level security;
alter table dunning_charges force row level security;

create table dunning_collection_rules (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  conditions jsonb not null default '{}'::jsonb,
  is_default boolean not null default false,
  active boolean not null default false,
  archived_at timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_collection_rules_check CHECK ((NOT (active AND (archived_at IS NOT NULL)))),
  constraint dunning_collection_rules_check1 CHECK ((NOT (is_default AND (archived_at IS NOT NULL)))),
  constraint dunning_collection_rules_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint dunning_collection_rules_pkey PRIMARY KEY (organization_id, id)
);
alter table dunning_collection_rules enable row level security;
alter table dunning_collection_rules force row level security;

create table dunning_contact_slots (
  organization_id uuid not null,
  person_id uuid not null,
  contact_on date not null,
  ordinal integer not null,
  notification_id uuid not null,
  channel text not null,
  policy_version text not null,
  taken_at timestamp with time zone not null,
  constraint dunning_contact_slots_ordinal_check CHECK ((ordinal > 0)),
  constraint dunning_contact_slots_pkey PRIMARY KEY (organization_id, person_id, contact_on, ordinal)
);
alter table dunning_contact_slots enable row level security;
alter table dunning_contact_slots force row level security;

create table dunning_contacts (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  channel text not null,
  value text not null,
  identity text not null,
  label text,
  is_primary boolean not null default false,
  consent text not null default 'unknown'::text,
  consent_changed_at timestamp with time zone,
  validity text not null default 'unknown'::text,
  last_delivered_at timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_contacts_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'whatsapp'::text, 'phone'::text, 'letter'::text]))),
  constraint dunning_contacts_consent_check CHECK ((consent = ANY (ARRAY['unknown'::text, 'given'::text, 'opted_out'::text]))),
  constraint dunning_contacts_organization_id_person_id_channel_identity_key UNIQUE (organization_id, person_id, channel, identity),
  constraint dunning_contacts_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES dunning_people(organization_id, id),
  constraint dunning_contacts_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_contacts_validity_check CHECK ((validity = ANY (ARRAY['unknown'::text, 'valid'::text, 'bounced'::text, 'wrong_person'::text])))
);
alter table dunning_contacts enable row level security;
alter table dunning_contacts force row level security;

create table dunning_daily_runs (
  organization_id uuid not null,
  run_on date not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  flipped integer not null default 0,
  planned integer not null default 0,
  constraint dunning_daily_runs_pkey PRIMARY KEY (organization_id, run_on)
);
alter table dunning_daily_runs enable row level security;
alter table dunning_daily_runs force row level security;

create table dunning_dispute_comments (
  organization_id uuid not null,
  id uuid not null,
  dispute_id uuid not null,
  body text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint dunning_dispute_comments_organization_id_dispute_id_fkey FOREIGN KEY (organization_id, dispute_id) REFERENCES dunning_disputes(organization_id, id) ON DELETE CASCADE,
  constraint dunning_dispute_comments_pkey PRIMARY KEY (organization_id, id)
);
alter table dunning_dispute_comments enable row level security;
alter table dunning_dispute_comments force row level security;

create table dunning_disputes (
  organization_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  person_id uuid not null,
  reason text not null,
  description text not null,
  disputed_cents bigint,
  status text not null,
  resolution text,
  adjusted_cents bigint,
  resolved_by uuid,
  resolved_at timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_disputes_adjusted_cents_check CHECK ((adjusted_cents >= 0)),
  constraint dunning_disputes_disputed_cents_check CHECK ((disputed_cents > 0)),
  constraint dunning_disputes_organization_id_charge_id_fkey FOREIGN KEY (organization_id, charge_id) REFERENCES dunning_charges(organization_id, id),
  constraint dunning_disputes_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES dunning_people(organization_id, id),
  constraint dunning_disputes_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_disputes_reason_check CHECK ((reason = ANY (ARRAY['not_recognized'::text, 'already_paid'::text, 'wrong_amount'::text, 'not_delivered'::text, 'quality'::text, 'fraud'::text, 'other'::text]))),
  constraint dunning_disputes_status_check CHECK ((status = ANY (ARRAY['open'::text, 'under_review'::text, 'upheld'::text, 'partially_upheld'::text, 'dismissed'::text, 'withdrawn'::text])))
);
alter table dunning_disputes enable row level security;
alter table dunning_disputes force row level security;

create table dunning_holds (
  organization_id uuid not null,
  charge_id uuid not null,
  reason text not null,
  source_id uuid not null,
  until date,
  note text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint dunning_holds_organization_id_charge_id_fkey FOREIGN KEY (organization_id, charge_id) REFERENCES dunning_charges(organization_id, id) ON DELETE CASCADE,
  constraint dunning_holds_pkey PRIMARY KEY (organization_id, charge_id, reason, source_id),
  constraint dunning_holds_reason_check CHECK ((reason = ANY (ARRAY['manual'::text, 'dispute'::text, 'promise'::text, 'agreement'::text, 'legal'::text, 'contact'::text])))
);
alter table dunning_holds enable row level security;
alter table dunning_holds force row level security;

create table dunning_installments (
  organization_id uuid not null,
  id uuid not null,
  agreement_id uuid not null,
  number integer not null,
  due_date date not null,
  adjusted_due_date date not null,
  amount_cents cents not null,
  paid_cents cents not null default 0,
  paid_on date,
  status text not null,
  constraint dunning_installments_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint dunning_installments_check CHECK ((((paid_cents)::bigint >= 0) AND ((paid_cents)::bigint <= (amount_cents)::bigint))),
  constraint dunning_installments_number_check CHECK ((number > 0)),
  constraint dunning_installments_organization_id_agreement_id_fkey FOREIGN KEY (organization_id, agreement_id) REFERENCES dunning_agreements(organization_id, id) ON DELETE CASCADE,
  constraint dunning_installments_organization_id_agreement_id_number_key UNIQUE (organization_id, agreement_id, number),
  constraint dunning_installments_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_installments_status_check CHECK ((status = ANY (ARRAY['open'::text, 'paid'::text, 'canceled'::text])))
);
alter table dunning_installments enable row level security;
alter table dunning_installments force row level security;

create table dunning_interactions (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  charge_ids uuid[] not null default '{}'::uuid[],
  kind text not null,
  direction text not null,
  outcome text not null,
  summary text not null,
  occurred_at timestamp with time zone not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_interactions_direction_check CHECK ((direction = ANY (ARRAY['inbound'::text, 'outbound'::text, 'internal'::text]))),
  constraint dunning_interactions_kind_check CHECK ((kind = ANY (ARRAY['call'::text, 'message'::text, 'visit'::text, 'note'::text, 'email_reply'::text]))),
  constraint dunning_interactions_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES dunning_people(organization_id, id),
  constraint dunning_interactions_pkey PRIMARY KEY (organization_id, id)
);
alter table dunning_interactions enable row level security;
alter table dunning_interactions force row level security;

create table dunning_legal_commands (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  action_id uuid not null,
  command text not null,
  status text not null,
  attempts integer not null default 0,
  request jsonb not null,
  answer jsonb,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint dunning_legal_commands_command_check CHECK ((command = ANY (ARRAY['register'::text, 'remove'::text, 'send'::text, 'withdraw'::text, 'authorize_cancellation'::text]))),
  constraint dunning_legal_commands_kind_check CHECK ((kind = ANY (ARRAY['negativation'::text, 'protest'::text]))),
  constraint dunning_legal_commands_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_legal_commands_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'requested'::text, 'confirmed'::text, 'rejected'::text, 'failed'::text, 'unknown'::text])))
);
alter table dunning_legal_commands enable row level security;
alter table dunning_legal_commands force row level security;

create table dunning_legal_events (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  action_id uuid not null,
  at timestamp with time zone not null,
  event text not null,
  details jsonb not null default '{}'::jsonb,
  report_id text,
  created_at timestamp with time zone not null default now(),
  constraint dunning_legal_events_kind_check CHECK ((kind = ANY (ARRAY['negativation'::text, 'protest'::text]))),
  constraint dunning_legal_events_organization_id_action_id_report_id_key UNIQUE (organization_id, action_id, report_id),
  constraint dunning_legal_events_pkey PRIMARY KEY (organization_id, id)
);
alter table dunning_legal_events enable row level security;
alter table dunning_legal_events force row level security;

create table dunning_live_legal_actions (
  organization_id uuid not null,
  charge_id uuid not null,
  kind text not null,
  action_id uuid not null,
  constraint dunning_live_legal_actions_kind_check CHECK ((kind = ANY (ARRAY['negativation'::text, 'protest'::text]))),
  constraint dunning_live_legal_actions_organization_id_charge_id_fkey FOREIGN KEY (organization_id, charge_id) REFERENCES dunning_charges(organization_id, id),
  constraint dunning_live_legal_actions_pkey PRIMARY KEY (organization_id, charge_id)
);
alter table dunning_live_legal_actions enable row level security;
alter table dunning_live_legal_actions force row level security;

create table dunning_negativations (
  organization_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  person_id uuid not null,
  bureau text not null,
  amount_cents cents not null,
  debt_due_date date not null,
  reason text,
  status text not null,
  status_reason text,
  requested_by uuid not null,
  approved_by uuid,
  decided_at timestamp with time zone,
  decision_note text,
  prior_notice jsonb,
  waits_until date,
  registered_at timestamp with time zone,
  expires_on date not null,
  removal jsonb,
  removal_deadline date,
  bureau_reference text,
  policy_version text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_negativations_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint dunning_negativations_bureau_check CHECK ((bureau = ANY (ARRAY['serasa'::text, 'spc'::text, 'quod'::text, 'boavista'::text]))),
  constraint dunning_negativations_check CHECK ((approved_by <> requested_by)),
  constraint dunning_negativations_organization_id_charge_id_fkey FOREIGN KEY (organization_id, charge_id) REFERENCES dunning_charges(organization_id, id),
  constraint dunning_negativations_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES dunning_people(organization_id, id),
  constraint dunning_negativations_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_negativations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'notice_sent'::text, 'registered'::text, 'removal_requested'::text, 'removed'::text, 'rejected'::text, 'canceled'::text, 'failed'::text])))
);
alter table dunning_negativations enable row level security;
alter table dunning_negativations force row level security;

create table dunning_notification_charges (
  organization_id uuid not null,
  notification_id uuid not null,
  charge_id uuid not null,
  constraint dunning_notification_charges_organization_id_notification__fkey FOREIGN KEY (organization_id, notification_id) REFERENCES dunning_notifications(organization_id, id) ON DELETE CASCADE,
  constraint dunning_notification_charges_pkey PRIMARY KEY (organization_id, notification_id, charge_id)
);
alter table dunning_notification_charges enable row level security;
alter table dunning_notification_charges force row level security;

create table dunning_notification_trail (
  organization_id uuid not null,
  notification_id uuid not null,
  "position" integer not null,
  at timestamp with time zone not null,
  status text not null,
  detail text,
  report_id text,
  constraint dunning_notification_trail_organization_id_notification_id__key UNIQUE (organization_id, notification_id, report_id),
  constraint dunning_notification_trail_organization_id_notification_id_fkey FOREIGN KEY (organization_id, notification_id) REFERENCES dunning_notifications(organization_id, id) ON DELETE CASCADE,
  constraint dunning_notification_trail_pkey PRIMARY KEY (organization_id, notification_id, "position")
);
alter table dunning_notification_trail enable row level security;
alter table dunning_notification_trail force row level security;

create table dunning_notifications (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  charge_id uuid,
  charge_count integer not null default 1,
  agreement_id uuid,
  negativation_id uuid,
  channel text not null,
  contact_id uuid,
  template_id uuid,
  template_version integer,
  own_subject text,
  own_body text,
  rendered jsonb,
  trigger text not null,
  execution_id uuid,
  resent_from uuid,
  scheduled_for timestamp with time zone not null,
  status text not null,
  status_reason text,
  provider text,
  provider_id text,
  claimed_at timestamp with time zone,
  claim_id uuid,
  policy_version text,
  queued_at timestamp with time zone,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  read_at timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_notifications_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'whatsapp'::text, 'letter'::text]))),
  constraint dunning_notifications_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES dunning_people(organization_id, id),
  constraint dunning_notifications_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_notifications_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'queued'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text, 'bounced'::text, 'canceled'::text, 'skipped'::text]))),
  constraint dunning_notifications_trigger_check CHECK ((trigger = ANY (ARRAY['rule'::text, 'manual'::text, 'resend'::text, 'agreement'::text, 'prior_notice'::text])))
);
alter table dunning_notifications enable row level security;
alter table dunning_notifications force row level security;

create table dunning_payments (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  charge_id uuid,
  agreement_id uuid,
  installment_id uuid,
  amount_cents cents not null,
  paid_on date not null,
  effective_on date not null,
  credited_on date,
  method text not null,
  fee_cents cents not null default 0,
  principal_cents cents not null default 0,
  discount_cents cents not null default 0,
  interest_cents cents not null default 0,
  fine_cents cents not null default 0,
  excess_cents cents not null default 0,
  external_id text,
  end_to_end_id text,
  payer jsonb,
  kind text not null,
  needs_refund boolean not null default false,
  status text not null default 'confirmed'::text,
  reversed_at timestamp with time zone,
  reversed_reason text,
  channel text,
  notification_id uuid,
  step_id uuid,
  steps_before integer,
  recovered_cents bigint,
  days_overdue integer,
  source text not null default 'api'::text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_payments_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint dunning_payments_check CHECK (((charge_id IS NULL) = (installment_id IS NOT NULL))),
  constraint dunning_payments_check1 CHECK (((agreement_id IS NULL) = (installment_id IS NULL))),
  constraint dunning_payments_check2 CHECK (((amount_cents)::bigint = (((((principal_cents)::bigint - (discount_cents)::bigint) + (interest_cents)::bigint) + (fine_cents)::bigint) + (excess_cents)::bigint))),
  constraint dunning_payments_discount_cents_check CHECK (((discount_cents)::bigint >= 0)),
  constraint dunning_payments_excess_cents_check CHECK (((excess_cents)::bigint >= 0)),
  constraint dunning_payments_fee_cents_check CHECK (((fee_cents)::bigint >= 0)),
  constraint dunning_payments_fine_cents_check CHECK (((fine_cents)::bigint >= 0)),
  constraint dunning_payments_interest_cents_check CHECK (((interest_cents)::bigint >= 0)),
  constraint dunning_payments_kind_check CHECK ((kind = ANY (ARRAY['regular'::text, 'duplicate'::text, 'excess'::text]))),
  constraint dunning_payments_method_check CHECK ((method = ANY (ARRAY['boleto'::text, 'pix'::text, 'card'::text, 'transfer'::text, 'cash'::text, 'notary'::text, 'other'::text]))),
  constraint dunning_payments_organization_id_agreement_id_fkey FOREIGN KEY (organization_id, agreement_id) REFERENCES dunning_agreements(organization_id, id),
  constraint dunning_payments_organization_id_charge_id_fkey FOREIGN KEY (organization_id, charge_id) REFERENCES dunning_charges(organization_id, id),
  constraint dunning_payments_organization_id_installment_id_fkey FOREIGN KEY (organization_id, installment_id) REFERENCES dunning_installments(organization_id, id),
  constraint dunning_payments_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES dunning_people(organization_id, id),
  constraint dunning_payments_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_payments_principal_cents_check CHECK (((principal_cents)::bigint >= 0)),
  constraint dunning_payments_source_check CHECK ((source = ANY (ARRAY['api'::text, 'finance'::text, 'notary'::text, 'import'::text]))),
  constraint dunning_payments_status_check CHECK ((status = ANY (ARRAY['confirmed'::text, 'reversed'::text])))
);
alter table dunning_payments enable row level security;
alter table dunning_payments force row level security;

create table dunning_people (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null,
  document_number text,
  address jsonb,
  state text,
  is_consumer boolean not null,
  do_not_contact boolean not null default false,
  deceased boolean not null default false,
  language text not null default 'pt-BR'::text,
  external_id text,
  tags text[] not null default '{}'::text[],
  archived_at timestamp with time zone,
  anonymized_at timestamp with time zone,
  anonymized_basis text,
  search_text text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_people_kind_check CHECK ((kind = ANY (ARRAY['natural'::text, 'legal'::text]))),
  constraint dunning_people_language_check CHECK ((language = ANY (ARRAY['pt-BR'::text, 'en'::text]))),
  constraint dunning_people_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint dunning_people_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_people_state_check CHECK ((state ~ '^[A-Z]{2}$'::text))
);
alter table dunning_people enable row level security;
alter table dunning_people force row level security;

create table dunning_promises (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  charge_ids uuid[] not null,
  amount_cents cents not null,
  promised_for date not null,
  promised_on date not null,
  keep_until date not null,
  channel text,
  status text not null,
  paid_cents cents not null default 0,
  ended_at timestamp with time zone,
  ended_reason text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_promises_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint dunning_promises_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES dunning_people(organization_id, id),
  constraint dunning_promises_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_promises_status_check CHECK ((status = ANY (ARRAY['open'::text, 'kept'::text, 'broken'::text, 'canceled'::text])))
);
alter table dunning_promises enable row level security;
alter table dunning_promises force row level security;

create table dunning_protests (
  organization_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  person_id uuid not null,
  title_kind text not null,
  amount_cents cents not null,
  debt_due_date date not null,
  document_name text,
  document_content_type text,
  document_sha256 bytea,
  document_bytes bytea,
  status text not null,
  status_reason text,
  requested_by uuid not null,
  approved_by uuid,
  decided_at timestamp with time zone,
  decision_note text,
  notary jsonb,
  protocol text,
  protocoled_on date,
  notified_on date,
  notice_kind text,
  deadline_on date,
  protested_on date,
  costs jsonb,
  notary_reference text,
  policy_version text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_protests_amount_cents_check CHECK (((amount_cents)::bigint > 0)),
  constraint dunning_protests_check CHECK ((approved_by <> requested_by)),
  constraint dunning_protests_notice_kind_check CHECK ((notice_kind = ANY (ARRAY['letter'::text, 'electronic'::text, 'edict'::text]))),
  constraint dunning_protests_organization_id_charge_id_fkey FOREIGN KEY (organization_id, charge_id) REFERENCES dunning_charges(organization_id, id),
  constraint dunning_protests_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES dunning_people(organization_id, id),
  constraint dunning_protests_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_protests_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'sent'::text, 'protocoled'::text, 'notified'::text, 'protested'::text, 'cancellation_authorized'::text, 'canceled'::text, 'rejected'::text, 'returned'::text, 'paid_at_notary'::text, 'withdrawn'::text, 'suspended'::text])))
);
alter table dunning_protests enable row level security;
alter table dunning_protests force row level security;

create table dunning_published_events (
  organization_id uuid not null,
  "position" bigint not null,
  constraint dunning_published_events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint dunning_published_events_pkey PRIMARY KEY (organization_id)
);
alter table dunning_published_events enable row level security;
alter table dunning_published_events force row level security;

create table dunning_receivable_links (
  workspace_id uuid not null,
  receivable_id uuid not null,
  organization_id uuid not null,
  charge_id uuid not null,
  constraint dunning_receivable_links_pkey PRIMARY KEY (workspace_id, receivable_id),
  constraint dunning_receivable_links_workspace_id_receivable_id_fkey FOREIGN KEY (workspace_id, receivable_id) REFERENCES receivables(workspace_id, id) ON DELETE CASCADE
);
alter table dunning_receivable_links enable row level security;
alter table dunning_receivable_links force row level security;

create table dunning_rule_steps (
  organization_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  "position" integer not null,
  offset_days integer not null,
  day_kind text not null,
  time_of_day time without time zone not null,
  action text not null,
  channel text,
  template_id uuid,
  conditions jsonb not null default '{}'::jsonb,
  active boolean not null default true,
  deleted_at timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_rule_steps_action_check CHECK ((action = ANY (ARRAY['message'::text, 'task'::text, 'suggest_negativation'::text, 'suggest_protest'::text]))),
  constraint dunning_rule_steps_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'whatsapp'::text, 'letter'::text, 'phone'::text]))),
  constraint dunning_rule_steps_check CHECK (((action = 'message'::text) = (template_id IS NOT NULL))),
  constraint dunning_rule_steps_check1 CHECK (((action <> 'message'::text) OR (channel IS NOT NULL))),
  constraint dunning_rule_steps_day_kind_check CHECK ((day_kind = ANY (ARRAY['calendar'::text, 'business'::text]))),
  constraint dunning_rule_steps_offset_days_check CHECK (((offset_days >= '-365'::integer) AND (offset_days <= 1825))),
  constraint dunning_rule_steps_organization_id_rule_id_fkey FOREIGN KEY (organization_id, rule_id) REFERENCES dunning_collection_rules(organization_id, id),
  constraint dunning_rule_steps_organization_id_template_id_fkey FOREIGN KEY (organization_id, template_id) REFERENCES dunning_templates(organization_id, id),
  constraint dunning_rule_steps_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_rule_steps_position_check CHECK (("position" >= 0))
);
alter table dunning_rule_steps enable row level security;
alter table dunning_rule_steps force row level security;

create table dunning_search_words (
  organization_id uuid not null,
  kind "char" not null,
  word text not null,
  record_id uuid not null,
  constraint dunning_search_words_pkey PRIMARY KEY (organization_id, kind, word, record_id)
);
alter table dunning_search_words enable row level security;
alter table dunning_search_words force row level security;

create table dunning_settings (
  organization_id uuid not null,
  creditor jsonb not null default '{}'::jsonb,
  default_terms jsonb,
  payment_allocation text not null default 'interest_fine_principal'::text,
  interest_from text not null default 'original'::text,
  contact_windows jsonb not null default '{}'::jsonb,
  is_email_in_windows boolean not null default true,
  daily_cap_per_person integer not null default 1,
  agreement_default_after_days integer not null default 15,
  promise_grace_business_days integer not null default 1,
  legal jsonb not null default '{}'::jsonb,
  notification_preferences jsonb not null default '{}'::jsonb,
  policy_version integer not null default 1,
  updated_by uuid,
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_settings_agreement_default_after_days_check CHECK (((agreement_default_after_days >= 0) AND (agreement_default_after_days <= 365))),
  constraint dunning_settings_daily_cap_per_person_check CHECK (((daily_cap_per_person >= 1) AND (daily_cap_per_person <= 10))),
  constraint dunning_settings_interest_from_check CHECK ((interest_from = ANY (ARRAY['original'::text, 'adjusted'::text]))),
  constraint dunning_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint dunning_settings_payment_allocation_check CHECK ((payment_allocation = ANY (ARRAY['interest_fine_principal'::text, 'fine_interest_principal'::text, 'interest_principal_fine'::text]))),
  constraint dunning_settings_pkey PRIMARY KEY (organization_id),
  constraint dunning_settings_promise_grace_business_days_check CHECK (((promise_grace_business_days >= 0) AND (promise_grace_business_days <= 30)))
);
alter table dunning_settings enable row level security;
alter table dunning_settings force row level security;

create table dunning_step_executions (
  organization_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  person_id uuid not null,
  rule_id uuid not null,
  step_id uuid not null,
  cycle integer not null,
  action text not null,
  channel text,
  step_on date not null,
  due_at timestamp with time zone not null,
  moves integer not null default 0,
  status text not null,
  skipped_reason text,
  notification_id uuid,
  policy_version text,
  done_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_step_executions_organization_id_charge_id_fkey FOREIGN KEY (organization_id, charge_id) REFERENCES dunning_charges(organization_id, id),
  constraint dunning_step_executions_organization_id_charge_id_step_id_c_key UNIQUE (organization_id, charge_id, step_id, cycle),
  constraint dunning_step_executions_organization_id_step_id_fkey FOREIGN KEY (organization_id, step_id) REFERENCES dunning_rule_steps(organization_id, id),
  constraint dunning_step_executions_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_step_executions_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'done'::text, 'skipped'::text, 'failed'::text])))
);
alter table dunning_step_executions enable row level security;
alter table dunning_step_executions force row level security;

create table dunning_template_versions (
  organization_id uuid not null,
  template_id uuid not null,
  text_version integer not null,
  subject text,
  body text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint dunning_template_versions_organization_id_template_id_fkey FOREIGN KEY (organization_id, template_id) REFERENCES dunning_templates(organization_id, id),
  constraint dunning_template_versions_pkey PRIMARY KEY (organization_id, template_id, text_version)
);
alter table dunning_template_versions enable row level security;
alter table dunning_template_versions force row level security;

create table dunning_templates (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  channel text not null,
  language text not null default 'pt-BR'::text,
  subject text,
  body text not null,
  text_version integer not null default 1,
  active boolean not null default true,
  archived_at timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_templates_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'whatsapp'::text, 'letter'::text]))),
  constraint dunning_templates_check CHECK (((channel = 'email'::text) = (subject IS NOT NULL))),
  constraint dunning_templates_language_check CHECK ((language = ANY (ARRAY['pt-BR'::text, 'en'::text]))),
  constraint dunning_templates_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint dunning_templates_pkey PRIMARY KEY (organization_id, id)
);
alter table dunning_templates enable row level security;
alter table dunning_templates force row level security;

create table dunning_webhook_deliveries (
  organization_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event text not null,
  event_key text not null,
  resource_kind text,
  resource_id uuid,
  payload text not null,
  status text not null,
  attempts jsonb not null default '[]'::jsonb,
  next_attempt_at timestamp with time zone,
  claimed_at timestamp with time zone,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_webhook_deliveries_organization_id_webhook_id_event_key UNIQUE (organization_id, webhook_id, event_key),
  constraint dunning_webhook_deliveries_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES dunning_webhooks(organization_id, id) ON DELETE CASCADE,
  constraint dunning_webhook_deliveries_pkey PRIMARY KEY (organization_id, id),
  constraint dunning_webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
alter table dunning_webhook_deliveries enable row level security;
alter table dunning_webhook_deliveries force row level security;

create table dunning_webhooks (
  organization_id uuid not null,
  id uuid not null,
  url text not null,
  events text[] not null,
  description text,
  active boolean not null default true,
  secret text not null,
  previous_secret text,
  previous_until timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dunning_webhooks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint dunning_webhooks_pkey PRIMARY KEY (organization_id, id)
);
alter table dunning_webhooks enable row level security;
alter table dunning_webhooks force row level security;

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

create table invitations (
  id uuid not null,
  secret_hash bytea not null,
  user_id uuid not null,
  organization_id uuid not null,
  invited_by uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  constraint invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_secret_hash_key UNIQUE (secret_hash),
  constraint invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

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

create table oauth_records (
  model text not null,
  id_hash bytea not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint oauth_records_pkey PRIMARY KEY (model, id_hash)
);

create table organizations (
  id uuid not null,
  name text not null,
  time_zone text not null default 'America/Sao_Paulo'::text,
  created_at timestamp with time zone not null default now(),
  constraint organizations_pkey PRIMARY KEY (id)
);

create table passkey_challenges (
  id uuid not null,
  purpose text not null,
  user_id uuid,
  challenge text not null,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (id),
  constraint passkey_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'sign_in'::text, 'verify'::text]))),
  constraint passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table passkeys (
  id text not null,
  user_id uuid not null,
  name text not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
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

create table sessions (
  id uuid not null,
  secret_hash bytea not null,
  user_id uuid not null,
  organization_id uuid not null,
  verified_at timestamp with time zone not null,
  verified_with text not null,
  verified_for text,
  user_agent text not null default ''::text,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint sessions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_secret_hash_key UNIQUE (secret_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint sessions_verified_with_check CHECK ((verified_with = ANY (ARRAY['password'::text, 'passkey'::text])))
);

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
  connection_id uuid,
  is_for_programs boolean not null default false,
  constraint tokens_access_check CHECK ((access = ANY (ARRAY['read'::text, 'write'::text]))),
  constraint tokens_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id),
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
  password_hash text,
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
CREATE INDEX approvals_by_time ON public.approvals USING btree (tenant_id, requested_at DESC, id DESC);
CREATE UNIQUE INDEX approvals_waiting ON public.approvals USING btree (tenant_id, requested_by, operation, arguments_digest) WHERE (status = 'pending'::text);
CREATE INDEX attachment_links_of_record ON public.attachment_links USING btree (workspace_id, record_kind, record_id);
CREATE INDEX attachments_by_creation ON public.attachments USING btree (workspace_id, created_at, id);
CREATE INDEX attempts_by_time ON public.attempts USING btree (window_start);
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
CREATE INDEX connections_of_client ON public.connections USING btree (organization_id, client_id, created_at DESC);
CREATE INDEX connections_of_organization ON public.connections USING btree (organization_id, created_at DESC);
CREATE INDEX connections_of_user ON public.connections USING btree (user_id, organization_id);
CREATE INDEX cost_centers_by_creation ON public.cost_centers USING btree (workspace_id, created_at, id);
CREATE INDEX cost_centers_by_name ON public.cost_centers USING btree (workspace_id, name, id);
CREATE INDEX dda_boletos_by_creation ON public.dda_boletos USING btree (workspace_id, created_at, id);
CREATE INDEX dda_boletos_by_due_date ON public.dda_boletos USING btree (workspace_id, due_date, id);
CREATE INDEX dunning_agreement_charges_of_charge ON public.dunning_agreement_charges USING btree (organization_id, charge_id);
CREATE UNIQUE INDEX dunning_agreement_charges_one_live ON public.dunning_agreement_charges USING btree (organization_id, charge_id) WHERE is_live;
CREATE INDEX dunning_agreement_credits_of_charge ON public.dunning_agreement_credits USING btree (organization_id, charge_id, credited_on);
CREATE INDEX dunning_agreements_by_creation ON public.dunning_agreements USING btree (organization_id, created_at, id);
CREATE INDEX dunning_agreements_by_status ON public.dunning_agreements USING btree (organization_id, status, created_at, id);
CREATE INDEX dunning_agreements_of_campaign ON public.dunning_agreements USING btree (organization_id, campaign_id) WHERE (campaign_id IS NOT NULL);
CREATE INDEX dunning_agreements_of_person ON public.dunning_agreements USING btree (organization_id, person_id, created_at, id);
CREATE INDEX dunning_campaigns_by_creation ON public.dunning_campaigns USING btree (organization_id, created_at, id);
CREATE INDEX dunning_charges_after_due ON public.dunning_charges USING btree (organization_id, collection_rule_id, adjusted_due_date) WHERE (dunning_state = 'active'::text);
CREATE INDEX dunning_charges_before_due ON public.dunning_charges USING btree (organization_id, collection_rule_id, due_date) WHERE (dunning_state = 'active'::text);
CREATE INDEX dunning_charges_by_amount ON public.dunning_charges USING btree (organization_id, amount_cents, id);
CREATE INDEX dunning_charges_by_creation ON public.dunning_charges USING btree (organization_id, created_at, id);
CREATE INDEX dunning_charges_by_due_date ON public.dunning_charges USING btree (organization_id, due_date, id);
CREATE INDEX dunning_charges_by_status ON public.dunning_charges USING btree (organization_id, status, due_date, id);
CREATE INDEX dunning_charges_of_agreement ON public.dunning_charges USING btree (organization_id, agreement_id) WHERE (agreement_id IS NOT NULL);
CREATE INDEX dunning_charges_of_person ON public.dunning_charges USING btree (organization_id, person_id, due_date, id);
CREATE UNIQUE INDEX dunning_charges_one_per_external_id ON public.dunning_charges USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE UNIQUE INDEX dunning_charges_one_per_receivable ON public.dunning_charges USING btree (organization_id, finance_receivable_id) WHERE (finance_receivable_id IS NOT NULL);
CREATE INDEX dunning_charges_still_open ON public.dunning_charges USING btree (organization_id, adjusted_due_date) INCLUDE (status, open_cents, is_disputed, legal_kind, person_id, collection_rule_id) WHERE (status = ANY (ARRAY['pending'::text, 'overdue'::text, 'in_agreement'::text]));
CREATE INDEX dunning_charges_to_flip ON public.dunning_charges USING btree (organization_id, adjusted_due_date) WHERE (status = 'pending'::text);
CREATE INDEX dunning_collection_rules_by_creation ON public.dunning_collection_rules USING btree (organization_id, created_at, id);
CREATE INDEX dunning_collection_rules_by_name ON public.dunning_collection_rules USING btree (organization_id, name, id);
CREATE UNIQUE INDEX dunning_collection_rules_one_default ON public.dunning_collection_rules USING btree (organization_id) WHERE is_default;
CREATE INDEX dunning_contact_slots_of_notification ON public.dunning_contact_slots USING btree (organization_id, notification_id);
CREATE UNIQUE INDEX dunning_contacts_one_primary ON public.dunning_contacts USING btree (organization_id, person_id, channel) WHERE is_primary;
CREATE INDEX dunning_dispute_comments_of_dispute ON public.dunning_dispute_comments USING btree (organization_id, dispute_id, created_at, id);
CREATE INDEX dunning_disputes_by_creation ON public.dunning_disputes USING btree (organization_id, created_at, id);
CREATE INDEX dunning_disputes_of_charge ON public.dunning_disputes USING btree (organization_id, charge_id);
CREATE INDEX dunning_disputes_of_person ON public.dunning_disputes USING btree (organization_id, person_id, created_at, id);
CREATE UNIQUE INDEX dunning_disputes_one_open ON public.dunning_disputes USING btree (organization_id, charge_id) WHERE (status = ANY (ARRAY['open'::text, 'under_review'::text]));
CREATE INDEX dunning_holds_of_source ON public.dunning_holds USING btree (organization_id, source_id);
CREATE INDEX dunning_holds_to_lift ON public.dunning_holds USING btree (organization_id, until) WHERE (until IS NOT NULL);
CREATE INDEX dunning_installments_late ON public.dunning_installments USING btree (organization_id, adjusted_due_date) WHERE (status = 'open'::text);
CREATE INDEX dunning_interactions_by_time ON public.dunning_interactions USING btree (organization_id, occurred_at, id);
CREATE INDEX dunning_interactions_of_person ON public.dunning_interactions USING btree (organization_id, person_id, occurred_at, id);
CREATE INDEX dunning_legal_commands_of_action ON public.dunning_legal_commands USING btree (organization_id, action_id, created_at);
CREATE UNIQUE INDEX dunning_legal_commands_one_live ON public.dunning_legal_commands USING btree (organization_id, action_id, command) WHERE (status = ANY (ARRAY['pending'::text, 'requested'::text, 'unknown'::text]));
CREATE INDEX dunning_legal_events_of_action ON public.dunning_legal_events USING btree (organization_id, action_id, at, id);
CREATE INDEX dunning_negativations_by_creation ON public.dunning_negativations USING btree (organization_id, created_at, id);
CREATE INDEX dunning_negativations_by_status ON public.dunning_negativations USING btree (organization_id, status, created_at, id);
CREATE INDEX dunning_negativations_of_charge ON public.dunning_negativations USING btree (organization_id, charge_id);
CREATE INDEX dunning_negativations_of_person ON public.dunning_negativations USING btree (organization_id, person_id, created_at, id);
CREATE INDEX dunning_notification_charges_of_charge ON public.dunning_notification_charges USING btree (organization_id, charge_id);
CREATE INDEX dunning_notifications_at_provider ON public.dunning_notifications USING btree (organization_id, provider, provider_id) WHERE (provider_id IS NOT NULL);
CREATE INDEX dunning_notifications_by_creation ON public.dunning_notifications USING btree (organization_id, created_at, id);
CREATE INDEX dunning_notifications_of_charge ON public.dunning_notifications USING btree (organization_id, charge_id, created_at) WHERE (charge_id IS NOT NULL);
CREATE INDEX dunning_notifications_of_person ON public.dunning_notifications USING btree (organization_id, person_id, created_at, id);
CREATE UNIQUE INDEX dunning_notifications_one_per_execution ON public.dunning_notifications USING btree (organization_id, execution_id) WHERE (execution_id IS NOT NULL);
CREATE INDEX dunning_notifications_to_send ON public.dunning_notifications USING btree (organization_id, scheduled_for, id) WHERE (status = ANY (ARRAY['scheduled'::text, 'queued'::text]));
CREATE INDEX dunning_payments_by_creation ON public.dunning_payments USING btree (organization_id, created_at, id);
CREATE INDEX dunning_payments_by_date ON public.dunning_payments USING btree (organization_id, paid_on, id);
CREATE INDEX dunning_payments_of_agreement ON public.dunning_payments USING btree (organization_id, agreement_id, paid_on, id) WHERE (agreement_id IS NOT NULL);
CREATE INDEX dunning_payments_of_charge ON public.dunning_payments USING btree (organization_id, charge_id, paid_on, id) WHERE (charge_id IS NOT NULL);
CREATE INDEX dunning_payments_of_person ON public.dunning_payments USING btree (organization_id, person_id, paid_on, id);
CREATE UNIQUE INDEX dunning_payments_one_per_end_to_end_id ON public.dunning_payments USING btree (organization_id, end_to_end_id) WHERE (end_to_end_id IS NOT NULL);
CREATE UNIQUE INDEX dunning_payments_one_per_external_id ON public.dunning_payments USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX dunning_payments_recovered ON public.dunning_payments USING btree (organization_id, paid_on) INCLUDE (recovered_cents, principal_cents, days_overdue, steps_before, method, channel) WHERE ((status = 'confirmed'::text) AND (recovered_cents IS NOT NULL));
CREATE INDEX dunning_people_by_creation ON public.dunning_people USING btree (organization_id, created_at, id);
CREATE INDEX dunning_people_by_name ON public.dunning_people USING btree (organization_id, name, id);
CREATE UNIQUE INDEX dunning_people_one_per_document ON public.dunning_people USING btree (organization_id, document_number) WHERE (document_number IS NOT NULL);
CREATE UNIQUE INDEX dunning_people_one_per_external_id ON public.dunning_people USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX dunning_promises_by_creation ON public.dunning_promises USING btree (organization_id, created_at, id);
CREATE INDEX dunning_promises_of_person ON public.dunning_promises USING btree (organization_id, person_id, promised_for, id);
CREATE INDEX dunning_promises_to_judge ON public.dunning_promises USING btree (organization_id, keep_until) WHERE (status = 'open'::text);
CREATE INDEX dunning_protests_by_creation ON public.dunning_protests USING btree (organization_id, created_at, id);
CREATE INDEX dunning_protests_by_status ON public.dunning_protests USING btree (organization_id, status, created_at, id);
CREATE INDEX dunning_protests_of_charge ON public.dunning_protests USING btree (organization_id, charge_id);
CREATE INDEX dunning_protests_of_person ON public.dunning_protests USING btree (organization_id, person_id, created_at, id);
CREATE INDEX dunning_rule_steps_of_rule ON public.dunning_rule_steps USING btree (organization_id, rule_id, offset_days, "position");
CREATE INDEX dunning_rule_steps_of_template ON public.dunning_rule_steps USING btree (organization_id, template_id) WHERE (template_id IS NOT NULL);
CREATE INDEX dunning_step_executions_by_date ON public.dunning_step_executions USING btree (organization_id, step_on, id);
CREATE INDEX dunning_step_executions_due ON public.dunning_step_executions USING btree (organization_id, due_at, id) WHERE (status = 'scheduled'::text);
CREATE INDEX dunning_templates_by_creation ON public.dunning_templates USING btree (organization_id, created_at, id);
CREATE INDEX dunning_templates_by_name ON public.dunning_templates USING btree (organization_id, name, id);
CREATE INDEX dunning_webhook_deliveries_by_creation ON public.dunning_webhook_deliveries USING btree (organization_id, created_at, id);
CREATE INDEX dunning_webhook_deliveries_due ON public.dunning_webhook_deliveries USING btree (organization_id, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX dunning_webhooks_by_creation ON public.dunning_webhooks USING btree (organization_id, created_at, id);
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
CREATE INDEX invitations_of_user ON public.invitations USING btree (user_id);
CREATE INDEX memberships_of_user ON public.memberships USING btree (user_id);
CREATE INDEX oauth_records_by_expiry ON public.oauth_records USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX oauth_records_of_grant ON public.oauth_records USING btree (grant_id) WHERE (grant_id IS NOT NULL);
CREATE INDEX oauth_records_of_uid ON public.oauth_records USING btree (model, uid) WHERE (uid IS NOT NULL);
CREATE INDEX passkey_challenges_by_expiry ON public.passkey_challenges USING btree (expires_at);
CREATE INDEX passkeys_of_user ON public.passkeys USING btree (user_id);
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
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_of_user ON public.sessions USING btree (user_id);
CREATE INDEX settlements_by_date ON public.settlements USING btree (workspace_id, paid_at, payable_id) WHERE (status = 'effective'::text);
CREATE INDEX settlements_of_payable ON public.settlements USING btree (workspace_id, payable_id);
CREATE INDEX settlements_of_receivable ON public.settlements USING btree (workspace_id, receivable_id) WHERE (receivable_id IS NOT NULL);
CREATE INDEX settlements_of_transaction ON public.settlements USING btree (workspace_id, transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE UNIQUE INDEX settlements_once_outside ON public.settlements USING btree (workspace_id, account_id, external_id) WHERE ((external_id IS NOT NULL) AND (status = 'effective'::text));
CREATE UNIQUE INDEX settlements_one_per_payment ON public.settlements USING btree (workspace_id, payment_id) WHERE ((payment_id IS NOT NULL) AND (status = 'effective'::text));
CREATE INDEX statement_imports_by_creation ON public.statement_imports USING btree (workspace_id, created_at, id);
CREATE UNIQUE INDEX statement_imports_once ON public.statement_imports USING btree (workspace_id, account_id, file_sha256) WHERE (status = 'processed'::text);
CREATE INDEX tokens_by_expiry ON public.tokens USING btree (expires_at);
CREATE INDEX tokens_of_connection ON public.tokens USING btree (connection_id) WHERE (connection_id IS NOT NULL);
CREATE INDEX tokens_of_user ON public.tokens USING btree (user_id);
CREATE INDEX transfers_by_creation ON public.transfers USING btree (workspace_id, created_at, id);
CREATE INDEX transfers_by_date ON public.transfers USING btree (workspace_id, scheduled_for, id);
CREATE INDEX transfers_of_credit ON public.transfers USING btree (workspace_id, credit_transaction_id) WHERE (credit_transaction_id IS NOT NULL);
CREATE INDEX transfers_of_debit ON public.transfers USING btree (workspace_id, debit_transaction_id) WHERE (debit_transaction_id IS NOT NULL);
CREATE INDEX used_confirmations_of_action ON public.used_confirmations USING btree (organization_id, user_id, operation, arguments_digest, used_at);
create policy tenant on access_log to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on account_balances to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on approval_settings to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on approvals to kobana_app, postgres using ((tenant_id = ( SELECT COALESCE(kobana_workspace(), kobana_organization()) AS "coalesce"))) with check ((tenant_id = ( SELECT COALESCE(kobana_workspace(), kobana_organization()) AS "coalesce")));
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
create policy tenant on controls to kobana_app, postgres using ((tenant_id = ( SELECT COALESCE(kobana_workspace(), kobana_organization()) AS "coalesce"))) with check ((tenant_id = ( SELECT COALESCE(kobana_workspace(), kobana_organization()) AS "coalesce")));
create policy tenant on cost_centers to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on dda_boletos to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on dunning_agreement_charges to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_agreement_credits to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_agreements to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_campaigns to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_charges to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_collection_rules to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_contact_slots to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_contacts to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_daily_runs to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_dispute_comments to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_disputes to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_holds to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_installments to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_interactions to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_legal_commands to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_legal_events to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_live_legal_actions to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_negativations to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_notification_charges to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_notification_trail to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_notifications to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_payments to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_people to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_promises to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_protests to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_published_events to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_receivable_links to kobana_app, postgres using ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace))) with check ((workspace_id = ( SELECT kobana_workspace() AS kobana_workspace)));
create policy tenant on dunning_rule_steps to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_search_words to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_settings to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_step_executions to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_template_versions to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_templates to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_webhook_deliveries to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
create policy tenant on dunning_webhooks to kobana_app, postgres using ((organization_id = ( SELECT kobana_organization() AS kobana_organization))) with check ((organization_id = ( SELECT kobana_organization() AS kobana_organization)));
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

CREATE OR REPLACE FUNCTION public.add_dunning_search_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into dunning_search_words (organization_id, kind, word, record_id)
    select added.organization_id, tg_argv[0]::"char", word, added.id from added, words_of(added.search_text) word;
  return null;
end $function$
;

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

CREATE OR REPLACE FUNCTION public.change_dunning_search_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    delete from dunning_search_words
     where organization_id = old.organization_id and kind = tg_argv[0]::"char" and record_id = old.id
       and word in (select words_of(old.search_text));
  end if;
  if tg_op = 'UPDATE' then
    insert into dunning_search_words (organization_id, kind, word, record_id)
      select new.organization_id, tg_argv[0]::"char", words_of(new.search_text), new.id;
  end if;
  return null;
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

CREATE OR REPLACE FUNCTION public.queue_linked_charge()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
declare
  link dunning_receivable_links;
begin
  select * into link from dunning_receivable_links where workspace_id = new.workspace_id and receivable_id = new.id;
  if found then
    perform enqueue_job('dunning_follow_receivable',
      json_build_object('organizationId', link.organization_id, 'chargeId', link.charge_id), null,
      'dunning_follow_receivable/' || link.charge_id);
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.queue_webhook_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
begin
  if exists (select 1 from dunning_webhooks where organization_id = new.tenant_id and active) then
    perform enqueue_job('dunning_publish_events', json_build_object('organizationId', new.tenant_id), null,
                        'dunning_publish_events/' || new.tenant_id);
  end if;
  return null;
end $function$
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

CREATE OR REPLACE FUNCTION public.uuid_v7()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
AS $function$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
           placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
         52, 1), 53, 1), 'hex')::uuid
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
CREATE TRIGGER search_words_added AFTER INSERT ON public.dunning_charges REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_dunning_search_words('c');
CREATE TRIGGER search_words_changed AFTER UPDATE OF search_text ON public.dunning_charges FOR EACH ROW WHEN ((old.search_text IS DISTINCT FROM new.search_text)) EXECUTE FUNCTION change_dunning_search_words('c');
CREATE TRIGGER search_words_removed AFTER DELETE ON public.dunning_charges FOR EACH ROW EXECUTE FUNCTION change_dunning_search_words('c');
CREATE TRIGGER search_words_added AFTER INSERT ON public.dunning_people REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_dunning_search_words('d');
CREATE TRIGGER search_words_changed AFTER UPDATE OF search_text ON public.dunning_people FOR EACH ROW WHEN ((old.search_text IS DISTINCT FROM new.search_text)) EXECUTE FUNCTION change_dunning_search_words('d');
CREATE TRIGGER search_words_removed AFTER DELETE ON public.dunning_people FOR EACH ROW EXECUTE FUNCTION change_dunning_search_words('d');
CREATE TRIGGER events_told AFTER INSERT ON public.events FOR EACH ROW WHEN ((kobana_workspace() IS NULL)) EXECUTE FUNCTION queue_webhook_events();
CREATE TRIGGER search_words_added AFTER INSERT ON public.financial_transactions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_search_words('t');
CREATE TRIGGER search_words_changed AFTER UPDATE OF search_text ON public.financial_transactions FOR EACH ROW WHEN ((old.search_text IS DISTINCT FROM new.search_text)) EXECUTE FUNCTION change_search_words('t');
CREATE TRIGGER search_words_removed AFTER DELETE ON public.financial_transactions FOR EACH ROW EXECUTE FUNCTION change_search_words('t');
CREATE TRIGGER search_words_added AFTER INSERT ON public.payables REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_search_words('p');
CREATE TRIGGER search_words_changed AFTER UPDATE OF search_text ON public.payables FOR EACH ROW WHEN ((old.search_text IS DISTINCT FROM new.search_text)) EXECUTE FUNCTION change_search_words('p');
CREATE TRIGGER search_words_removed AFTER DELETE ON public.payables FOR EACH ROW EXECUTE FUNCTION change_search_words('p');
CREATE TRIGGER search_words_added AFTER INSERT ON public.people REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_search_words('n');
CREATE TRIGGER search_words_changed AFTER UPDATE OF search_text ON public.people FOR EACH ROW WHEN ((old.search_text IS DISTINCT FROM new.search_text)) EXECUTE FUNCTION change_search_words('n');
CREATE TRIGGER search_words_removed AFTER DELETE ON public.people FOR EACH ROW EXECUTE FUNCTION change_search_words('n');
CREATE TRIGGER receivables_followed AFTER UPDATE ON public.receivables FOR EACH ROW WHEN ((((old.settled_cents)::bigint IS DISTINCT FROM (new.settled_cents)::bigint) OR (old.status IS DISTINCT FROM new.status) OR ((old.written_off_cents)::bigint IS DISTINCT FROM (new.written_off_cents)::bigint))) EXECUTE FUNCTION queue_linked_charge();
CREATE TRIGGER search_words_added AFTER INSERT ON public.receivables REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_search_words('r');
CREATE TRIGGER search_words_changed AFTER UPDATE OF search_text ON public.receivables FOR EACH ROW WHEN ((old.search_text IS DISTINCT FROM new.search_text)) EXECUTE FUNCTION change_search_words('r');
CREATE TRIGGER search_words_removed AFTER DELETE ON public.receivables FOR EACH ROW EXECUTE FUNCTION change_search_words('r');
grant insert, select on access_log to kobana_app;
grant delete, insert, select, update on account_balances to kobana_app;
grant delete, insert, select, update on approval_settings to kobana_app;
grant delete, insert, select, update on approvals to kobana_app;
grant delete, insert, select, update on attachment_contents to kobana_app;
grant delete, insert, select, update on attachment_links to kobana_app;
grant delete, insert, select, update on attachments to kobana_app;
grant delete, insert, select, update on attempts to kobana_app;
grant delete, insert, select, update on automatic_rules to kobana_app;
grant delete, insert, select, update on bank_commands to kobana_app;
grant delete, insert, select, update on bank_return_records to kobana_app;
grant delete, insert, select, update on bank_returns to kobana_app;
grant delete, insert, select, update on categories to kobana_app;
grant delete, insert, select, update on charge_deliveries to kobana_app;
grant delete, insert, select, update on charge_numbers to kobana_app;
grant delete, insert, select, update on charges to kobana_app;
grant delete, insert, select, update on companies to kobana_app;
grant delete, insert, select, update on connections to kobana_app;
grant delete, insert, select, update on controls to kobana_app;
grant delete, insert, select, update on cost_centers to kobana_app;
grant delete, insert, select, update on dda_boletos to kobana_app;
grant delete, insert, select, update on dunning_agreement_charges to kobana_app;
grant delete, insert, select, update on dunning_agreement_credits to kobana_app;
grant delete, insert, select, update on dunning_agreements to kobana_app;
grant delete, insert, select, update on dunning_campaigns to kobana_app;
grant delete, insert, select, update on dunning_charges to kobana_app;
grant delete, insert, select, update on dunning_collection_rules to kobana_app;
grant delete, insert, select, update on dunning_contact_slots to kobana_app;
grant delete, insert, select, update on dunning_contacts to kobana_app;
grant delete, insert, select, update on dunning_daily_runs to kobana_app;
grant delete, insert, select, update on dunning_dispute_comments to kobana_app;
grant delete, insert, select, update on dunning_disputes to kobana_app;
grant delete, insert, select, update on dunning_holds to kobana_app;
grant delete, insert, select, update on dunning_installments to kobana_app;
grant delete, insert, select, update on dunning_interactions to kobana_app;
grant delete, insert, select, update on dunning_legal_commands to kobana_app;
grant delete, insert, select, update on dunning_legal_events to kobana_app;
grant delete, insert, select, update on dunning_live_legal_actions to kobana_app;
grant delete, insert, select, update on dunning_negativations to kobana_app;
grant delete, insert, select, update on dunning_notification_charges to kobana_app;
grant delete, insert, select, update on dunning_notification_trail to kobana_app;
grant delete, insert, select, update on dunning_notifications to kobana_app;
grant delete, insert, select, update on dunning_payments to kobana_app;
grant delete, insert, select, update on dunning_people to kobana_app;
grant delete, insert, select, update on dunning_promises to kobana_app;
grant delete, insert, select, update on dunning_protests to kobana_app;
grant delete, insert, select, update on dunning_published_events to kobana_app;
grant delete, insert, select, update on dunning_receivable_links to kobana_app;
grant delete, insert, select, update on dunning_rule_steps to kobana_app;
grant delete, insert, select, update on dunning_search_words to kobana_app;
grant delete, insert, select, update on dunning_settings to kobana_app;
grant delete, insert, select, update on dunning_step_executions to kobana_app;
grant delete, insert, select, update on dunning_template_versions to kobana_app;
grant delete, insert, select, update on dunning_templates to kobana_app;
grant delete, insert, select, update on dunning_webhook_deliveries to kobana_app;
grant delete, insert, select, update on dunning_webhooks to kobana_app;
grant delete, insert, select, update on duplicate_receipts to kobana_app;
grant select on event_chains to kobana_app;
grant select on event_records to kobana_app;
grant select on events to kobana_app;
grant delete, insert, select, update on financial_accounts to kobana_app;
grant delete, insert, select, update on financial_transactions to kobana_app;
grant delete, insert, select, update on fiscal_documents to kobana_app;
grant delete, insert, select, update on idempotency_keys to kobana_app;
grant delete, insert, select, update on invitations to kobana_app;
grant delete, insert, select, update on memberships to kobana_app;
grant delete, insert, select, update on oauth_records to kobana_app;
grant delete, insert, select, update on organizations to kobana_app;
grant delete, insert, select, update on passkey_challenges to kobana_app;
grant delete, insert, select, update on passkeys to kobana_app;
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
grant delete, insert, select, update on sessions to kobana_app;
grant delete, insert, select, update on settlements to kobana_app;
grant delete, insert, select, update on statement_imports to kobana_app;
grant delete, insert, select, update on tokens to kobana_app;
grant delete, insert, select, update on transfers to kobana_app;
grant delete, insert, select, update on upload_links to kobana_app;
grant delete, insert, select, update on used_confirmations to kobana_app;
grant delete, insert, select, update on users to kobana_app;
grant delete, insert, select, update on workspaces to kobana_app;
