/** Messages in the words of the house: proposals of agreements, and notices before reports. */

import { priorNoticeDays } from '../../../dunning/contact-law/index.ts';
import { plainMessage } from '../../../dunning/templates/index.ts';
import type { Agreement } from './agreement-money.ts';
import {
  type Channel,
  contactFor,
  isTaken,
  type NotificationRow,
  type Outbox,
  send,
  viewOf,
} from './messages.ts';
import { type DunningSetting, dayOf, msOf } from './setting.ts';
import type { Story } from './story.ts';

/** The offer of a proposal that was sent. */
export function sendProposal(setting: DunningSetting, outbox: Outbox, agreement: Agreement): void {
  const { row, stories, installments } = agreement;
  const { debtor } = stories[0]!;
  if (row.sent_at === null) return;
  const channel = (['email', 'whatsapp', 'letter'] as const).find(
    (one) => contactFor(debtor, one).reason === null,
  );
  const at = msOf(row.sent_at);
  if (channel === undefined || isTaken(outbox, debtor.person.id, at)) return;
  const agreed = {
    originalTotalCents: row.original_total_cents,
    discountCents: row.discount_cents,
    negotiatedTotalCents: row.negotiated_total_cents,
    installments: installments.map(({ number, due_date: dueDate, amount_cents: amountCents }) => ({
      number,
      dueDate,
      amountCents,
    })),
    validUntil: row.valid_until,
  };
  const text = plainMessage('agreement', {
    ...viewOf(setting, debtor, stories, row.as_of),
    agreement: agreed,
  });
  const own = { subject: channel === 'whatsapp' ? null : text.subject, body: text.body };
  send(setting, outbox, {
    debtor,
    stories: [],
    channel,
    trigger: 'agreement',
    at,
    own,
    given: { agreement_id: row.id },
  });
}

const bureauNames: Readonly<Record<string, string>> = {
  serasa: 'Serasa',
  spc: 'SPC',
  quod: 'Quod',
  boavista: 'Boa Vista',
};

/** The notice before a report, by letter. */
export function sendNotice(
  setting: DunningSetting,
  outbox: Outbox,
  story: Story,
  given: { negativationId: string; bureau: string; channel: Channel; at: number },
): NotificationRow {
  const { debtor } = story;
  const { bureau, channel, at, negativationId } = given;
  const view = viewOf(setting, debtor, [story], dayOf(at));
  const notice = { bureau: bureauNames[bureau]!, waitingDays: priorNoticeDays(debtor.person.state, {}) };
  const text = plainMessage('prior_notice', { ...view, notice });
  const own = { subject: channel === 'email' || channel === 'letter' ? text.subject : null, body: text.body };
  return send(setting, outbox, {
    debtor,
    stories: [story],
    channel,
    trigger: 'prior_notice',
    at,
    own,
    given: { negativation_id: negativationId },
  });
}
