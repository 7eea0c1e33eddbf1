/** A bureau reached by files, which somebody or something else carries; `docs/legal.md` has the formats. */

import { z } from 'zod';
import { moneyText } from '../../core/fields.ts';
import { addressLine, answerHead, answerLine, createOfficeFiles } from '../office/files.ts';
import type { BureauAnswer, BureauPort } from './port.ts';

const answer = z.object({ ...answerLine, status: z.enum(['registered', 'removed', 'refused']) });

/** Writes and reads under `folder`, with a folder of its own for each organization. */
export function createBureauFiles({ folder }: { folder: string }): BureauPort {
  const files = createOfficeFiles<BureauAnswer>(folder, (line) => {
    const read = answer.safeParse(line);
    return read.success ? { ...answerHead(read.data), status: read.data.status } : null;
  });
  return {
    name: 'files',
    async register(request, now) {
      const { debtor, creditor } = request;
      await files.write(request.organizationId, request.key, {
        command: 'register',
        written_at: now.toISOString(),
        action_id: request.actionKey,
        bureau: request.bureau,
        amount: moneyText(request.amount),
        debt_due_date: request.debtDueDate,
        contract_number: request.contractNumber,
        expires_on: request.expiresOn,
        notice: { channel: request.notice.channel, ends_on: request.notice.endsOn },
        creditor: { name: creditor.name, document_number: creditor.documentNumber },
        debtor: {
          name: debtor.name,
          kind: debtor.kind,
          document_number: debtor.documentNumber,
          address: addressLine(debtor.address),
        },
      });
      return { reference: null };
    },
    async remove(request, now) {
      await files.write(request.organizationId, request.key, {
        command: 'remove',
        written_at: now.toISOString(),
        action_id: request.actionKey,
        bureau: request.bureau,
        reference: request.reference,
        debtor_document_number: request.debtorDocument,
        creditor_document_number: request.creditor?.documentNumber ?? null,
        reason: request.reason,
      });
      return { reference: null };
    },
    find: (request) => files.find(request),
    collect: ({ organizationId }) => files.collect(organizationId),
  };
}
