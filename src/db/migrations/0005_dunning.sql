-- Dunning, whole: debtors and their contacts, charges and payments, collection rules, messages, agreements, disputes,
-- legal actions, discount campaigns, webhooks. Everything belongs to an organization.

-- A UUID of version 7 for rows that one statement makes in great number.
create function uuid_v7() returns uuid language sql volatile parallel safe
as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
           placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
         52, 1), 53, 1), 'hex')::uuid
$$;

create table dunning_settings (
  organization_id uuid not null references organizations,
  -- Who the debts are owed to, as letters and messages name it: legal name, CNPJ, address, how to reach it.
  creditor jsonb not null default '{}',
  -- Fine, interest and discounts of charges that say nothing of their own.
  default_terms jsonb,
  payment_allocation text not null default 'interest_fine_principal'
    check (payment_allocation in ('interest_fine_principal', 'fine_interest_principal', 'interest_principal_fine')),
  interest_from text not null default 'original' check (interest_from in ('original', 'adjusted')),
  -- Narrower hours than the law's, by state.
  contact_windows jsonb not null default '{}',
  is_email_in_windows boolean not null default true,
  daily_cap_per_person integer not null default 1 check (daily_cap_per_person between 1 and 10),
  agreement_default_after_days integer not null default 15 check (agreement_default_after_days between 0 and 365),
  promise_grace_business_days integer not null default 1 check (promise_grace_business_days between 0 and 30),
  -- Days of prior notice by state (never fewer than the law's), least delay and amount, when a bureau forgets.
  legal jsonb not null default '{}',
  -- Channels in use, senders, caps of a channel, quiet hours, language.
  notification_preferences jsonb not null default '{}',
  -- Moves with whatever decides on contacts; each contact records the one that allowed it.
  policy_version integer not null default 1,
  updated_by uuid,
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id)
);

create table dunning_people (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  kind text not null check (kind in ('natural', 'legal')),
  document_number text,
  address jsonb,
  -- The state whose hours count; of the address unless said otherwise.
  state text check (state ~ '^[A-Z]{2}$'),
  is_consumer boolean not null,
  do_not_contact boolean not null default false,
  deceased boolean not null default false,
  language text not null default 'pt-BR' check (language in ('pt-BR', 'en')),
  external_id text,
  tags text[] not null default '{}',
  archived_at timestamptz,
  anonymized_at timestamptz,
  anonymized_basis text,
  -- Name, document and external id, lower-case without accents.
  search_text text not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id)
);
create unique index dunning_people_one_per_document on dunning_people (organization_id, document_number) where document_number is not null;
create unique index dunning_people_one_per_external_id on dunning_people (organization_id, external_id) where external_id is not null;
create index dunning_people_by_name on dunning_people (organization_id, name, id);
create index dunning_people_by_creation on dunning_people (organization_id, created_at, id);

create table dunning_contacts (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'phone', 'letter')),
  value text not null,
  -- What consent is kept for: e-mails in lower case, Brazilian numbers without the ninth digit.
  identity text not null,
  label text,
  is_primary boolean not null default false,
  consent text not null default 'unknown' check (consent in ('unknown', 'given', 'opted_out')),
  consent_changed_at timestamptz,
  validity text not null default 'unknown' check (validity in ('unknown', 'valid', 'bounced', 'wrong_person')),
  last_delivered_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references dunning_people,
  unique (organization_id, person_id, channel, identity)
);
create unique index dunning_contacts_one_primary on dunning_contacts (organization_id, person_id, channel) where is_primary;

create table dunning_collection_rules (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  description text,
  -- amount_min_cents, amount_max_cents, person_kind, tags.
  conditions jsonb not null default '{}',
  is_default boolean not null default false,
  active boolean not null default false,
  archived_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  check (not (active and archived_at is not null)),
  check (not (is_default and archived_at is not null))
);
create unique index dunning_collection_rules_one_default on dunning_collection_rules (organization_id) where is_default;
create index dunning_collection_rules_by_name on dunning_collection_rules (organization_id, name, id);
create index dunning_collection_rules_by_creation on dunning_collection_rules (organization_id, created_at, id);

