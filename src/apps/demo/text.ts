import type { DemoReport } from './index.ts';
import type { DemoPerson } from './organization.ts';
import type { LoadedScale } from './scale-loading.ts';

/** The addresses of the two servers. */
export function demoUrls(url: string): { finance: string; dunning: string } {
  return { finance: `${url}/finance/mcp`, dunning: `${url}/dunning/mcp` };
}

/** The console, and how the people of the sample come in. */
export function demoConsole(url: string, people: readonly DemoPerson[]) {
  // Browsers give passkeys to names only.
  const origin = url.replace(/^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=:|$)/, 'http://localhost');
  return {
    url: `${origin}/console`,
    people: people.map(({ email, role, path }) => ({ email, role, link: path && origin + path })),
  };
}

/** What `npm run demo` prints: addresses, tokens, and a client configuration to paste. */
export function demoText(url: string, { tokens, people }: DemoReport): string {
  const urls = demoUrls(url);
  const server = (address: string, token: string) => ({
    type: 'http',
    url: address,
    headers: { Authorization: `Bearer ${token}` },
  });
  const configuration = {
    mcpServers: {
      'kobana-finance': server(urls.finance, tokens.finance.full),
      'kobana-dunning': server(urls.dunning, tokens.dunning.full),
    },
  };
  return [
    '',
    'The sample organization is loaded.',
    '',
    `Finance  ${urls.finance}`,
    `  full                ${tokens.finance.full}`,
    `  read only           ${tokens.finance.read}`,
    `  several workspaces  ${tokens.finance.several_workspaces}`,
    `Dunning  ${urls.dunning}`,
    `  full                ${tokens.dunning.full}`,
    `  read only           ${tokens.dunning.read}`,
    '',
    `Console  ${demoConsole(url, people).url}`,
    ...demoConsole(url, people).people.map(
      ({ email, link }) => `  ${email.padEnd(27)} ${link ?? 'signs in with the password chosen before'}`,
    ),
    '  Each link opens once, within a day: there the person chooses a password.',
    '',
    'A client that signs in needs the address of Finance or Dunning alone. Configuration with tokens:',
    JSON.stringify(configuration, null, 2),
    '',
    'Ctrl-C stops.',
  ].join('\n');
}

/** What `npm run kobana -- demo --scale 1m` prints. */
export function scaleText(url: string, { made, charges, tokens }: LoadedScale): string {
  const said =
    made === null
      ? `The organization of volume is there already, with ${charges} charges; nothing was added.`
      : [
          `The organization of volume is loaded: ${made.charges} charges of ${made.debtors} debtors,`,
          `${made.contacts} contacts, ${made.payments} payments, ${made.rules} collection rules.`,
        ].join(' ');
  return [
    '',
    said,
    '',
    `Dunning  ${demoUrls(url).dunning}`,
    `  full                ${tokens.full}`,
    `  read only           ${tokens.read}`,
  ].join('\n');
}
