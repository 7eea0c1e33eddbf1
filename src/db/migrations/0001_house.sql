-- Identity, audit, confirmations and idempotency: what every product stands on.

create function kobana_workspace() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('kobana.workspace_id', true), '')::uuid $$;
create function kobana_organization() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('kobana.organization_id', true), '')::uuid $$;

-- Identity belongs to no tenant: a person may reach several organizations.
create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  locale text not null default 'pt-BR' check (locale in ('pt-BR', 'en')),
  created_at timestamptz not null default now()
);

create table organizations (
  id uuid primary key,
  name text not null,
  time_zone text not null default 'America/Sao_Paulo',
  created_at timestamptz not null default now()
);

create table workspaces (
  organization_id uuid not null references organizations,
  id uuid not null unique,
  name text not null,
  time_zone text not null default 'America/Sao_Paulo',
  -- Rules of the workspace that operations ask for, such as who approves.
  settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);

-- A membership without workspace counts in all of them, and in the organization itself.
create table memberships (
  organization_id uuid not null references organizations,
  user_id uuid not null references users,
  workspace_id uuid,
  role text not null check (role in ('owner', 'admin', 'finance', 'collections', 'accountant', 'viewer')),
  created_at timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references workspaces,
  unique nulls not distinct (organization_id, user_id, workspace_id)
);
create index memberships_of_user on memberships (user_id);

create table tokens (
  id uuid primary key,
  -- SHA-256 of the token: it is shown once and never stored.
  secret_hash bytea not null unique,
  name text not null,
  user_id uuid not null references users,
  organization_id uuid not null references organizations,
  product text not null check (product in ('finance', 'dunning')),
  access text not null check (access in ('read', 'write')),
  -- The connecting application; confirmations are bound to it, not to the token.
  client_id text not null,
  workspace_id uuid,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references workspaces
);
create index tokens_of_user on tokens (user_id);

-- The audit chain. `body` is the exact text that was hashed; `hash` covers it and the hash before it.
create table event_chains (
  tenant_id uuid primary key,
  position bigint not null,
  hash bytea not null
);
create table events (
  tenant_id uuid not null,
  position bigint not null,
  at timestamptz not null,
  operation text not null,
  actor_id uuid not null,
  body text not null,
  hash bytea not null,
  primary key (tenant_id, position)
);
create index events_by_time on events (tenant_id, at desc);

-- Appends to the chain of a tenant: the only way in, because the application role may only read these tables. The row
-- of `event_chains` is the lock that puts appends in order.
create function append_event(the_tenant uuid, the_at timestamptz, the_operation text, the_actor uuid, the_body text)
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
  return next_position;
end $$;

-- Every call, also the ones that changed nothing: reads, questions, refusals. Written in batches; ids go with time.
create table access_log (
  organization_id uuid not null,
  id bigint generated always as identity,
  at timestamptz not null,
  workspace_id uuid,
  user_id uuid not null,
  token_id uuid,
  client_id text not null,
  surface text not null,
  operation text not null,
  outcome text not null,
  arguments_digest text,
  duration_ms real not null,
  primary key (organization_id, id)
);

create table used_confirmations (
  organization_id uuid not null,
  id text not null,
  status text not null check (status in ('used', 'failed', 'declined')),
  workspace_id uuid,
  user_id uuid not null,
  client_id text not null,
  operation text not null,
  arguments_digest text not null,
  error_code text,
  used_at timestamptz not null,
  primary key (organization_id, id)
);
create index used_confirmations_of_action on used_confirmations (organization_id, user_id, operation, arguments_digest, used_at);

create table idempotency_keys (
  tenant_id uuid not null,
  user_id uuid not null,
  operation text not null,
  key text not null,
  arguments_digest text not null,
  -- Null only while the transaction that reserved the key runs.
  answer text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id, operation, key)
);

-- Jobs are queued by the application role, whose rights end at this function.
create function enqueue_job(task text, payload json, run_at timestamptz, job_key text)
  returns void language sql security definer set search_path = pg_catalog, public as $$
  select graphile_worker.add_job(task, payload, run_at => coalesce(run_at, now()), job_key => job_key, max_attempts => 20)
$$;
