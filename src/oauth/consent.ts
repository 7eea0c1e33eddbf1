/** A person allows or refuses what a client asked for. The one who decides is the one signed in to the console. */

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interaction, Provider } from 'oidc-provider';
import { type AccessLevel, type Caller, type Product, scopesAnywhere } from '../core/caller.ts';
import { digestOf } from '../core/digest.ts';
import { newId } from '../core/ids.ts';
import { accessOf, productOfResource, tokenScopesOf } from '../core/resources.ts';
import { appendEvent } from '../db/events.ts';
import { findSession, formWordOf, isFormWord, isFreshProof } from '../identity/sessions.ts';
import { sessionSecretIn } from '../web/cookies.ts';
import { pageHeaders, readForm, redirect, sendPage, WebRefusal } from '../web/http.ts';
import { formTargetOf, isLocalRedirect, redirectHostOf } from './clients.ts';
import { ALL_WORKSPACES, consentPage, DAYS } from './consent-page.ts';
import { errorPageOf } from './error-page.ts';
import { CONSENT_PATH, type OAuthOptions } from './provider.ts';
import { insertConnection, type NewConnection } from './queries.ts';

const DAY_SECONDS = 86_400;
const OPERATION = 'account_connections_create';

/** What a client asked for, as this person could allow it. */
interface Consent {
  readonly interaction: Interaction;
  readonly caller: Caller;
  /** The secret of the person's session, to which the form is bound. */
  readonly secret: string;
  /** A connection is a key: allowing one takes a recent proof, as making a token does. */
  readonly isProved: boolean;
  readonly product: Product;
  readonly resource: string;
  /** What the client asked for; the person may allow less, and more where `mayWrite`. */
  readonly access: AccessLevel;
  readonly mayWrite: boolean;
  readonly client: Pick<NewConnection, 'clientId' | 'clientName' | 'clientHost' | 'isVerified'>;
  readonly redirectUri: string;
  readonly workspaces: readonly { readonly id: string; readonly name: string }[] | null;
  readonly hasRights: boolean;
}

/** Answers `/oauth/interaction/<uid>`: shows the question, or takes the decision. */
export async function answerConsent(
  options: OAuthOptions,
  provider: Provider,
  origin: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  try {
    await consentOrRefuse(options, provider, origin, req, res);
  } catch (error) {
    const { name, message, status } = refusalOf(error);
    const isOver = name === 'SessionNotFound';
    req.resume();
    if (!isOver) options.logRefusal('a consent was refused', { why: message });
    sendPage(res, status, errorPageOf(req.headers['accept-language'], 'invalid_request', isOver));
  }
}

/** The refusals of the library say of themselves that they may be shown; anything else goes on. */
function refusalOf(error: unknown): { name: string; message: string; status: number } {
  if (error instanceof WebRefusal) return error;
  if (error instanceof Error && 'expose' in error && error.expose === true && 'status' in error) {
    return { name: error.name, message: error.message, status: Number(error.status) };
  }
  throw error;
}

async function consentOrRefuse(
  options: OAuthOptions,
  provider: Provider,
  origin: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const path = req.url!.split('?', 1)[0]!;
  const { method } = req;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
    throw new WebRefusal(405, 'Only GET and POST are answered here.');
  }
  const form = method === 'POST' ? await readForm(req, origin) : null;
  const interaction = await provider.interactionDetails(req, res);
  if (path !== CONSENT_PATH + interaction.uid) throw new WebRefusal(404, 'That is another consent.');
  const consent = await consentOf(options, provider, origin, interaction, req);
  if (consent === null) return redirect(res, `/console/sign-in?next=${encodeURIComponent(path)}`);
  const proof = `/console/verify?next=${encodeURIComponent(path)}`;
  if (form === null) {
    if (!consent.isProved) return redirect(res, proof);
    return sendPage(res, 200, pageOf(consent, path), pageHeaders([targetOf(consent)]));
  }
  if (!isFormWord(consent.secret, form.get('word'))) {
    throw new WebRefusal(403, 'The form is of another session.');
  }
  if (!consent.isProved && form.get('decision') === 'allow') return redirect(res, proof);
  // A decision is taken once; who sends it again goes on where it led.
  if (interaction.result === undefined) await settle(options, provider, consent, form);
  redirect(res, interaction.returnTo);
}

const targetOf = ({ redirectUri }: Consent): string => formTargetOf(redirectUri);

/** Null when nobody is signed in. */
async function consentOf(
  { database, now }: OAuthOptions,
  provider: Provider,
  origin: string,
  interaction: Interaction,
  req: IncomingMessage,
): Promise<Consent | null> {
  const { params } = interaction;
  const resource = String(params['resource']);
  const product = productOfResource(origin, resource);
  if (product === null) throw new WebRefusal(400, 'The consent is for another server.');
  const secret = sessionSecretIn(req, origin);
  const session = secret === null ? null : await findSession(database.shared, secret, now());
  const caller = (await session?.callerFor(product)) ?? null;
  if (secret === null || session === null || caller === null) return null;
  const redirectUri = String(params['redirect_uri']);
  const access = accessOf(product, String(params['scope'] ?? '').split(' ')) ?? 'read';
  const all = [...caller.workspaces.values()].filter(({ scopes }) => hasScopeOf(product, scopes));
  return {
    interaction,
    caller,
    secret,
    isProved: isFreshProof(session.row.verified_at, now()),
    product,
    resource,
    access,
    mayWrite: access === 'write' || [...scopesAnywhere(caller)].some((scope) => isWrite(product, scope)),
    client: await clientOf(provider, String(params['client_id']), redirectUri),
    redirectUri,
    workspaces: product === 'finance' ? all.map(({ id, name }) => ({ id, name })) : null,
    hasRights: hasScopeOf(product, scopesAnywhere(caller)),
  };
}

