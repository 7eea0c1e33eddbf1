/** What reports and protests of the sample have in common: their records, and whom they are about. */

import { idAt } from '../setting.ts';
import type { Debtor } from './debtors.ts';
import type { DunningSetting, Row } from './setting.ts';
import type { Cast } from './story.ts';

export interface Legal {
  readonly live: Row<'dunning_live_legal_actions'>[];
  readonly events: Row<'dunning_legal_events'>[];
  readonly commands: Row<'dunning_legal_commands'>[];
}

type Kind = 'negativation' | 'protest';

export function openLegal(): Legal {
  return { live: [], events: [], commands: [] };
}

export function legalEvent(
  { organizationId, random }: DunningSetting,
  { events }: Legal,
  kind: Kind,
  actionId: string,
  at: string,
  event: string,
  details: object = {},
  reportId: string | null = null,
): void {
  const id = idAt(at, random);
  events.push({
    organization_id: organizationId,
    id,
    kind,
    action_id: actionId,
    at,
    event,
    details,
    report_id: reportId,
    created_at: at,
  });
}

export function legalCommand(
  { organizationId, random, users }: DunningSetting,
  { commands }: Legal,
  given: {
    kind: Kind;
    actionId: string;
    command: string;
    status: string;
    at: string;
    endedAt: string;
    answer: object;
    request: object;
  },
): void {
  const { kind, actionId, command, status, at, endedAt, answer, request } = given;
  commands.push({
    organization_id: organizationId,
    id: idAt(at, random),
    kind,
    action_id: actionId,
    command,
    status,
    attempts: 1,
    request,
    answer,
    created_by: users.owner,
    created_at: at,
    updated_at: endedAt,
  });
}

/** Somebody with a document whom a letter reaches, or one who can be reached in no way at all. */
export function pickDebtor({ setting: { random }, debtors }: Cast, who: 'by_letter' | 'unreachable'): Debtor {
  const isFit = ({ person, contacts }: Debtor) =>
    person.document_number !== null &&
    !person.deceased &&
    !person.do_not_contact &&
    person.language === 'pt-BR' &&
    (who === 'by_letter' ? person.address !== null : person.address === null && contacts.length === 0);
  return random.pick(debtors.filter(isFit));
}
