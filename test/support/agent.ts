/** An AI client as its makers ship it: the official SDK, its own authorization flow, and a person's browser beside it. */

import { createServer } from 'node:http';
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

/** Waits for the answer of an authorization, as a client on the person's own machine does. */
export interface Callback {
  readonly url: string;
  /** The parameters of the next answer. */
  next(): Promise<URLSearchParams>;
  close(): void;
}

export async function openCallback(): Promise<Callback> {
  const waiting: ((parameters: URLSearchParams) => void)[] = [];
  const arrived: URLSearchParams[] = [];
  const server = createServer((req, res) => {
    const url = new URL(req.url!, 'http://127.0.0.1');
    res.setHeader('Content-Type', 'text/html');
    if (url.pathname !== '/callback') return res.writeHead(204).end();
    res.end('<!doctype html><html lang="en"><title>Connected</title><h1>Connected</h1>');
    const resolve = waiting.shift();
    if (resolve === undefined) arrived.push(url.searchParams);
    else resolve(url.searchParams);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/callback`,
    next: () => {
      const known = arrived.shift();
      return known === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(known);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What an SDK client keeps of an authorization, in memory. */
export class AgentMemory implements OAuthClientProvider {
  readonly clientMetadata: OAuthClientMetadata;
  readonly redirectUrl: string;
  information: StoredOAuthClientInformation | undefined;
  granted: StoredOAuthTokens | undefined;
  /** The address the person was last sent to. */
  asked: URL | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;
  readonly #state = crypto.randomUUID();

  constructor(callbackUrl: string, name: string) {
    this.redirectUrl = callbackUrl;
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [callbackUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state(): string {
    return this.#state;
  }
  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.information;
  }
  saveClientInformation(information: StoredOAuthClientInformation): void {
    this.information = information;
  }
  tokens(): StoredOAuthTokens | undefined {
    return this.granted;
  }
  saveTokens(tokens: StoredOAuthTokens): void {
    this.granted = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }
}

export interface AgentOptions {
  readonly url: string;
  readonly callback: Callback;
  readonly memory: AgentMemory;
  /** What the person does in the browser; the answer arrives at the callback. */
  readonly authorize: (asked: URL) => Promise<void>;
  /** Declares that questions can be shown, and answers them so. Default: the client cannot ask. */
  readonly answer?: (question: string) => Promise<boolean>;
  readonly onTransport?: (transport: StreamableHTTPClientTransport) => void;
}

/** Connects; when the server asks for authorization, the person gives it in the browser and the client comes again. */
export async function connectAgent(options: AgentOptions): Promise<Client> {
  for (let attempt = 0; ; attempt += 1) {
    const transport = new StreamableHTTPClientTransport(new URL(options.url), {
      authProvider: options.memory,
    });
    const client = newClient(options);
    try {
      await client.connect(transport);
      options.onTransport?.(transport);
      return client;
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || attempt > 0) throw error;
      await authorizeWith(options, transport);
    }
  }
}

/** The person decides, and the client exchanges what came back. */
export async function authorizeWith(
  { memory, callback, authorize }: AgentOptions,
  transport: StreamableHTTPClientTransport,
): Promise<void> {
  const answered = callback.next();
  await authorize(memory.asked!);
  const parameters = await answered;
  if (parameters.get('state') !== memory.state()) throw new Error('the answer is of another authorization');
  await transport.finishAuth(parameters);
}

function newClient({ memory, answer }: AgentOptions): Client {
  const client = new Client(
    { name: memory.clientMetadata.client_name!, version: '1.0.0' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: 'accept' as const,
      content: { confirm: await answer(params.message) },
    }));
  }
  return client;
}
