/** Reads what a letter says. */

import { type CivilDate, civilDateAt, daysBetween } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import { type Cents, parseMoney } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import type { Amounts } from '../../core/terms.ts';
import { agreementDetail, requireAgreement } from '../agreements/index.ts';
import {
  type ChargeRow,
  type Entry,
  findCharges,
  type History,
  historiesOf,
  owedOn,
  requireCharge,
} from '../charges/index.ts';
import { type PersonRow, requirePerson } from '../people/index.ts';
import { requireProtest } from '../protests/index.ts';
import { settingsOf } from '../settings/index.ts';
import type { AgreementDocument } from './agreement-term.ts';
import type { ConsentDocument } from './consent.ts';
import type { Sender } from './paper.ts';
import {
  countCharges,
  type LetterPayment,
  selectBindingAgreementIds,
  selectCredit,
  selectNextCharges,
  selectPayments,
} from './queries.ts';
import type { SettlementDocument } from './settlement.ts';
import type {
  StatementAgreement,
  StatementCharge,
  StatementDocument,
  StatementPayment,
} from './statement.ts';

const PORTION = 200;
/** About what a document of 10 MiB holds; told before hours are spent on it. */
const CHARGES_MAX = 20_000;

/** A statement of everything the debtor owes and owed. Fails with `not_found` and `resource_too_large`. */
export async function statementOf(
  context: Context,
  personId: string,
  asOf: CivilDate,
): Promise<StatementDocument> {
  const { db, organizationId, today } = context;
  const person = await requirePerson(context, personId);
  const count = await countCharges(db, organizationId, personId);
  if (count > CHARGES_MAX) fail('resource_too_large', { charges: count, limit: CHARGES_MAX });
  return {
    sender: await senderOf(context),
    debtor: debtorOf(person),
    asOf,
    on: today,
    charges: chargesOf(context, personId, asOf, count),
    agreements: await agreementsOf(context, personId),
    credit: await selectCredit(db, organizationId, personId, asOf),
  };
}

/** Fails with `not_found`, and with `invalid_state` unless the charge is paid. */
export async function settlementOf(context: Context, chargeId: string): Promise<SettlementDocument> {
  const { db, organizationId, today } = context;
  const row = await requireCharge(context, chargeId);
  if (row.status !== 'paid') fail('invalid_state', { from: row.status, allowed: ['paid'] });
  const { entries, ways } = (await historiesOf(context, [row])).get(row.id)!;
  const amounts = owedOn(row, entries, today, ways);
  const own = await selectPayments(db, organizationId, [row.id], today);
  return {
    sender: await senderOf(context),
    debtor: debtorOfCharge(row),
    on: today,
    charge: {
      description: row.description,
      documentNumber: row.document_number,
      dueDate: row.due_date,
      paidOn: row.paid_on,
      amount: row.amount_cents,
      discount: row.abatement_cents + amounts.discount,
      fine: amounts.fine,
      interest: amounts.interest,
      paid: amounts.paid,
      agreementOn: await acceptedOn(context, row.agreement_id),
    },
    payments: [
      ...own
        .filter(({ kind }) => kind !== 'duplicate')
        .map(({ paid_on, method, amount_cents, excess_cents }) => ({
          paidOn: paid_on,
          method,
          amount: amount_cents,
          used: amount_cents - excess_cents,
        })),
      ...creditsAmong(entries, amounts, today).map(({ paidOn, method, amount, excess }) => ({
        paidOn,
        method,
        amount,
        used: amount - excess,
      })),
    ].toSorted((left, right) => daysBetween(right.paidOn, left.paidOn)),
  };
}

/**
 * What installments of an agreement were worth on the charge: without them the payments would not add up. The entries
 * are all that the amounts were reckoned of, up to the same date.
 */
function creditsAmong(
  entries: readonly Entry[],
  { allocations }: Amounts,
  on: CivilDate,
): StatementPayment[] {
  const counted = entries.filter(({ paid_on }) => paid_on <= on);
  return counted.flatMap(({ payment_id, paid_on, amount_cents: amount }, index) => {
    const allocation = allocations[index]!;
    const isCounted = allocation.principal + allocation.interest + allocation.fine + allocation.excess > 0;
    return payment_id !== null || amount === 0 || !isCounted
      ? []
      : [{ paidOn: paid_on, method: 'agreement', amount, ...allocation, isDuplicate: false }];
  });
}

/** Fails with `not_found`. */
export async function agreementTermOf(context: Context, agreementId: string): Promise<AgreementDocument> {
  const row = await requireAgreement(context, agreementId);
  const { charges, schedule } = await agreementDetail(context, agreementId);
  return {
    sender: await senderOf(context),
    debtor: { name: row.person_name, documentNumber: row.person_document_number },
    on: context.today,
    status: row.status,
    asOf: row.as_of,
    original: row.original_total_cents,
    discount: row.discount_cents,
    negotiated: row.negotiated_total_cents,
    validUntil: row.valid_until,
    defaultAfterDays: row.default_after_days,
    accepted: row.accepted_at === null ? null : { on: dayOf(context, row.accepted_at), by: row.accepted_by },
    charges: charges.map((share) => ({
      description: share.description,
      documentNumber: share.document_number,
      dueDate: share.due_date,
      principal: centsOf(share.principal),
      interest: centsOf(share.interest),
      fine: centsOf(share.fine),
      discount: centsOf(share.discount),
    })),
    installments: schedule.map((one) => ({
      number: one.number,
      dueDate: one.due_date,
      amount: centsOf(one.amount),
      paid: centsOf(one.paid),
      status: one.status,
    })),
  };
}

