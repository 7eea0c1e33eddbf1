/** The lines and records that suggestions are made of, read from the books. */

import { addDays } from '../../core/dates.ts';
import { parseTaxId } from '../../core/documents/tax-id.ts';
import { failArgument } from '../../core/errors.ts';
import type { Context } from '../../core/operation.ts';
import { amountsOf } from '../debts/index.ts';
import type { Candidate, Identifier, OpenLine } from './matching/types.ts';
import { isSameHolder } from './matching/weigh.ts';
import {
  type ChargeNames,
  type DocumentRow,
  type LineRow,
  type OtherLineRow,
  type OwnTransferRow,
  type PersonRow,
  type RecordedRow,
  selectOpenDocuments,
  selectOpenLines,
  selectOtherLines,
  selectOwnTransfers,
  selectPeople,
  selectRecorded,
  type Window,
} from './suggestion-queries.ts';

/** Lines looked at in one call, and records of each kind. */
const LINES_MAX = 50_000;
const RECORDS_MAX = 60_000;
/** Bills are paid late, and some early: those due this long before and after the days asked for are looked at. */
const DUE_BEFORE_DAYS = 365;
const DUE_AFTER_DAYS = 60;
/** A settlement may have been entered under another day than the bank's. */
const RECORDED_DAYS = 15;

export interface Material {
  readonly lines: readonly OpenLine[];
  readonly candidates: readonly Candidate[];
  /** Texts to show beside the ids, by the id. */
  readonly shown: ReadonlyMap<string, Shown>;
}

/** What a person recognises a line or a record by. */
export interface Shown {
  readonly date: string;
  readonly description: string | null;
  readonly person: { readonly id: string; readonly name: string } | null;
  readonly document_number: string | null;
}

/** Everything open in the days asked for. Fails with `invalid_argument` when that is more than one call can compare. */
export async function materialOf(
  context: Pick<Context, 'db' | 'workspaceId'>,
  window: Window,
  company: { readonly document_number: string },
): Promise<Material> {
  const { db, workspaceId } = context;
  const { from, to, companyId } = window;
  const lines = bounded(await selectOpenLines(db, workspaceId, window, LINES_MAX), LINES_MAX);
  const dueFrom = addDays(from, -DUE_BEFORE_DAYS);
  const dueTo = addDays(to, DUE_AFTER_DAYS);
  const paidFrom = addDays(from, -RECORDED_DAYS);
  const paidTo = addDays(to, RECORDED_DAYS);
  const documentsOf = async (kind: 'payable' | 'receivable') =>
    bounded(
      await selectOpenDocuments(db, workspaceId, kind, companyId, dueFrom, dueTo, RECORDS_MAX),
      RECORDS_MAX,
    );
  const [payables, receivables] = [await documentsOf('payable'), await documentsOf('receivable')];
  const recorded = await selectRecorded(db, workspaceId, window, paidFrom, paidTo, RECORDS_MAX);
  const transfers = await selectOwnTransfers(db, workspaceId, window, paidFrom, paidTo, RECORDS_MAX);
  const others = await selectOtherLines(db, workspaceId, window, RECORDS_MAX);
  const people = await peopleOf(context, [...payables, ...receivables, ...recorded]);
  const found: Found[] = [
    ...payables.map((row) => ({ row, candidate: documentCandidate('payable', row, people) })),
    ...receivables.map((row) => ({ row, candidate: documentCandidate('receivable', row, people) })),
    ...bounded(recorded, RECORDS_MAX).map((row) => ({ row, candidate: recordedCandidate(row, people) })),
    ...bounded(transfers, RECORDS_MAX).map((row) => ({ row, candidate: transferCandidate(row) })),
    ...bounded(others, RECORDS_MAX).map((row) => ({
      row,
      candidate: otherLineCandidate(row, company.document_number),
    })),
  ];
  const shown = new Map<string, Shown>();
  for (const row of lines) shown.set(row.id, shownLine(row));
  for (const { row, candidate } of found) shown.set(candidate.id, shownCandidate(row, candidate));
  return { lines: lines.map(openLineOf), candidates: found.map(({ candidate }) => candidate), shown };
}

interface Found {
  readonly row: { readonly description: string | null; readonly document_number?: string | null };
  readonly candidate: Candidate;
}

type People = ReadonlyMap<string, PersonRow>;

async function peopleOf(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  rows: readonly { readonly person_id: string }[],
): Promise<People> {
  const ids = [...new Set(rows.map(({ person_id }) => person_id))];
  return new Map((await selectPeople(db, workspaceId, ids)).map((person) => [person.id, person]));
}

function bounded<Row>(rows: Row[], max: number): Row[] {
  if (rows.length > max) failArgument('date_from', 'a shorter period: there is too much in it to compare');
  return rows;
}

