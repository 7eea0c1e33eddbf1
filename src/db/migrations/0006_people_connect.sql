-- How people come in (passwords, passkeys, sessions, invitations), how their clients do (connections and what the
-- authorization server keeps), what waits for a person's yes (approvals), and what a workspace lets happen (controls).

-- scrypt, with its parameters and salt in the text; null until the person has chosen a password.
alter table users add column password_hash text;

create table passkeys (
  -- The credential id as base64url, which the authenticator chose.
  id text primary key,
  user_id uuid not null references users,
  name text not null,
  public_key bytea not null,
  -- What the authenticator counted; one that goes backwards may be a copy.
  sign_count bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id);

create table sessions (
  id uuid primary key,
  -- SHA-256 of the cookie, which is stored nowhere else.
  secret_hash bytea not null unique,
  user_id uuid not null references users,
  organization_id uuid not null references organizations,
  -- When and how the person last proved to be there; acting on what is dear needs it to be fresh.
  verified_at timestamptz not null,
  verified_with text not null check (verified_with in ('password', 'passkey')),
  -- What that proof was given for, such as one approval; null: for being here.
  verified_for text,
  user_agent text not null default '',
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

-- A link that lets its holder choose a password, once: how somebody who was invited comes in, and how the command line
-- lets the first owner in.
create table invitations (
  id uuid primary key,
  secret_hash bytea not null unique,
  user_id uuid not null references users,
  organization_id uuid not null references organizations,
  -- Null: made on the command line.
  invited_by uuid references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index invitations_of_user on invitations (user_id);

-- What a passkey has to sign, once.
create table passkey_challenges (
  id uuid primary key,
  purpose text not null check (purpose in ('register', 'sign_in', 'verify')),
  user_id uuid references users,
  challenge text not null,
  expires_at timestamptz not null
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

-- Counts attempts in windows of time, for every process together: signing in, registering clients.
create table attempts (
  -- What is counted, such as `sign_in:address`, and a keyed digest of whose it is.
  kind text not null,
  subject bytea not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (kind, subject, window_start)
);
create index attempts_by_time on attempts (window_start);

-- A client that somebody let in: which person, organization, product, access level and workspace. Its tokens come and go.
create table connections (
  id uuid primary key,
  -- The grant of the authorization server.
  grant_id text not null unique,
  user_id uuid not null references users,
  organization_id uuid not null references organizations,
  product text not null check (product in ('finance', 'dunning')),
  access text not null check (access in ('read', 'write')),
  workspace_id uuid,
  client_id text not null,
  client_name text not null,
  -- The host that vouches for the name (its metadata document), or the one answers go to.
  client_host text not null,
  is_verified boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by uuid references users,
  last_used_at timestamptz,
  foreign key (organization_id, workspace_id) references workspaces
);
create index connections_of_user on connections (user_id, organization_id);
create index connections_of_organization on connections (organization_id, created_at desc);
-- How a client calls itself, for records that name it by its id.
create index connections_of_client on connections (organization_id, client_id, created_at desc);

alter table tokens add column connection_id uuid references connections;
create index tokens_of_connection on tokens (connection_id) where connection_id is not null;
create index tokens_by_expiry on tokens (expires_at);
-- A program holds it: destructive operations run over REST without a question, under an idempotency key.
alter table tokens add column is_for_programs boolean not null default false;

-- What the authorization server keeps, by model; ids are stored as SHA-256, so the table holds no credential.
create table oauth_records (
  model text not null,
  id_hash bytea not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  consumed_at timestamptz,
  expires_at timestamptz,
  primary key (model, id_hash)
);
create index oauth_records_of_grant on oauth_records (grant_id) where grant_id is not null;
create index oauth_records_of_uid on oauth_records (model, uid) where uid is not null;
create index oauth_records_by_expiry on oauth_records (expires_at) where expires_at is not null;

-- What a workspace (finance) or an organization (dunning) lets happen; no row means the defaults.
create table controls (
  tenant_id uuid primary key,
  organization_id uuid not null references organizations,
  -- Whether a call that could not be confirmed may wait for a person's yes in the console.
  approvals_enabled boolean not null default false,
  approval_hours integer not null default 24 check (approval_hours between 1 and 168),
  -- From this amount on, a second person has to say yes; null: never.
  second_person_from_cents bigint check (second_person_from_cents >= 0),
  -- While set, nothing destructive runs.
  frozen_at timestamptz,
  frozen_by uuid references users,
  freeze_reason text,
  updated_at timestamptz not null
);

-- A destructive call that waits for a person, with the arguments it will run with.
create table approvals (
  tenant_id uuid not null,
  id uuid not null,
  organization_id uuid not null references organizations,
  workspace_id uuid,
  product text not null check (product in ('finance', 'dunning')),
  operation text not null,
  arguments jsonb not null,
  arguments_digest text not null,
  reason text not null check (reason in ('client_cannot_ask', 'second_person')),
  -- The question as it was when the call came, in the language of who asked.
  question text not null,
  amount_cents bigint,
  requested_by uuid not null references users,
  token_id uuid references tokens,
  client_id text not null,
  surface text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  status text not null default 'pending' check (status in ('pending', 'done', 'failed', 'declined', 'expired')),
  decided_by uuid references users,
  decided_at timestamptz,
  decided_with text check (decided_with in ('password', 'passkey')),
  decline_reason text,
  answer jsonb,
  error jsonb,
  primary key (tenant_id, id),
  check ((status = 'pending') = (decided_at is null))
);
create index approvals_by_time on approvals (tenant_id, requested_at desc, id desc);
-- The same call asked twice waits once.
create unique index approvals_waiting on approvals (tenant_id, requested_by, operation, arguments_digest)
  where status = 'pending';
