/** What a person reads before a charge is issued, sent or canceled: built from records. */

import { lastPayableDay } from '../../core/accruals.ts';
import { formatDateBr } from '../../core/dates.ts';
import { formatTaxId } from '../../core/documents/tax-id.ts';
import { onDate, ours, outside, type Words } from '../../core/facts.ts';
import { type Cents, formatBrl } from '../../core/money.ts';
import type { Context, Fact } from '../../core/operation.ts';
import { maskedAccount } from '../accounts/index.ts';
import { isUnsent } from '../bank-commands/index.ts';
import { requireReceivable } from '../receivables/index.ts';
import type { IssuePlan, PreparedCharge } from './issuing.ts';
import type { ChargeRow } from './queries.ts';
import type { ChargeMethod } from './schema.ts';
import { chargeSubject } from './subject.ts';

const NAME_SHOWN = 80;
const attention: Words = { 'pt-BR': 'ATENÇÃO', en: 'ATTENTION' };

/** The facts of one charge to be issued. */
export function issueFacts(prepared: PreparedCharge): Fact[] {
  const { receivable, customer, account, recipient } = prepared;
  return [
    outside('customer', 'Cliente', 'Customer', customer.name),
    documentFact(customer.document_number),
    ours('amount', 'Valor', 'Amount', formatBrl(prepared.amount)),
    methodsFact(prepared.methods),
    outside('description', 'Conta a receber', 'Receivable', receivable.description),
    onDate('due_date', 'Vencimento', 'Due date', receivable.due_date),
    onDate(
      'pay_until',
      'Pode ser pago até',
      'Can be paid until',
      lastPayableDay(receivable.due_date, prepared.validDaysAfterDue),
    ),
    outside('account', 'Recebe na conta', 'Into account', maskedAccount(account)),
    ...(recipient === null
      ? [ours('send_to', 'E-mail', 'E-mail', { 'pt-BR': 'não será enviado', en: 'will not be sent' })]
      : recipientFacts(recipient)),
  ];
}

/** The facts of many charges: count, total, and one line for each receivable with its id (PROTOCOL SE-10). */
export function planFacts({ issuer, charges, refused }: IssuePlan, methods: readonly ChargeMethod[]): Fact[] {
  return [
    ours('count', 'Cobranças', 'Charges', String(charges.length)),
    ours('total', 'Total', 'Total', formatBrl(totalOf(charges))),
    methodsFact(methods),
    outside('account', 'Recebe na conta', 'Into account', maskedAccount(issuer.account)),
    ...charges.map((prepared) =>
      outside(
        `charge:${prepared.receivable.id}`,
        `Cobra ${prepared.receivable.id}`,
        `Charges ${prepared.receivable.id}`,
        lineOf(prepared),
      ),
    ),
    ...refused.map(({ id, error }) =>
      ours(`refused:${id}`, `${id}: não será cobrado`, `${id}: will not be charged`, error.code),
    ),
  ];
}

/** The sum of the charges, in centavos. */
export function totalOf(charges: readonly PreparedCharge[]): Cents {
  return charges.reduce((sum, { amount }) => sum + amount, 0);
}

/** Which charge it is. */
export async function chargeFacts(context: Context, charge: ChargeRow): Promise<Fact[]> {
  const receivable = await requireReceivable({ ...context, isWriting: false }, charge.receivable_id);
  return [
    outside('customer', 'Cliente', 'Customer', charge.person_name),
    ours('amount', 'Valor', 'Amount', formatBrl(charge.amount_cents)),
    methodsFact(charge.methods),
    ours('our_number', 'Nosso número', 'Our number', charge.our_number),
    outside('description', 'Conta a receber', 'Receivable', receivable.description),
    onDate('due_date', 'Vencimento', 'Due date', charge.due_date),
  ];
}

/** Whom a message goes to. */
export function recipientFacts(recipient: { address: string; isRegistered: boolean }): Fact[] {
  const to = outside('send_to', 'Será enviado para', 'Will be sent to', recipient.address);
  if (recipient.isRegistered) return [to];
  const text = {
    'pt-BR': 'o endereço não está no cadastro do cliente; confirme de quem ele é',
    en: 'the address is not registered for the customer; check whose it is',
  };
  return [to, ours('send_to_unregistered', attention['pt-BR'], attention.en, text)];
}

/** What calling off a charge does now. */
export async function cancelFact(context: Context, charge: ChargeRow): Promise<Fact> {
  const reading = { ...context, isWriting: false };
  const text = (await isUnsent(reading, chargeSubject, charge))
    ? {
        'pt-BR': 'a cobrança ainda não foi enviada ao banco; é cancelada na hora',
        en: 'the charge was not sent to the bank yet; it is canceled at once',
      }
    : {
        'pt-BR': 'pede ao banco o cancelamento da cobrança, que o cliente ainda pode pagar até lá',
        en: 'asks the bank to cancel the charge; the customer may still pay it until then',
      };
  return ours('effect', 'Efeito', 'Effect', text);
}

function documentFact(documentNumber: string | null): Fact {
  const text =
    documentNumber === null
      ? { 'pt-BR': 'não cadastrado', en: 'not registered' }
      : formatTaxId(documentNumber);
  return ours('customer_document', 'CPF/CNPJ do cliente', 'CPF/CNPJ of the customer', text);
}

function methodsFact(methods: readonly ChargeMethod[]): Fact {
  const names = methods.map((method) => (method === 'pix' ? 'Pix' : 'boleto'));
  return ours('methods', 'Forma de pagamento', 'Payment methods', {
    'pt-BR': names.join(' e '),
    en: names.join(' and '),
  });
}

/** Amount and date first: they are ours, and no name can come before them or push them out of a long line. */
function lineOf({ amount, receivable, customer, recipient }: PreparedCharge): string {
  return [
    formatBrl(amount),
    formatDateBr(receivable.due_date),
    customer.name.slice(0, NAME_SHOWN),
    customer.document_number === null ? '-' : formatTaxId(customer.document_number),
    recipient?.address ?? '-',
  ].join('; ');
}
