import { finance, jobs } from '../finance/index.ts';
import { type BankPort, createWholeSimulatedBank, financeGatewaysOf } from '../gateways/bank/index.ts';
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
    gateways: financeGatewaysOf(await banksOf(config), mail),
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

/** A bank that is not there makes the jobs of its accounts wait and fail; `kobana doctor` says so. */
async function banksOf({ kobanaApi }: Config): Promise<Record<string, BankPort>> {
  const simulator = createWholeSimulatedBank();
  if (kobanaApi === undefined) return { simulator };
  const { createKobanaBank } = await import('../gateways/bank/kobana/index.ts');
  return { simulator, kobana: createKobanaBank(kobanaApi) };
}

/** Loaded only where mail leaves. */
async function mailOf({ mail }: Config) {
  if (mail === undefined) return undefined;
  const { createSmtpMail } = await import('../gateways/mail/smtp.ts');
  return createSmtpMail(mail);
}