create table dunning_templates (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'letter')),
  language text not null default 'pt-BR' check (language in ('pt-BR', 'en')),
  subject text,
  body text not null,
  -- The version of the text; a message keeps the one it was made of.
  text_version integer not null default 1,
  active boolean not null default true,
  archived_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  check ((channel = 'email') = (subject is not null))
);
create index dunning_templates_by_name on dunning_templates (organization_id, name, id);
create index dunning_templates_by_creation on dunning_templates (organization_id, created_at, id);

create table dunning_template_versions (
  organization_id uuid not null,
  template_id uuid not null,
  text_version integer not null,
  subject text,
  body text not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, template_id, text_version),
  foreign key (organization_id, template_id) references dunning_templates
);

create table dunning_rule_steps (
  organization_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  position integer not null check (position >= 0),
  -- Before the due date when negative; after it, counted from the adjusted due date, so that nobody is late too soon.
  offset_days integer not null check (offset_days between -365 and 1825),
  day_kind text not null check (day_kind in ('calendar', 'business')),
  -- In the state of the debtor.
  time_of_day time not null,
  action text not null check (action in ('message', 'task', 'suggest_negativation', 'suggest_protest')),
  channel text check (channel in ('email', 'sms', 'whatsapp', 'letter', 'phone')),
  template_id uuid,
  conditions jsonb not null default '{}',
  active boolean not null default true,
  -- A step that has run stays for its history.
  deleted_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, rule_id) references dunning_collection_rules,
  foreign key (organization_id, template_id) references dunning_templates,
  check ((action = 'message') = (template_id is not null)),
  check (action <> 'message' or channel is not null)
);
create index dunning_rule_steps_of_rule on dunning_rule_steps (organization_id, rule_id, offset_days, position);
create index dunning_rule_steps_of_template on dunning_rule_steps (organization_id, template_id) where template_id is not null;

create table dunning_charges (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  amount_cents cents not null check (amount_cents > 0),
  -- Taken off by a dispute or another decision; fine and interest run on what is left.
  abatement_cents cents not null default 0 check (abatement_cents >= 0),
  -- What is left of the principal; kept by replaying the payments.
  open_cents cents not null check (open_cents >= 0),
  -- Where the replay of the payments stands after the last one, for sums over many charges; null before any.
  ledger jsonb,
  due_date date not null,
  adjusted_due_date date not null,
  description text not null,
  document_number text,
  title_kind text,
  terms jsonb,
  payment_options jsonb not null default '{}',
  status text not null check (status in ('pending', 'overdue', 'in_agreement', 'paid', 'canceled')),
  paid_on date,
  canceled_reason text,
  collection_rule_id uuid,
  -- Steps whose moment is before this never fire.
  rule_started_at timestamptz,
  -- Counts up when the charge opens again, so that its steps may run again.
  rule_cycle integer not null default 1 check (rule_cycle > 0),
  dunning_state text not null default 'none' check (dunning_state in ('none', 'active', 'paused', 'completed')),
  paused_reason text check (paused_reason in ('manual', 'dispute', 'promise', 'agreement', 'legal', 'contact')),
  agreement_id uuid,
  -- The live legal action on it.
  legal_kind text check (legal_kind in ('negativation', 'protest')),
  is_disputed boolean not null default false,
  archived_at timestamptz,
  external_id text,
  source text not null default 'api' check (source in ('api', 'finance', 'import')),
  -- The receivable it stands for, when it comes from finance.
  finance_workspace_id uuid,
  finance_receivable_id uuid,
  tags text[] not null default '{}',
  -- Description, document number and external id, lower-case without accents.
  search_text text not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references dunning_people,
  foreign key (organization_id, collection_rule_id) references dunning_collection_rules,
  check (abatement_cents <= amount_cents and open_cents <= amount_cents - abatement_cents),
  check ((dunning_state = 'paused') = (paused_reason is not null)),
  check (collection_rule_id is null or rule_started_at is not null),
  check ((finance_workspace_id is null) = (finance_receivable_id is null))
);
create unique index dunning_charges_one_per_external_id on dunning_charges (organization_id, external_id) where external_id is not null;
create unique index dunning_charges_one_per_receivable on dunning_charges (organization_id, finance_receivable_id) where finance_receivable_id is not null;
create index dunning_charges_by_due_date on dunning_charges (organization_id, due_date, id);
create index dunning_charges_of_person on dunning_charges (organization_id, person_id, due_date, id);
create index dunning_charges_by_status on dunning_charges (organization_id, status, due_date, id);
create index dunning_charges_by_creation on dunning_charges (organization_id, created_at, id);
create index dunning_charges_by_amount on dunning_charges (organization_id, amount_cents, id);
-- What the daily run flips, and what it plans before and after the due date.
create index dunning_charges_to_flip on dunning_charges (organization_id, adjusted_due_date) where status = 'pending';
create index dunning_charges_before_due on dunning_charges (organization_id, collection_rule_id, due_date) where dunning_state = 'active';
create index dunning_charges_after_due on dunning_charges (organization_id, collection_rule_id, adjusted_due_date) where dunning_state = 'active';
-- Portfolio sums without touching the table.
create index dunning_charges_still_open on dunning_charges (organization_id, adjusted_due_date)
  include (status, open_cents, is_disputed, legal_kind, person_id, collection_rule_id) where status in ('pending', 'overdue', 'in_agreement');

