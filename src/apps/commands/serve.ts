import cluster from 'node:cluster';
import { readFlags } from '../command.ts';
import { type Config, portOf, UsageError } from '../config.ts';
import { loadDemo } from '../demo/index.ts';
import { demoText } from '../demo/text.ts';
import { type House, openHouse } from '../house.ts';
import { log } from '../log.ts';
import { requireSafeHost } from '../reachability.ts';
import { createAppServer, listen, shut } from '../server.ts';
import { untilStopped } from '../stop.ts';
import { openWorker } from '../worker.ts';

const PROCESSES_MAX = 64;

/** Serves both products over HTTP until it is told to stop. */
export async function serve(words: readonly string[], config: Config): Promise<void> {
  const { flags } = readFlags(words, {
    port: { type: 'string' },
    host: { type: 'string' },
    processes: { type: 'string' },
    demo: { type: 'boolean' },
    'no-worker': { type: 'boolean' },
  });
  const port = portOf(flags.text('port') ?? String(config.port), '--port');
  const host = flags.text('host') ?? config.host;
  requireSafeHost(host, config.publicUrl);
  const processes = processesOf(flags.text('processes') ?? '1');
  if (cluster.isWorker) return serveOnly(config, port, host);
  const house = await openHouse(config);
  const worker = flags.has('no-worker') ? undefined : await openWorker(house, config);
  const demo = flags.has('demo') ? await loadDemo(house.ownerUrl, house.runtime) : undefined;
  const front =
    processes === 1 ? await serveHere(house, config, port, host) : await serveInMany(house, processes, port);
  const url = config.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${front.port}`;
  log.info({ url, processes }, 'serving');
  if (demo !== undefined) console.log(demoText(url, demo));
  await untilStopped();
  await front.stop();
  await worker?.stop();
  await house.close();
}

interface Front {
  readonly port: number;
  stop(): Promise<void>;
}

async function serveHere(house: House, config: Config, port: number, host: string): Promise<Front> {
  const server = createAppServer(house.runtime, config);
  return { port: await listen(server, port, host), stop: () => shut(server) };
}

/** A process of several: the first one opened the database and runs the jobs. */
async function serveOnly(config: Config, port: number, host: string): Promise<void> {
  const house = await openHouse(config);
  const front = await serveHere(house, config, port, host);
  process.send?.({ port: front.port });
  await untilStopped();
  await front.stop();
  await house.close();
  // The channel to the first process would keep this one alive.
  if (process.connected) process.disconnect();
}

/** Starts the processes; one that dies is started again. */
async function serveInMany(house: House, processes: number, port: number): Promise<Front> {
  if (port === 0) throw new UsageError('--processes needs a fixed --port');
  const environment = { DATABASE_URL: house.ownerUrl, KOBANA_SECRET_KEYS: house.secretKeys.join(',') };
  let isStopping = false;
  const start = () => cluster.fork(environment);
  const started = Array.from({ length: processes }, start).map(
    (worker) => new Promise<void>((resolve) => worker.once('message', () => resolve())),
  );
  cluster.on('exit', (worker, code) => {
    if (isStopping) return;
    log.error({ pid: worker.process.pid, code }, 'a serving process ended; starting another');
    start();
  });
  await Promise.all(started);
  return {
    port,
    async stop() {
      isStopping = true;
      const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      const ended = running.map(
        (worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())),
      );
      for (const worker of running) worker.kill('SIGTERM');
      await Promise.all(ended);
    },
  };
}

function processesOf(text: string): number {
  const processes = Number(text);
  if (!Number.isInteger(processes) || processes < 1 || processes > PROCESSES_MAX) {
    throw new UsageError(`--processes takes a number from 1 to ${PROCESSES_MAX}`);
  }
  return processes;
}
