/** The commands of `kobana`. */

import { EmbeddedUnavailable } from '../db/embedded/index.ts';
import { account } from './commands/account.ts';
import { backup, restore } from './commands/backup.ts';
import { demo } from './commands/demo.ts';
import { doctor } from './commands/doctor.ts';
import { events } from './commands/events.ts';
import { migrateDatabase } from './commands/migrate.ts';
import { openapi } from './commands/openapi.ts';
import { owner } from './commands/owner.ts';
import { person } from './commands/person.ts';
import { serve } from './commands/serve.ts';
import { stdio } from './commands/stdio.ts';
import { token } from './commands/token.ts';
import { worker } from './commands/worker.ts';
import type { Config } from './config.ts';
import { readConfig, UsageError, unknown, variables } from './config.ts';

interface Command {
  readonly usage: string;
  readonly run: (words: readonly string[], config: Config) => Promise<void>;
}

const commands: Readonly<Record<string, Command>> = {
  serve: { usage: 'serve [--port N] [--host ADDRESS] [--processes N] [--demo] [--no-worker]', run: serve },
  stdio: {
    usage: 'stdio finance|dunning [--toolsets A,B] [--readonly] [--workspace ID]',
    run: stdio,
  },
  worker: { usage: 'worker', run: worker },
  demo: { usage: 'demo [--json] [--scale N]', run: demo },
  token: {
    usage:
      'token create --person EMAIL --product finance|dunning --access read|write [--workspace ID] [--expires 90d] [--json]',
    run: token,
  },
  account: {
    usage: 'account bank WORKSPACE ACCOUNT --adapter simulator|kobana [--provider-account ID]',
    run: account,
  },
  owner: {
    usage:
      'owner create --email EMAIL --name NAME --organization NAME [--workspace NAME] [--locale pt-BR|en] [--json]',
    run: owner,
  },
  person: { usage: 'person reset --email EMAIL [--remove-passkeys] [--json]', run: person },
  migrate: { usage: 'migrate', run: migrateDatabase },
  doctor: { usage: 'doctor', run: doctor },
  events: { usage: 'events verify', run: events },
  openapi: { usage: 'openapi finance|dunning', run: openapi },
  backup: { usage: 'backup FILE', run: backup },
  restore: { usage: 'restore FILE', run: restore },
};

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError) && !(error instanceof EmbeddedUnavailable)) throw error;
  console.error(`kobana: ${error.message}`);
  process.exitCode = 2;
}

async function main([name, ...words]: string[]): Promise<void> {
  if (name === undefined || name === 'help' || name === '--help') {
    console.log(usage());
    return;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(unknown('command', name, Object.keys(commands)));
  await command.run(words, readConfig(process.env));
}

function usage(): string {
  const lines = Object.values(commands).map((command) => `  kobana ${command.usage}`);
  const environment = Object.entries(variables).map(([name, what]) => `  ${name.padEnd(20)} ${what}`);
  return ['Commands:', ...lines, '', 'Environment:', ...environment].join('\n');
}
