/** Destructive operations: rows 8 to 19 of the decision table (PROTOCOL D.1). */

import { type Answer, classifyAnswer } from '../confirmations.ts';
import { AppError, fail } from '../errors.ts';
import {
  asKnownError,
  type Call,
  contextOf,
  done,
  type InvokePorts,
  MalformedAnswer,
  type Outcome,
} from './call.ts';
import { appendEvent, runWrite } from './running.ts';
import {
  amountOf,
  factsOf,
  holdThawed,
  isSecondPersonNeeded,
  storedAnswer,
  waitForSecondPerson,
} from './waiting.ts';

/** Destructive operations: rows 8 to 19 of the decision table (PROTOCOL D.1). */
export async function runConfirmed(ports: InvokePorts, call: Call): Promise<Outcome> {
  const { confirmations } = ports;
  const { state, responses } = call.request.confirmation!;
  const answer = readAnswer(responses);
  const opened = confirmations.open(state, call.subject, call.now);
  if (opened.status !== 'valid') return ask(ports, call, { expired: false });
  if (answer === 'accepted') {
    const outcome = await runAccepted(ports, call, opened);
    return 'reason' in outcome ? ask(ports, call, outcome.reason) : outcome.result();
  }
  const spent = await confirmations.find(opened.id, call.place);
  if (spent === 'used') fail('confirmation_replayed');
  if (spent === 'declined' || opened.isExpired || answer === 'none') {
    return ask(ports, call, { expired: opened.isExpired });
  }
  await confirmations.decline(opened.id, call.subject, call.now);
  return fail('USER_DECLINED', { action: answer });
}

type Accepted = { reason: AskReason } | { result: () => Outcome };

interface AskReason {
  readonly expired: boolean;
  /** Facts of the question before, by key, as digests; the ones that differ now are marked. */
  readonly changedFrom?: Readonly<Record<string, string>>;
}

/** The yes: claim, re-check, spend, run, record, all in one transaction. */
async function runAccepted(
  ports: InvokePorts,
  call: Call,
  opened: { id: string; isExpired: boolean; factDigests: Readonly<Record<string, string>> },
): Promise<Accepted> {
  const { confirmations } = ports;
  return ports.database.write(call.place, async (db): Promise<Accepted> => {
    const claim = await confirmations.claim(db, opened.id, call.place);
    if (claim === 'used') fail('confirmation_replayed');
    if (claim === 'declined' || opened.isExpired) return { reason: { expired: opened.isExpired } };
    const controls = await holdThawed(ports, call, db);
    const facts = await factsOf(call, contextOf(ports, call, db, true));
    if (confirmations.changedFacts(opened.factDigests, facts).length > 0) {
      return { reason: { expired: false, changedFrom: opened.factDigests } };
    }
    const waiting = await waitForSecondPerson(ports, call, db, controls, facts);
    if (waiting !== null) return { result: waiting };
    await confirmations.spend(db, opened.id, call.subject, ports.now());
    const confirmation = {
      id: opened.id,
      question: confirmations.textOf(call.subject, facts, {}),
      answer: 'accepted' as const,
    };
    try {
      const output = await db.nested(() => runWrite(ports, call, db, confirmation));
      return { result: () => done(output) };
    } catch (error) {
      // The confirmation stays spent and the failure is on record; the effect was undone by the savepoint.
      const known = asKnownError(error, () => ports.logFailure(error, call.operation.name));
      const code = known instanceof AppError ? known.code : 'internal';
      await confirmations.fail(db, opened.id, call.place, code);
      await appendEvent(ports, call, db, { outcome: 'failed', errorCode: code, confirmation, changes: [] });
      return {
        result: () => {
          throw known;
        },
      };
    }
  });
}

async function ask(ports: InvokePorts, call: Call, reason: AskReason): Promise<Outcome> {
  const { confirmations } = ports;
  return ports.database.read(call.place, async (db): Promise<Outcome> => {
    const stored = await storedAnswer(ports, call, db);
    if (stored !== null) return done(stored);
    confirmations.limitQuestions(call.subject, call.now);
    const recent = await confirmations.lastUse(db, call.subject, call.now);
    const facts = await factsOf(call, contextOf(ports, call, db, false));
    const changed =
      reason.changedFrom === undefined ? [] : confirmations.changedFacts(reason.changedFrom, facts);
    const needsSecondPerson = isSecondPersonNeeded(call.controls!, amountOf(facts));
    const notes = { expired: reason.expired, changed, recent, needsSecondPerson };
    const message = confirmations.textOf(call.subject, facts, notes);
    const state = confirmations.seal(call.subject, facts, call.now);
    return { kind: 'ask', question: { message, state } };
  });
}

function readAnswer(responses: unknown): Answer {
  const answer = classifyAnswer(responses);
  if (answer === 'malformed')
    throw new MalformedAnswer('inputResponses.confirm is not an elicitation result');
  return answer;
}