-- Why a charge is held; it moves on when the last reason goes.
create table dunning_holds (
  organization_id uuid not null,
  charge_id uuid not null,
  reason text not null check (reason in ('manual', 'dispute', 'promise', 'agreement', 'legal', 'contact')),
  -- The dispute, promise, agreement or action; the charge itself for a manual one.
  source_id uuid not null,
  -- The last day it holds; null while nobody lifts it.
  until date,
  note text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, charge_id, reason, source_id),
  foreign key (organization_id, charge_id) references dunning_charges on delete cascade
);
create index dunning_holds_to_lift on dunning_holds (organization_id, until) where until is not null;
create index dunning_holds_of_source on dunning_holds (organization_id, source_id);

create table dunning_campaigns (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  notes text,
  starts_on date not null,
  ends_on date not null,
  -- days_overdue_from, days_overdue_to, amount_min_cents, amount_max_cents, tags.
  conditions jsonb not null,
  -- installments_up_to, discount_percent, applies_to: charges (fine and interest) or principal.
  tiers jsonb not null,
  status text not null check (status in ('scheduled', 'active', 'ended')),
  ended_at timestamptz,
  ended_reason text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  check (starts_on <= ends_on)
);
create index dunning_campaigns_by_creation on dunning_campaigns (organization_id, created_at, id);

create table dunning_agreements (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  status text not null check (status in ('proposed', 'accepted', 'active', 'completed', 'rejected', 'expired', 'canceled', 'broken')),
  -- The day for which the debt was reckoned.
  as_of date not null,
  original_total_cents cents not null check (original_total_cents > 0),
  discount_cents cents not null check (discount_cents >= 0),
  negotiated_total_cents cents not null check (negotiated_total_cents > 0),
  valid_until date not null,
  default_after_days integer not null check (default_after_days >= 0),
  campaign_id uuid,
  notes text,
  sent_at timestamptz,
  accepted_at timestamptz,
  accepted_by text,
  evidence text,
  ended_at timestamptz,
  ended_by text check (ended_by in ('debtor', 'creditor', 'time')),
  ended_reason text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references dunning_people,
  foreign key (organization_id, campaign_id) references dunning_campaigns,
  check (negotiated_total_cents = original_total_cents - discount_cents)
);
create index dunning_agreements_of_person on dunning_agreements (organization_id, person_id, created_at, id);
create index dunning_agreements_by_status on dunning_agreements (organization_id, status, created_at, id);
create index dunning_agreements_by_creation on dunning_agreements (organization_id, created_at, id);
create index dunning_agreements_of_campaign on dunning_agreements (organization_id, campaign_id) where campaign_id is not null;
alter table dunning_charges add foreign key (organization_id, agreement_id) references dunning_agreements;
create index dunning_charges_of_agreement on dunning_charges (organization_id, agreement_id) where agreement_id is not null;

