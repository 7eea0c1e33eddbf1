/** Every day, proposals lapse and agreements break whose installments are too late. */

import { z } from 'zod';
import type { JobContext, JobDefinition } from '../../core/job.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { endEarly, endProposal } from './ending.ts';
import { type AgreementRow, selectDefaulted, selectLapsed } from './queries.ts';
import { installmentsOf, requireAgreement } from './resource.ts';
import { isDefaulted, isLapsed } from './rules.ts';

/** 00:02 in São Paulo, before the rules of the day are planned. */
const RUN_AT = '03:02';

const payload = z.strictObject({ organizationId: z.uuid() });

/** One transaction for each agreement: one that fails takes nothing from the others. */
const agreementsRun: JobDefinition<z.infer<typeof payload>, DunningGateways> = {
  task: 'dunning_agreements_run',
  payload,
  every: { at: RUN_AT, tenant: 'organization' },
  async run(_payload, context) {
    const failures: unknown[] = [];
    await forEach(context, selectLapsed, lapse, failures);
    await forEach(context, selectDefaulted, breakOff, failures);
    if (failures.length > 0) throw failures[0];
  },
};

export const jobs = [agreementsRun];

type Select = (
  db: Context['db'],
  organizationId: string,
  today: string,
  afterId: string,
) => Promise<{ id: string }[]>;

async function forEach(
  context: JobContext<DunningGateways>,
  select: Select,
  end: (context: WriteContext, agreement: AgreementRow) => Promise<void>,
  failures: unknown[],
): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const found = await context.read(({ db, organizationId, today }) =>
      select(db, organizationId, today, after),
    );
    if (found.length === 0) return;
    for (const { id } of found) {
      await context
        .write(async (write) => end(write, await requireAgreement(write, id)))
        .catch((error) => failures.push(error));
    }
    after = found.at(-1)!.id;
  }
}

/** Somebody may have accepted, ended or paid it since it was found. */
async function lapse(context: WriteContext, agreement: AgreementRow): Promise<void> {
  if (!isLapsed(agreement, context.today)) return;
  await endProposal(context, agreement, { status: 'expired', by: 'time', reason: null });
}

async function breakOff(context: WriteContext, agreement: AgreementRow): Promise<void> {
  const installments = await installmentsOf(context, agreement.id);
  if (!isDefaulted(agreement, installments, context.today)) return;
  await endEarly(context, agreement, { status: 'broken', by: 'time', reason: null });
}
