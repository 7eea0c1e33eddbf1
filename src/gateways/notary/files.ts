/** Notary offices reached by files, which somebody or something else carries; `docs/legal.md` has the formats. */

import { z } from 'zod';
import { date, money, moneyOrZero, moneyText } from '../../core/fields.ts';
import { addressLine, answerHead, answerLine, createOfficeFiles } from '../office/files.ts';
import type { NotaryAnswer, NotaryPort, ProtestChangeRequest } from './port.ts';

const answer = z.object({
  ...answerLine,
  status: z.enum([
    'protocoled',
    'notified',
    'protested',
    'returned',
    'paid_at_notary',
    'suspended',
    'withdrawn',
    'canceled',
    'refused',
  ]),
  on: date(),
  notary: z
    .object({ name: z.string().max(200), city: z.string().max(100), state: z.string().length(2) })
    .nullish(),
  protocol: z.string().max(100).nullish(),
  notice_kind: z.enum(['letter', 'electronic', 'edict']).nullish(),
  paid_amount: money().nullish(),
  costs: z.object({ amount: moneyOrZero(), paid_by: z.enum(['debtor', 'creditor']) }).nullish(),
});

/** Writes and reads under `folder`, with a folder of its own for each organization. */
export function createNotaryFiles({ folder }: { folder: string }): NotaryPort {
  const files = createOfficeFiles<NotaryAnswer>(folder, (line) => {
    const read = answer.safeParse(line);
    return read.success ? answerOf(read.data) : null;
  });
  const change = async (command: string, request: ProtestChangeRequest, now: Date) => {
    await files.write(request.organizationId, request.key, {
      command,
      written_at: now.toISOString(),
      action_id: request.actionKey,
      protocol: request.protocol,
      reference: request.reference,
      debtor_document_number: request.debtorDocument,
      creditor_document_number: request.creditor?.documentNumber ?? null,
      reason: request.reason,
    });
    return { reference: null };
  };
  return {
    name: 'files',
    async send(request, now) {
      const { debtor, creditor, document } = request;
      await files.write(request.organizationId, request.key, {
        command: 'send',
        written_at: now.toISOString(),
        action_id: request.actionKey,
        title_kind: request.titleKind,
        title_number: request.titleNumber,
        amount: moneyText(request.amount),
        debt_due_date: request.debtDueDate,
        creditor: { name: creditor.name, document_number: creditor.documentNumber },
        debtor: {
          name: debtor.name,
          kind: debtor.kind,
          document_number: debtor.documentNumber,
          address: addressLine(debtor.address),
        },
        document: document && {
          name: document.name,
          content_type: document.contentType,
          sha256: document.sha256,
          content: document.base64,
        },
      });
      return { reference: null };
    },
    withdraw: (request, now) => change('withdraw', request, now),
    authorizeCancellation: (request, now) => change('authorize_cancellation', request, now),
    find: (request) => files.find(request),
    collect: ({ organizationId }) => files.collect(organizationId),
  };
}

function answerOf(line: z.output<typeof answer>): NotaryAnswer {
  return {
    ...answerHead(line),
    status: line.status,
    on: line.on,
    notary: line.notary ?? null,
    protocol: line.protocol ?? null,
    noticeKind: line.notice_kind ?? null,
    paidAmount: line.paid_amount ?? null,
    costs: line.costs ? { amount: line.costs.amount, paidBy: line.costs.paid_by } : null,
  };
}
