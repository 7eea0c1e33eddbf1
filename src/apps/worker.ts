import { catalogueOf } from '../core/operation.ts';
import { jobs as dunningJobs } from '../dunning/index.ts';
import { jobs as financeJobs } from '../finance/index.ts';
import { type BankPort, createWholeSimulatedBank, financeGatewaysOf } from '../gateways/bank/index.ts';
import { createBureauFiles, createSimulatedBureau } from '../gateways/bureau/index.ts';
import type { DunningGateways } from '../gateways/dunning.ts';
import { createMessages } from '../gateways/messages/index.ts';
import { createNotaryFiles, createSimulatedNotary } from '../gateways/notary/index.ts';
import { createWebhookSender } from '../gateways/webhooks/sender.ts';
import { startWorker, type Worker } from '../worker/index.ts';
import type { Config } from './config.ts';
import type { House } from './house.ts';
import { log } from './log.ts';
import { products } from './runtime.ts';

/** Starts the worker of a process: it sends what operations asked for and takes in the answers. */
export async function openWorker({ ownerUrl, runtime }: House, config: Config): Promise<Worker> {
  const mail = await mailOf(config);
  const { ports: messages, close } = await createMessages(config.messages);
  const worker = await startWorker({
    ownerUrl,
    ports: runtime.portsOf(
      catalogueOf(Object.values(products).flatMap(({ catalogue }) => catalogue.operations)),
    ),
    shared: runtime.database.shared,
    jobs: [...financeJobs, ...dunningJobs],
    gateways: {
      ...financeGatewaysOf(await banksOf(config), mail),
      ...dunningGatewaysOf(config, messages),
    },
    log: (level, message, details) => log[level](details ?? {}, message),
  });
  worker.ended.catch((error: unknown) => log.error({ err: error }, 'the worker ended'));
  return {
    ended: worker.ended,
    async stop() {
      await worker.stop();
      mail?.close();
      close();
    },
  };
}

function dunningGatewaysOf(
  { bureauFolder, notaryFolder, webhookTestHosts }: Config,
  messages: DunningGateways['messages'],
): DunningGateways {
  return {
    messages,
    bureau:
      bureauFolder === undefined ? createSimulatedBureau() : createBureauFiles({ folder: bureauFolder }),
    notary:
      notaryFolder === undefined ? createSimulatedNotary() : createNotaryFiles({ folder: notaryFolder }),
    webhooks: createWebhookSender({ testHosts: webhookTestHosts }),
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