-- The debt of each charge as it was when the proposal was made: principal, interest, fine, and its part of the discount.
create table dunning_agreement_charges (
  organization_id uuid not null,
  agreement_id uuid not null,
  charge_id uuid not null,
  principal_cents cents not null check (principal_cents >= 0),
  interest_cents cents not null check (interest_cents >= 0),
  fine_cents cents not null check (fine_cents >= 0),
  discount_cents cents not null check (discount_cents >= 0),
  -- From acceptance until the agreement ends.
  is_live boolean not null default false,
  primary key (organization_id, agreement_id, charge_id),
  foreign key (organization_id, agreement_id) references dunning_agreements on delete cascade,
  foreign key (organization_id, charge_id) references dunning_charges
);
create unique index dunning_agreement_charges_one_live on dunning_agreement_charges (organization_id, charge_id) where is_live;
create index dunning_agreement_charges_of_charge on dunning_agreement_charges (organization_id, charge_id);

create table dunning_installments (
  organization_id uuid not null,
  id uuid not null,
  agreement_id uuid not null,
  number integer not null check (number > 0),
  due_date date not null,
  adjusted_due_date date not null,
  amount_cents cents not null check (amount_cents > 0),
  paid_cents cents not null default 0 check (paid_cents between 0 and amount_cents),
  paid_on date,
  status text not null check (status in ('open', 'paid', 'canceled')),
  primary key (organization_id, id),
  foreign key (organization_id, agreement_id) references dunning_agreements on delete cascade,
  unique (organization_id, agreement_id, number)
);
create index dunning_installments_late on dunning_installments (organization_id, adjusted_due_date) where status = 'open';

create table dunning_payments (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  charge_id uuid,
  agreement_id uuid,
  installment_id uuid,
  amount_cents cents not null check (amount_cents > 0),
  -- The debtor's day, the day it counts from, the day the money was there.
  paid_on date not null,
  effective_on date not null,
  credited_on date,
  method text not null check (method in ('boleto', 'pix', 'card', 'transfer', 'cash', 'notary', 'other')),
  fee_cents cents not null default 0 check (fee_cents >= 0),
  -- How the money was used: amount = principal - discount + interest + fine + excess.
  principal_cents cents not null default 0 check (principal_cents >= 0),
  discount_cents cents not null default 0 check (discount_cents >= 0),
  interest_cents cents not null default 0 check (interest_cents >= 0),
  fine_cents cents not null default 0 check (fine_cents >= 0),
  excess_cents cents not null default 0 check (excess_cents >= 0),
  external_id text,
  end_to_end_id text,
  payer jsonb,
  kind text not null check (kind in ('regular', 'duplicate', 'excess')),
  -- Duplicates and excess ask for a refund.
  needs_refund boolean not null default false,
  status text not null default 'confirmed' check (status in ('confirmed', 'reversed')),
  reversed_at timestamptz,
  reversed_reason text,
  -- The last message delivered in the seven days before, for the metrics.
  channel text,
  notification_id uuid,
  step_id uuid,
  -- Executions done before the first payment of the charge; null for later ones.
  steps_before integer,
  -- Money after the adjusted due date, without excess; null when the payment was in time. Days late as metrics count them.
  recovered_cents bigint,
  days_overdue integer,
  source text not null default 'api' check (source in ('api', 'finance', 'notary', 'import')),
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references dunning_people,
  foreign key (organization_id, charge_id) references dunning_charges,
  foreign key (organization_id, agreement_id) references dunning_agreements,
  foreign key (organization_id, installment_id) references dunning_installments,
  check ((charge_id is null) = (installment_id is not null)),
  check ((agreement_id is null) = (installment_id is null)),
  check (amount_cents = principal_cents - discount_cents + interest_cents + fine_cents + excess_cents)
);
create unique index dunning_payments_one_per_external_id on dunning_payments (organization_id, external_id) where external_id is not null;
create unique index dunning_payments_one_per_end_to_end_id on dunning_payments (organization_id, end_to_end_id) where end_to_end_id is not null;
create index dunning_payments_of_charge on dunning_payments (organization_id, charge_id, paid_on, id) where charge_id is not null;
create index dunning_payments_of_agreement on dunning_payments (organization_id, agreement_id, paid_on, id) where agreement_id is not null;
create index dunning_payments_of_person on dunning_payments (organization_id, person_id, paid_on, id);
create index dunning_payments_by_date on dunning_payments (organization_id, paid_on, id);
create index dunning_payments_by_creation on dunning_payments (organization_id, created_at, id);
create index dunning_payments_recovered on dunning_payments (organization_id, paid_on)
  include (recovered_cents, principal_cents, days_overdue, steps_before, method, channel)
  where status = 'confirmed' and recovered_cents is not null;

