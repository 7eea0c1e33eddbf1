/** What a caller says about each occurrence, in the form it is stored in. */

import type { z } from 'zod';
import type { CivilDate } from '../../core/dates.ts';
import { failArgument } from '../../core/errors.ts';
import type { InputOf } from '../../core/operation.ts';
import { termsOf } from '../debts/index.ts';
import {
  type PaymentDetails,
  type paymentDetailsArgument,
  readPaymentDetails,
  requireRepeatable,
} from '../payables/index.ts';
import type { Template } from './rules.ts';
import type { RecurrenceKind, templateChanges, templateFields } from './schema.ts';

type Details = { payment_details?: z.output<typeof paymentDetailsArgument> | null | undefined };

/** The template that the arguments of a new recurrence describe. Fails with `invalid_argument`. */
export function templateOf(
  given: InputOf<typeof templateFields> & Details,
  kind: RecurrenceKind,
  today: CivilDate,
): Template {
  return {
    companyId: given.company_id,
    personId: given.person_id,
    description: given.description,
    amountCents: given.amount,
    documentNumber: given.document_number ?? null,
    categoryId: given.category_id ?? null,
    costCenters: given.cost_centers ?? [],
    withholdings: (given.withholdings ?? []).map(({ kind: tax, amount }) => ({ kind: tax, cents: amount })),
    abatementCents: given.abatement ?? 0,
    terms: given.charges === undefined ? null : termsOf(given.charges),
    paymentDetails: detailsOf(given, kind, today),
    plannedAccountId: given.planned_account_id ?? null,
  };
}

/** The template with what was given; null takes away what need not be there. */
export function editedTemplate(
  before: Template,
  given: InputOf<typeof templateChanges> & Details,
  kind: RecurrenceKind,
  today: CivilDate,
): Template {
  const { withholdings, charges } = given;
  return {
    ...before,
    ...(given.company_id !== undefined && { companyId: given.company_id }),
    ...(given.person_id !== undefined && { personId: given.person_id }),
    ...(given.description !== undefined && { description: given.description }),
    ...(given.amount !== undefined && { amountCents: given.amount }),
    ...(given.document_number !== undefined && { documentNumber: given.document_number }),
    ...(given.category_id !== undefined && { categoryId: given.category_id }),
    ...(given.cost_centers !== undefined && { costCenters: given.cost_centers }),
    ...(withholdings !== undefined && {
      withholdings: withholdings.map(({ kind: tax, amount }) => ({ kind: tax, cents: amount })),
    }),
    ...(given.abatement !== undefined && { abatementCents: given.abatement }),
    ...(charges !== undefined && { terms: charges === null ? null : termsOf(charges) }),
    ...(given.planned_account_id !== undefined && { plannedAccountId: given.planned_account_id }),
    ...(given.payment_details !== undefined && { paymentDetails: detailsOf(given, kind, today) }),
  };
}

function detailsOf(
  { payment_details: given }: Details,
  kind: RecurrenceKind,
  today: CivilDate,
): PaymentDetails | null {
  if (given == null) return null;
  if (kind === 'receivable') failArgument('template.payment_details', 'nothing: receivables are charged');
  const details = readPaymentDetails(given, today);
  requireRepeatable(details);
  return details;
}
