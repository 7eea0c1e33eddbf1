/**
 * A worker of `bench/daily-kill.ts`: the engine and the sender on the real queue, messages over HTTP to the bench, the clock
 * ahead by what the bench says. Prints a line when it is ready, and is made to die.
 */

import { openRuntime } from '../src/apps/runtime.ts';
import { dunning, jobs } from '../src/dunning/index.ts';
import type { DunningGateways } from '../src/gateways/dunning.ts';
import { createHttpMessages } from '../src/gateways/messages/http-messages.ts';
import { startWorker } from '../src/worker/index.ts';

const { DATABASE_URL: databaseUrl, MESSAGES_URL: url, CLOCK_AHEAD_MS: ahead } = process.env;
const now = () => new Date(Date.now() + Number(ahead));
const runtime = openRuntime({
  databaseUrl: databaseUrl!,
  secretKeys: ['a key for benches of thirty-two bytes or more'],
  environment: 'bench',
  poolSize: 4,
  now,
  logFailure: (error, what) => console.error(what, error),
});
const port = createHttpMessages({ channel: 'sms', url: url!, token: 'bench' });
const messages: DunningGateways['messages'] = { email: port, sms: port, whatsapp: port, letter: port };
const engine = /^dunning_(daily_run|plan_steps|run_steps|retire_rule|send_messages)$/;
await startWorker({
  ownerUrl: databaseUrl!,
  ports: { ...runtime.portsOf(dunning.catalogue), now },
  shared: runtime.database.shared,
  // The bench queues them itself, by its own clock.
  jobs: jobs.filter(({ task }) => engine.test(task)).map(({ every: _every, ...job }) => job),
  gateways: { messages } as DunningGateways,
  concurrency: 3,
  pollMs: 100,
  log: (level, message, details) => {
    if (level === 'error') console.error(message, details);
  },
});
console.log('ready');