function hasScopeOf(product: Product, scopes: Iterable<string>): boolean {
  return [...scopes].some((scope) => scope.startsWith(`${product}.`));
}

/** Everything but to see: to change, send, ask for and approve. */
function isWrite(product: Product, scope: string): boolean {
  return scope.startsWith(`${product}.`) && /\.(?:write|send|request|approve)$/.test(scope);
}

/** A name is vouched for by the host that publishes it; else the host is where the answer goes. */
async function clientOf(
  provider: Provider,
  clientId: string,
  redirectUri: string,
): Promise<Consent['client']> {
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw new WebRefusal(400, 'The client is not known any more.');
  const isVerified = URL.canParse(clientId);
  return {
    clientId,
    clientName: client.clientName ?? clientId,
    clientHost: isVerified ? new URL(clientId).host : redirectHostOf(redirectUri),
    isVerified,
  };
}

function pageOf(consent: Consent, path: string) {
  const { caller, client, redirectUri, secret, product, access, mayWrite, workspaces, hasRights } = consent;
  return consentPage({
    locale: caller.user.locale,
    person: caller.user.name,
    organization: caller.organization.name,
    client: {
      name: client.clientName,
      host: client.clientHost,
      isVerified: client.isVerified,
      redirectHost: redirectHostOf(redirectUri),
      isLocal: isLocalRedirect(redirectUri),
    },
    product,
    access,
    mayWrite,
    workspaces,
    hasRights,
    formWord: formWordOf(secret),
    path,
  });
}

/**
 * Tells the library what was decided. What the person allows is what the client gets, whatever it asked for: that is
 * theirs to say (RFC 6749, section 3.3), and the answer with the tokens names it.
 */
async function settle(
  options: OAuthOptions,
  provider: Provider,
  consent: Consent,
  form: URLSearchParams,
): Promise<void> {
  const { caller, client, interaction, resource, product } = consent;
  if (form.get('decision') !== 'allow') {
    interaction.result = { error: 'access_denied', error_description: 'The person did not allow it.' };
    await interaction.persist();
    return;
  }
  const chosen = choiceOf(consent, form);
  const grant = new provider.Grant({ accountId: caller.user.id, clientId: client.clientId });
  // One consent gives one connection, also when it is sent to a second server because the first was killed over it.
  grant.jti = createHash('sha256').update(`grant ${interaction.uid}`).digest('base64url');
  grant.exp = Math.floor(Date.now() / 1_000) + chosen.days * DAY_SECONDS;
  const [read, write] = tokenScopesOf(product);
  const scope = chosen.access === 'write' ? `${read} ${write}` : read!;
  grant.addResourceScope(resource, scope);
  const grantId = await grant.save();
  await connect(options, consent, chosen, grantId);
  interaction.params['scope'] = scope;
  interaction.result = { login: { accountId: caller.user.id }, consent: { grantId } };
  await interaction.persist();
}

interface Choice {
  readonly access: AccessLevel;
  readonly workspaceId: string | null;
  readonly days: number;
}

function choiceOf(consent: Consent, form: URLSearchParams): Choice {
  const access = form.get('access');
  const workspace = form.get('workspace');
  const days = DAYS.find((each) => String(each) === form.get('days'));
  const isOffered = access === 'read' || (access === 'write' && consent.mayWrite);
  const isReachable =
    workspace === ALL_WORKSPACES || consent.workspaces?.some(({ id }) => id === workspace) === true;
  if (!consent.hasRights || !isOffered || !isReachable || days === undefined) {
    throw new WebRefusal(400, 'That cannot be allowed.');
  }
  return { access, days, workspaceId: workspace === ALL_WORKSPACES ? null : workspace };
}

/** Writes the connection and the line of the audit chain that says who allowed it, together. */
async function connect(
  { database, now }: OAuthOptions,
  { caller, client, product }: Consent,
  { access, workspaceId, days }: Choice,
  grantId: string,
): Promise<void> {
  const organizationId = caller.organization.id;
  const createdAt = now();
  const connection: NewConnection = {
    id: newId(),
    grantId,
    userId: caller.user.id,
    organizationId,
    product,
    access,
    workspaceId,
    ...client,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + days * DAY_SECONDS * 1_000),
  };
  const after = {
    product,
    access,
    workspace_id: workspaceId,
    client_name: client.clientName,
    client_host: client.clientHost,
    is_verified: client.isVerified,
    expires_at: connection.expiresAt.toISOString(),
  };
  await database.write({ organizationId, workspaceId: null }, async (db) => {
    if ((await insertConnection(db, connection)) === 0) return;
    await appendEvent(db, organizationId, {
      id: newId(),
      at: createdAt.toISOString(),
      operation: OPERATION,
      outcome: 'done',
      actor: { userId: caller.user.id, tokenId: null, clientId: 'console', surface: 'console' },
      argumentsDigest: digestOf(after),
      changes: [{ kind: 'connection', id: connection.id, before: null, after }],
    });
  });
}