/**
 * Fails with `not_found`, and with `invalid_state` unless the title is protested and paid, or the creditor has consented
 * to the cancellation already.
 */
export async function consentOf(context: Context, protestId: string): Promise<ConsentDocument> {
  const row = await requireProtest(context, protestId);
  const allowed = ['protested', 'cancellation_authorized'];
  if (!allowed.includes(row.status)) fail('invalid_state', { from: row.status, allowed });
  const charge = await requireCharge(context, row.charge_id);
  if (row.status === 'protested' && charge.status !== 'paid')
    fail('invalid_state', { from: charge.status, allowed: ['paid'] });
  return {
    sender: await senderOf(context),
    debtor: debtorOfCharge(charge),
    on: context.today,
    title: {
      kind: row.title_kind,
      documentNumber: charge.document_number,
      dueDate: row.debt_due_date,
      amount: row.amount_cents,
    },
    notary: row.notary,
    protocol: row.protocol,
    protestedOn: row.protested_on,
    paidOn: charge.status === 'paid' ? charge.paid_on : null,
  };
}

/** The creditor of the settings; without a name there, the organization. */
async function senderOf(context: Context): Promise<Sender> {
  const { creditor } = await settingsOf(context);
  return {
    name: creditor.legalName ?? context.caller.organization.name,
    documentNumber: creditor.documentNumber,
    address: creditor.address,
    phone: creditor.phone,
    email: creditor.email,
  };
}

async function* chargesOf(
  context: Context,
  personId: string,
  asOf: CivilDate,
  total: number,
): AsyncGenerator<StatementCharge[]> {
  const { db, organizationId } = context;
  let after = null;
  let done = 0;
  do {
    const places = await selectNextCharges(db, organizationId, personId, after, PORTION);
    const ids = places.map(({ id }) => id);
    const rows = new Map((await findCharges(context, ids)).map((row) => [row.id, row]));
    const histories = await historiesOf(context, [...rows.values()]);
    const payments = Map.groupBy(
      await selectPayments(db, organizationId, ids, asOf),
      ({ charge_id }) => charge_id,
    );
    yield ids.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined
        ? []
        : [statementChargeOf(row, histories.get(id)!, payments.get(id) ?? [], asOf)];
    });
    done += places.length;
    context.progress({ done, total });
    after = places.length < PORTION ? null : places.at(-1)!;
  } while (after !== null);
}

function statementChargeOf(
  row: ChargeRow,
  { entries, ways }: History,
  payments: readonly LetterPayment[],
  asOf: CivilDate,
): StatementCharge {
  const amounts = owedOn(row, entries, asOf, ways);
  return {
    dueDate: row.due_date,
    description: row.description,
    documentNumber: row.document_number,
    state: stateOn(row, amounts, asOf),
    amount: row.amount_cents,
    discount: row.abatement_cents + amounts.discount,
    fine: amounts.fine,
    interest: amounts.interest,
    paid: amounts.paid,
    due: amounts.amountDue,
    payments: [...payments.map(paymentOf), ...creditsAmong(entries, amounts, asOf)].toSorted((left, right) =>
      daysBetween(right.paidOn, left.paidOn),
    ),
  };
}

/** Also of a day in the past, on which what is paid by now was still open. */
function stateOn(row: ChargeRow, { amountDue }: Amounts, asOf: CivilDate): StatementCharge['state'] {
  if (row.status === 'canceled' || row.status === 'in_agreement') return row.status;
  if (amountDue === 0) return 'paid';
  return row.adjusted_due_date < asOf ? 'overdue' : 'pending';
}

function paymentOf(row: LetterPayment): StatementPayment {
  return {
    paidOn: row.paid_on,
    method: row.method,
    amount: row.amount_cents,
    principal: row.principal_cents,
    discount: row.discount_cents,
    interest: row.interest_cents,
    fine: row.fine_cents,
    excess: row.excess_cents,
    isDuplicate: row.kind === 'duplicate',
  };
}

async function agreementsOf(context: Context, personId: string): Promise<StatementAgreement[]> {
  const ids = await selectBindingAgreementIds(context.db, context.organizationId, personId);
  const found: StatementAgreement[] = [];
  for (const id of ids) {
    const row = await requireAgreement(context, id);
    const isInForce = row.status === 'accepted' || row.status === 'active';
    found.push({
      acceptedOn: dayOf(context, row.accepted_at!),
      status: row.status,
      installments: row.installment_count,
      total: row.negotiated_total_cents,
      paid: row.paid_cents,
      open: isInForce ? row.negotiated_total_cents - row.paid_cents : 0,
      nextDueDate: isInForce ? row.next_due_date : null,
    });
  }
  return found;
}

async function acceptedOn(context: Context, agreementId: string | null): Promise<CivilDate | null> {
  if (agreementId === null) return null;
  const { accepted_at: acceptedAt, status } = await requireAgreement(context, agreementId);
  return acceptedAt === null || status !== 'completed' ? null : dayOf(context, acceptedAt);
}

/** Figures of another slice's public record. */
function centsOf(text: string): Cents {
  return parseMoney(text)!;
}

function dayOf({ timeZone }: Context, instant: string): CivilDate {
  return civilDateAt(new Date(instant), timeZone);
}

function debtorOf(row: PersonRow) {
  return { name: row.name, documentNumber: row.document_number };
}

function debtorOfCharge(row: ChargeRow) {
  return { name: row.person_name, documentNumber: row.person_document_number };
}