-- What payments of an agreement's installments are worth on its charges: written when it completes or ends early.
create table dunning_agreement_credits (
  organization_id uuid not null,
  id uuid not null,
  agreement_id uuid not null,
  charge_id uuid not null,
  -- Null for the discount that the completed agreement gives.
  payment_id uuid,
  credited_on date not null,
  amount_cents cents not null check (amount_cents >= 0),
  discount_cents cents not null default 0 check (discount_cents >= 0),
  primary key (organization_id, id),
  foreign key (organization_id, agreement_id) references dunning_agreements,
  foreign key (organization_id, charge_id) references dunning_charges,
  foreign key (organization_id, payment_id) references dunning_payments
);
create index dunning_agreement_credits_of_charge on dunning_agreement_credits (organization_id, charge_id, credited_on);

create table dunning_notifications (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  -- The charge it is about; several are in `dunning_notification_charges`, and this is the first.
  charge_id uuid,
  charge_count integer not null default 1,
  agreement_id uuid,
  -- The report to a credit bureau that this announces.
  negativation_id uuid,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'letter')),
  -- Chosen when it is sent, when nobody chose before.
  contact_id uuid,
  template_id uuid,
  template_version integer,
  -- Text of its own instead of a template.
  own_subject text,
  own_body text,
  -- Subject and body as they were sent.
  rendered jsonb,
  trigger text not null check (trigger in ('rule', 'manual', 'resend', 'agreement', 'prior_notice')),
  -- The day's step it came from, or the message it repeats.
  execution_id uuid,
  resent_from uuid,
  scheduled_for timestamptz not null,
  status text not null check (status in ('scheduled', 'queued', 'sent', 'delivered', 'read', 'failed', 'bounced', 'canceled', 'skipped')),
  status_reason text,
  -- Who carries it, by what name it is known there, and when a process took it to send.
  provider text,
  provider_id text,
  claimed_at timestamptz,
  claim_id uuid,
  policy_version text,
  queued_at timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references dunning_people
);
create index dunning_notifications_of_person on dunning_notifications (organization_id, person_id, created_at, id);
create index dunning_notifications_of_charge on dunning_notifications (organization_id, charge_id, created_at) where charge_id is not null;
create index dunning_notifications_by_creation on dunning_notifications (organization_id, created_at, id);
-- What the sender looks for.
create index dunning_notifications_to_send on dunning_notifications (organization_id, scheduled_for, id) where status in ('scheduled', 'queued');
create index dunning_notifications_at_provider on dunning_notifications (organization_id, provider, provider_id) where provider_id is not null;
create unique index dunning_notifications_one_per_execution on dunning_notifications (organization_id, execution_id) where execution_id is not null;

-- The charges of a message about more than one.
create table dunning_notification_charges (
  organization_id uuid not null,
  notification_id uuid not null,
  charge_id uuid not null,
  primary key (organization_id, notification_id, charge_id),
  foreign key (organization_id, notification_id) references dunning_notifications on delete cascade
);
create index dunning_notification_charges_of_charge on dunning_notification_charges (organization_id, charge_id);

-- What happened to a message, as it was told; late answers are kept and move nothing backwards.
create table dunning_notification_trail (
  organization_id uuid not null,
  notification_id uuid not null,
  position integer not null,
  at timestamptz not null,
  status text not null,
  detail text,
  -- The provider's own name of the report: told twice, kept once.
  report_id text,
  primary key (organization_id, notification_id, position),
  foreign key (organization_id, notification_id) references dunning_notifications on delete cascade,
  unique (organization_id, notification_id, report_id)
);

