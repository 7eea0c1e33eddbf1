/** Sends titles to notary offices and brings their answers back; does what each day brings. */

import { z } from 'zod';
import type { JobDefinition } from '../../core/job.ts';
import type { WriteContext } from '../../core/operation.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import type {
  NotaryAnswer,
  NotaryPort,
  ProtestChangeRequest,
  ProtestRequest,
} from '../../gateways/notary/port.ts';
import { type LegalDesk, type LegalSubject, legalJobsOf } from '../legal/index.ts';
import { applyNotaryAnswer, recordRefusal, recordTaken, requestToSend } from './answers.ts';
import { advance } from './following.ts';
import { selectForDay } from './queries.ts';
import { requireWithCharge } from './resource.ts';

/** 00:10 in São Paulo, after charges have become overdue. */
const RUN_AT = '03:10';
const PAGE_SIZE = 200;

const payload = z.strictObject({ organizationId: z.uuid() });

const subject: LegalSubject<NotaryAnswer> = {
  kind: 'protest',
  collectTask: 'dunning_collect_notary_answers',
  deskOf: ({ notary }) => deskOf(notary),
  requestToSend,
  taken: recordTaken,
  refused: recordRefusal,
  apply: applyNotaryAnswer,
};

/** One transaction for each protest: one that fails takes nothing from the others. */
const daily: JobDefinition<z.infer<typeof payload>, DunningGateways> = {
  task: 'dunning_protests_daily',
  payload,
  every: { at: RUN_AT, tenant: 'organization' },
  async run({ organizationId }, context) {
    const failures: unknown[] = [];
    let afterId: string | null = null;
    for (;;) {
      const found: { id: string }[] = await context.read(({ db }) =>
        selectForDay(db, organizationId, afterId, PAGE_SIZE),
      );
      for (const { id } of found) {
        await context.write((write) => advanceOne(write, id)).catch((error) => failures.push(error));
      }
      if (found.length < PAGE_SIZE) break;
      afterId = found.at(-1)!.id;
    }
    if (failures.length > 0) throw failures[0];
  },
};

export const jobs = [...legalJobsOf(subject), daily];

async function advanceOne(context: WriteContext, id: string): Promise<void> {
  const { row, charge } = await requireWithCharge(context, id);
  await advance(context, row, charge);
}

function deskOf(notary: NotaryPort): LegalDesk<NotaryAnswer> {
  return {
    send(command, request, now) {
      if (command === 'withdraw') return notary.withdraw(request as ProtestChangeRequest, now);
      if (command === 'authorize_cancellation') {
        return notary.authorizeCancellation(request as ProtestChangeRequest, now);
      }
      return notary.send(request as ProtestRequest, now);
    },
    find: (request) => notary.find(request),
    collect: (query) => notary.collect(query),
  };
}
