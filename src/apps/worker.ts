import { finance, jobs } from '../finance/index.ts';
import { createSimulatedBank, financeGatewaysOf } from '../gateways/bank/index.ts';
import { startWorker, type Worker } from '../worker/index.ts';
import type { Config } from './config.ts';
import type { House } from './house.ts';
import { log } from './log.ts';

/** Starts the worker of a process: it sends what operations asked for and takes in the answers. */
export async function openWorker({ ownerUrl, runtime }: House, config: Config): Promise<Worker> {
  const mail = await mailOf(config);
  const worker = await startWorker({
    ownerUrl,
    ports: runtime.portsOf(finance.catalogue),
    shared: runtime.database.shared,
    jobs,
    gateways: financeGatewaysOf({ simulator: createSimulatedBank() }, mail),
    log: (level, message, details) => log[level](details ?? {}, message),
  });
  worker.ended.catch((error: unknown) => log.error({ err: error }, 'the worker ended'));
  return {
    ended: worker.ended,
    async stop() {
      await worker.stop();
      mail?.close();
    },
  };
}

/** Loaded only where mail leaves. */
async function mailOf({ mail }: Config) {
  if (mail === undefined) return undefined;
  const { createSmtpMail } = await import('../gateways/mail/smtp.ts');
  return createSmtpMail(mail);
}