-- One row for each message of a day to one person: the key is the cap, whatever runs at once.
create table dunning_contact_slots (
  organization_id uuid not null,
  person_id uuid not null,
  contact_on date not null,
  ordinal integer not null check (ordinal > 0),
  notification_id uuid not null,
  channel text not null,
  policy_version text not null,
  taken_at timestamptz not null,
  primary key (organization_id, person_id, contact_on, ordinal)
);
create index dunning_contact_slots_of_notification on dunning_contact_slots (organization_id, notification_id);

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
  -- The day the step falls on, and the moment it may run: moved to when the debtor may be contacted.
  step_on date not null,
  due_at timestamptz not null,
  moves integer not null default 0,
  status text not null check (status in ('scheduled', 'done', 'skipped', 'failed')),
  skipped_reason text,
  notification_id uuid,
  policy_version text,
  done_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, charge_id) references dunning_charges,
  foreign key (organization_id, step_id) references dunning_rule_steps,
  unique (organization_id, charge_id, step_id, cycle)
);
create index dunning_step_executions_due on dunning_step_executions (organization_id, due_at, id) where status = 'scheduled';
create index dunning_step_executions_by_date on dunning_step_executions (organization_id, step_on, id);

-- The days whose steps are planned already, so that a day is planned once and a missed one is made up for.
create table dunning_daily_runs (
  organization_id uuid not null,
  run_on date not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  flipped integer not null default 0,
  planned integer not null default 0,
  primary key (organization_id, run_on)
);

create table dunning_interactions (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  charge_ids uuid[] not null default '{}',
  kind text not null check (kind in ('call', 'message', 'visit', 'note', 'email_reply')),
  direction text not null check (direction in ('inbound', 'outbound', 'internal')),
  outcome text not null,
  summary text not null,
  occurred_at timestamptz not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references dunning_people
);
create index dunning_interactions_of_person on dunning_interactions (organization_id, person_id, occurred_at, id);
create index dunning_interactions_by_time on dunning_interactions (organization_id, occurred_at, id);

create table dunning_promises (
  organization_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  charge_ids uuid[] not null,
  amount_cents cents not null check (amount_cents > 0),
  promised_for date not null,
  -- The day on which it was made: what is paid from then on counts.
  promised_on date not null,
  -- The last day on which it can be kept.
  keep_until date not null,
  channel text,
  status text not null check (status in ('open', 'kept', 'broken', 'canceled')),
  paid_cents cents not null default 0,
  ended_at timestamptz,
  ended_reason text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references dunning_people
);
create index dunning_promises_of_person on dunning_promises (organization_id, person_id, promised_for, id);
create index dunning_promises_by_creation on dunning_promises (organization_id, created_at, id);
create index dunning_promises_to_judge on dunning_promises (organization_id, keep_until) where status = 'open';

create table dunning_disputes (
  organization_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  person_id uuid not null,
  reason text not null check (reason in ('not_recognized', 'already_paid', 'wrong_amount', 'not_delivered', 'quality', 'fraud', 'other')),
  description text not null,
  disputed_cents bigint check (disputed_cents > 0),
  status text not null check (status in ('open', 'under_review', 'upheld', 'partially_upheld', 'dismissed', 'withdrawn')),
  resolution text,
  adjusted_cents bigint check (adjusted_cents >= 0),
  resolved_by uuid,
  resolved_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, charge_id) references dunning_charges,
  foreign key (organization_id, person_id) references dunning_people
);
create unique index dunning_disputes_one_open on dunning_disputes (organization_id, charge_id) where status in ('open', 'under_review');
create index dunning_disputes_of_charge on dunning_disputes (organization_id, charge_id);
create index dunning_disputes_of_person on dunning_disputes (organization_id, person_id, created_at, id);
create index dunning_disputes_by_creation on dunning_disputes (organization_id, created_at, id);

create table dunning_dispute_comments (
  organization_id uuid not null,
  id uuid not null,
  dispute_id uuid not null,
  body text not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, dispute_id) references dunning_disputes on delete cascade
);
create index dunning_dispute_comments_of_dispute on dunning_dispute_comments (organization_id, dispute_id, created_at, id);