function openLineOf(row: LineRow): OpenLine {
  return {
    id: row.id,
    date: row.date,
    direction: row.direction as OpenLine['direction'],
    open: row.amount_cents - row.reconciled_cents,
    isWhole: row.reconciled_cents === 0,
    text: [row.description, row.counterparty_name, row.document_number, row.bank_reference, row.notes]
      .filter((part) => part !== null)
      .join(' '),
    counterpartyDocument: taxIdOf(row.counterparty_document),
    endToEndId: row.end_to_end_id,
  };
}

/** A CPF or CNPJ as people hold it; null for what is none, such as one that the bank masked. */
function taxIdOf(text: string | null): string | null {
  return text === null ? null : (parseTaxId(text)?.number ?? null);
}

function documentCandidate(kind: 'payable' | 'receivable', row: DocumentRow, people: People): Candidate {
  const debt = { ...row, terms: row.terms };
  const settled = row.settled ?? [];
  return {
    kind,
    id: row.id,
    direction: kind === 'payable' ? 'debit' : 'credit',
    dates: [row.due_date, row.adjusted_due_date, ...(row.planned_date === null ? [] : [row.planned_date])],
    amount: row.open_cents,
    dueOn:
      row.terms === null
        ? null
        : (date) => {
            const { openPrincipal, discountOnOffer, unpaidInterest, unpaidFine } = amountsOf(
              debt,
              settled,
              date,
            );
            return {
              principal: openPrincipal,
              discount: discountOnOffer,
              interest: unpaidInterest,
              fine: unpaidFine,
              fee: 0,
            };
          },
    ...personOf(row, people),
    documentNumber: row.document_number,
    identifiers: (row.charges ?? []).flatMap(chargeIdentifiers),
    isCharged: row.charges !== null,
    isConfirmed: false,
    isMutual: null,
  };
}

function recordedCandidate(row: RecordedRow, people: People): Candidate {
  const { our_number, pix_txid, end_to_end_id } = row;
  return {
    ...fixed('settlement', row, [row.paid_at]),
    ...personOf(row, people),
    documentNumber: row.document_number,
    identifiers: [
      ...(our_number === null ? [] : chargeIdentifiers({ our_number, pix_txid, end_to_end_id })),
      ...identifier('pix_end_to_end_id', row.external_id),
    ],
    isConfirmed: row.is_confirmed,
  };
}

function transferCandidate(row: OwnTransferRow): Candidate {
  return {
    ...fixed('transfer', row, [row.date]),
    partyDocument: row.other_document,
    partyName: row.other_name,
    isConfirmed: row.is_confirmed,
  };
}

function otherLineCandidate(row: OtherLineRow, ownDocument: string): Candidate {
  const named = taxIdOf(row.counterparty_document);
  return {
    ...fixed('transaction', row, [row.date]),
    direction: row.direction === 'debit' ? 'credit' : 'debit',
    partyDocument: row.other_document,
    partyName: row.other_name,
    identifiers: identifier('pix_end_to_end_id', row.end_to_end_id),
    isMutual: named === null ? null : isSameHolder(named, ownDocument),
  };
}

/** A record whose amount is what it is. */
function fixed(
  kind: Candidate['kind'],
  row: { id: string; direction: string; amount_cents: number },
  dates: readonly string[],
): Candidate {
  return {
    kind,
    id: row.id,
    direction: row.direction as Candidate['direction'],
    dates,
    amount: row.amount_cents,
    dueOn: null,
    personId: null,
    partyDocument: null,
    partyName: null,
    documentNumber: null,
    identifiers: [],
    isCharged: false,
    isConfirmed: false,
    isMutual: null,
  };
}

function personOf({ person_id }: { person_id: string }, people: People) {
  const person = people.get(person_id)!;
  return { personId: person_id, partyDocument: person.document_number, partyName: person.name };
}

function chargeIdentifiers({ our_number, pix_txid, end_to_end_id }: ChargeNames): Identifier[] {
  return [
    ...identifier('our_number', our_number),
    ...identifier('pix_txid', pix_txid),
    ...identifier('pix_end_to_end_id', end_to_end_id),
  ];
}

function identifier(reason: Identifier['reason'], value: string | null): Identifier[] {
  return value === null ? [] : [{ reason, value }];
}

function shownLine({ date, description, document_number }: LineRow): Shown {
  return { date, description, person: null, document_number };
}

function shownCandidate({ description, document_number = null }: Found['row'], candidate: Candidate): Shown {
  const { dates, personId, partyName } = candidate;
  const person = personId === null || partyName === null ? null : { id: personId, name: partyName };
  return { date: dates[0]!, description, person, document_number };
}
