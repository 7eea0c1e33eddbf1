import { finance, jobs } from '../finance/index.ts';
import { createSimulatedBank, financeGatewaysOf } from '../gateways/bank/index.ts';
import { startWorker, type Worker } from '../worker/index.ts';
import type { House } from './house.ts';
import { log } from './log.ts';

/** Starts the worker of a process: it sends what operations asked for and takes in the answers. */
export async function openWorker({ ownerUrl, runtime }: House): Promise<Worker> {
  const worker = await startWorker({
    ownerUrl,
    ports: runtime.portsOf(finance.catalogue),
    shared: runtime.database.shared,
    jobs,
    gateways: financeGatewaysOf({ simulator: createSimulatedBank() }),
    log: (level, message, details) => log[level](details ?? {}, message),
  });
  worker.ended.catch((error: unknown) => log.error({ err: error }, 'the worker ended'));
  return worker;
}