-- The one live legal action of a charge, whatever its kind: the key is the rule.
create table dunning_live_legal_actions (
  organization_id uuid not null,
  charge_id uuid not null,
  kind text not null check (kind in ('negativation', 'protest')),
  action_id uuid not null,
  primary key (organization_id, charge_id),
  foreign key (organization_id, charge_id) references dunning_charges
);

create table dunning_negativations (
  organization_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  person_id uuid not null,
  bureau text not null check (bureau in ('serasa', 'spc', 'quod', 'boavista')),
  -- Frozen when it was asked for.
  amount_cents cents not null check (amount_cents > 0),
  debt_due_date date not null,
  reason text,
  status text not null check (status in ('pending', 'approved', 'notice_sent', 'registered', 'removal_requested', 'removed', 'rejected', 'canceled', 'failed')),
  status_reason text,
  requested_by uuid not null,
  approved_by uuid,
  decided_at timestamptz,
  decision_note text,
  -- Channel, message, when it was sent and delivered, evidence, waiting days, the day the wait ends.
  prior_notice jsonb,
  -- The last day of waiting, null until the notice is delivered; it may be registered from the day after.
  waits_until date,
  registered_at timestamptz,
  expires_on date not null,
  -- When removal was asked, why, by when it is due, when it was done.
  removal jsonb,
  removal_deadline date,
  bureau_reference text,
  policy_version text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, charge_id) references dunning_charges,
  foreign key (organization_id, person_id) references dunning_people,
  check (approved_by <> requested_by)
);
create index dunning_negativations_of_charge on dunning_negativations (organization_id, charge_id);
create index dunning_negativations_of_person on dunning_negativations (organization_id, person_id, created_at, id);
create index dunning_negativations_by_status on dunning_negativations (organization_id, status, created_at, id);
create index dunning_negativations_by_creation on dunning_negativations (organization_id, created_at, id);

create table dunning_protests (
  organization_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  person_id uuid not null,
  title_kind text not null,
  amount_cents cents not null check (amount_cents > 0),
  debt_due_date date not null,
  -- Proof of the debt: name, type and digest of the file, and its bytes.
  document_name text,
  document_content_type text,
  document_sha256 bytea,
  document_bytes bytea,
  status text not null check (status in ('pending', 'approved', 'sent', 'protocoled', 'notified', 'protested', 'cancellation_authorized', 'canceled', 'rejected', 'returned', 'paid_at_notary', 'withdrawn', 'suspended')),
  status_reason text,
  requested_by uuid not null,
  approved_by uuid,
  decided_at timestamptz,
  decision_note text,
  -- Name, city, state.
  notary jsonb,
  protocol text,
  protocoled_on date,
  notified_on date,
  notice_kind text check (notice_kind in ('letter', 'electronic', 'edict')),
  deadline_on date,
  protested_on date,
  -- Amount, paid_by.
  costs jsonb,
  notary_reference text,
  policy_version text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, charge_id) references dunning_charges,
  foreign key (organization_id, person_id) references dunning_people,
  check (approved_by <> requested_by)
);
create index dunning_protests_of_charge on dunning_protests (organization_id, charge_id);
create index dunning_protests_of_person on dunning_protests (organization_id, person_id, created_at, id);
create index dunning_protests_by_status on dunning_protests (organization_id, status, created_at, id);
create index dunning_protests_by_creation on dunning_protests (organization_id, created_at, id);

-- What happened to a report or a protest, as the bureau, the notary or a person told it.
create table dunning_legal_events (
  organization_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('negativation', 'protest')),
  action_id uuid not null,
  at timestamptz not null,
  event text not null,
  details jsonb not null default '{}',
  -- The other side's own name of the answer: told twice, kept once.
  report_id text,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, action_id, report_id)
);
create index dunning_legal_events_of_action on dunning_legal_events (organization_id, action_id, at, id);

-- What a bureau or a notary was asked to do; stored before it is sent, sent under its own key.
create table dunning_legal_commands (
  organization_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('negativation', 'protest')),
  action_id uuid not null,
  command text not null check (command in ('register', 'remove', 'send', 'withdraw', 'authorize_cancellation')),
  status text not null check (status in ('pending', 'requested', 'confirmed', 'rejected', 'failed', 'unknown')),
  attempts integer not null default 0,
  request jsonb not null,
  answer jsonb,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index dunning_legal_commands_of_action on dunning_legal_commands (organization_id, action_id, created_at);
create unique index dunning_legal_commands_one_live on dunning_legal_commands (organization_id, action_id, command)
  where status in ('pending', 'requested', 'unknown');

create table dunning_webhooks (
  organization_id uuid not null references organizations,
  id uuid not null,
  url text not null,
  events text[] not null,
  description text,
  active boolean not null default true,
  -- Needed to sign, so it is kept; shown once.
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id)
);
create index dunning_webhooks_by_creation on dunning_webhooks (organization_id, created_at, id);

create table dunning_webhook_deliveries (
  organization_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event text not null,
  -- What it tells of, once for each webhook: the place in the audit chain, or the run that made it.
  event_key text not null,
  resource_kind text,
  resource_id uuid,
  -- The body as it is signed and sent.
  payload text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  -- At, url, status code, what came back, how long it took.
  attempts jsonb not null default '[]',
  next_attempt_at timestamptz,
  claimed_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, webhook_id) references dunning_webhooks on delete cascade,
  unique (organization_id, webhook_id, event_key)
);
create index dunning_webhook_deliveries_due on dunning_webhook_deliveries (organization_id, next_attempt_at) where status = 'pending';
create index dunning_webhook_deliveries_by_creation on dunning_webhook_deliveries (organization_id, created_at, id);

-- How far the audit chain has been told to webhooks.
create table dunning_published_events (
  organization_id uuid not null references organizations,
  position bigint not null,
  primary key (organization_id)
);

-- Every event of an organization's chain is told to its webhooks, if it has any.
create function queue_webhook_events() returns trigger language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if exists (select 1 from dunning_webhooks where organization_id = new.tenant_id and active) then
    perform enqueue_job('dunning_publish_events', json_build_object('organizationId', new.tenant_id), null,
                        'dunning_publish_events/' || new.tenant_id);
  end if;
  return null;
end $$;
create trigger events_told after insert on events for each row
  when (kobana_workspace() is null) execute function queue_webhook_events();

-- Which charge stands for a receivable: of the workspace's side, so that finance is heard without knowing dunning.
create table dunning_receivable_links (
  workspace_id uuid not null,
  receivable_id uuid not null,
  organization_id uuid not null,
  charge_id uuid not null,
  primary key (workspace_id, receivable_id),
  foreign key (workspace_id, receivable_id) references receivables on delete cascade
);

create function queue_linked_charge() returns trigger language plpgsql security definer set search_path = pg_catalog, public as $$
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
end $$;
create trigger receivables_followed after update on receivables for each row
  when (old.settled_cents is distinct from new.settled_cents or old.status is distinct from new.status
        or old.written_off_cents is distinct from new.written_off_cents)
  execute function queue_linked_charge();

-- Words of debtors and charges, as `search_words` keeps them for finance.
create table dunning_search_words (
  organization_id uuid not null,
  -- d: debtors, c: charges.
  kind "char" not null,
  word text collate "C" not null,
  record_id uuid not null,
  primary key (organization_id, kind, word, record_id)
);

create function add_dunning_search_words() returns trigger language plpgsql as $$
begin
  insert into dunning_search_words (organization_id, kind, word, record_id)
    select added.organization_id, tg_argv[0]::"char", word, added.id from added, words_of(added.search_text) word;
  return null;
end $$;

create function change_dunning_search_words() returns trigger language plpgsql as $$
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
end $$;

do $$
declare
  the_table text;
  the_kind text;
begin
  foreach the_table in array array['dunning_people', 'dunning_charges'] loop
    the_kind := case the_table when 'dunning_people' then 'd' else 'c' end;
    execute format('create trigger search_words_added after insert on %I referencing new table as added
                    for each statement execute function add_dunning_search_words(%L)', the_table, the_kind);
    execute format('create trigger search_words_changed after update of search_text on %I
                    for each row when (old.search_text is distinct from new.search_text)
                    execute function change_dunning_search_words(%L)', the_table, the_kind);
    execute format('create trigger search_words_removed after delete on %I
                    for each row execute function change_dunning_search_words(%L)', the_table, the_kind);
  end loop;
end $$;
