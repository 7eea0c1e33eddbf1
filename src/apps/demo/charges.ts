/** Boletos and Pix codes issued for receivables: the codes are those the simulated bank gives. */

import { readBoleto } from '../../core/documents/boleto.ts';
import { ourNumberOf } from '../../finance/charges/index.ts';
import type { BankDesk, ChargeAnswer, ChargeRequest } from '../../gateways/bank/port.ts';
import { createSimulatedCharges } from '../../gateways/bank/simulated-charges.ts';
import { linkFile, type StoredFile, storeFileAt } from './attachments.ts';
import { bankKeyOf, commandOf } from './bank-commands.ts';
import { buildPdf } from './pdf.ts';
import { canceledOn, type Sale } from './receivables.ts';
import type { ChargedBy } from './sales.ts';
import { bornAt, instantOn, laterThan, type NewRow, type Setting } from './setting.ts';

export type ChargeRow = NewRow<'charges'>;

export interface Charges {
  readonly charges: ChargeRow[];
  readonly numbers: NewRow<'charge_numbers'>[];
  readonly deliveries: NewRow<'charge_deliveries'>[];
  readonly commands: NewRow<'bank_commands'>[];
  readonly files: StoredFile[];
  readonly links: NewRow<'attachment_links'>[];
  /** The charge that brought the money in, by the id of its receivable. */
  readonly paidOf: ReadonlyMap<string, ChargeRow>;
}

type ChargeStatus = 'open' | 'paid' | 'canceled' | 'failed';

/** Long enough for what is overdue to be paid still. */
const VALID_DAYS_AFTER_DUE = 180;
const ISSUED_AFTER_MS = 240_000;
const SENT_AFTER_MS = 60_000;
const DELIVERED_PERCENT = 70;
/** Of what is still open, the bank refused one charge in so many. */
const FAILED_EVERY = 12;
const CANCEL_REASON = 'Cliente pediu outra forma de pagamento';

export async function buildCharges(
  setting: Setting,
  sales: readonly Sale[],
  companies: readonly NewRow<'companies'>[],
): Promise<Charges> {
  const made: Charges & { paidOf: Map<string, ChargeRow> } = {
    charges: [],
    numbers: [],
    deliveries: [],
    commands: [],
    files: [],
    links: [],
    paidOf: new Map(),
  };
  const lastNumbers = new Map<string, number>();
  // Whatever the amount, what is told here has happened already.
  const issuing = createSimulatedCharges({ behaviourOf: () => 'stays_open' });
  const refusing = createSimulatedCharges({ behaviourOf: () => 'rejects' });
  let open = 0;
  for (const sale of sales) {
    const wanted = statusOf(sale);
    if (wanted === null || sale.account.bank_code === null) continue;
    const mayFail = wanted === 'open' && sale.plan.statedBy === undefined;
    if (mayFail) open += 1;
    const status = mayFail && open % FAILED_EVERY === 0 ? 'failed' : wanted;
    const number = (lastNumbers.get(sale.account.id) ?? 0) + 1;
    lastNumbers.set(sale.account.id, number);
    const company = companies.find(({ id }) => id === sale.row.company_id)!;
    const desk = status === 'failed' ? refusing : issuing;
    await addCharge(setting, made, { sale, status, company, ourNumber: ourNumberOf(number), desk });
  }
  for (const [account_id, last_number] of lastNumbers) {
    made.numbers.push({ workspace_id: setting.workspaceId, account_id, last_number });
  }
  return made;
}

/** How the charge of a sale stands; null where there is none. */
function statusOf({ plan }: Sale): ChargeStatus | null {
  const { chargedBy, fate } = plan;
  if (chargedBy === null) return null;
  switch (fate) {
    case 'paid':
      return 'paid';
    case 'open':
    case 'overdue':
    case 'due_today':
      return 'open';
    case 'canceled':
    case 'written_off':
    case 'partially_paid':
      return 'canceled';
    default:
      return null;
  }
}

interface Issue {
  readonly sale: Sale;
  readonly status: ChargeStatus;
  readonly company: NewRow<'companies'>;
  readonly ourNumber: string;
  readonly desk: BankDesk<ChargeRequest, ChargeAnswer>;
}

async function addCharge(setting: Setting, made: Charges & { paidOf: Map<string, ChargeRow> }, issue: Issue) {
  const { sale, status } = issue;
  const createdAt = laterThan(sale.row.created_at, ISSUED_AFTER_MS);
  const born = bornAt(setting, createdAt, setting.authors.assistant);
  const request = requestOf(born.id, issue);
  const answer = (await issue.desk.submit(request, new Date(createdAt))) as ChargeAnswer;
  const file = status === 'open' ? pdfOf(setting, request, createdAt) : null;
  const charge: ChargeRow = {
    ...born,
    receivable_id: sale.row.id,
    account_id: sale.account.id,
    methods: [...request.methods],
    amount_cents: request.amount,
    due_date: request.dueDate,
    valid_days_after_due: request.validDaysAfterDue,
    terms: request.terms,
    our_number: request.ourNumber,
    ...codesOf(answer, setting),
    status,
    ...endOf(setting, issue, answer),
    bank_reference: answer.reference,
    pdf_attachment_id: file?.attachment.id ?? null,
  };
  made.charges.push(charge);
  const subject = { charge_id: charge.id };
  made.commands.push(
    commandOf(setting, { subject, kind: 'submit', key: request.idempotencyKey, answer, at: createdAt }),
  );
  if (status === 'canceled') {
    const { reference } = answer;
    const canceled = { status, reference, reason: 'canceled at the request of the payee' };
    const at = charge.cancel_requested_at!;
    made.commands.push(
      commandOf(setting, { subject, kind: 'cancel', key: `${charge.id}.cancel`, answer: canceled, at }),
    );
  }
  if (status === 'paid') made.paidOf.set(sale.row.id, charge);
  if (file !== null) {
    made.files.push(file);
    for (const record of [
      { kind: 'charge', id: charge.id },
      { kind: 'receivable', id: sale.row.id },
    ] as const) {
      made.links.push(linkFile(file, record));
    }
  }
  const [recipient] = sale.plan.customer.emails as string[];
  if (status === 'failed' || recipient === undefined || !setting.random.chance(DELIVERED_PERCENT)) return;
  made.deliveries.push(deliveryOf(setting, charge, recipient));
}

function requestOf(id: string, { sale, company, ourNumber }: Issue): ChargeRequest {
  const { row, plan, account } = sale;
  const methods = plan.chargedBy as NonNullable<ChargedBy>;
  const amount = row.amount_cents - row.abatement_cents;
  return {
    idempotencyKey: bankKeyOf(id, row.due_date, amount, [...methods].sort().join('_')),
    methods,
    amount,
    dueDate: row.due_date,
    validDaysAfterDue: VALID_DAYS_AFTER_DUE,
    ourNumber,
    terms: plan.terms,
    description: row.description,
    documentNumber: row.document_number,
    account: {
      bankCode: account.bank_code,
      agency: account.agency,
      number: account.number,
      digit: account.digit,
      providerId: null,
    },
    payee: {
      name: company.legal_name,
      documentNumber: company.document_number,
      city: (company.address as { city: string }).city,
    },
    payer: { name: plan.customer.name, documentNumber: plan.customer.document_number },
  };
}

function codesOf(answer: ChargeAnswer, { today }: Setting) {
  const { barcode, pix } = answer.status === 'open' ? answer : { barcode: null, pix: null };
  const boleto = barcode === null ? null : readBoleto(barcode, today);
  return {
    barcode,
    typed_line: boleto?.ok ? boleto.typedLine : null,
    pix_txid: pix?.txid ?? null,
    pix_code: pix?.code ?? null,
  };
}

/** What became of it after it was issued. */
function endOf(setting: Setting, { sale, status }: Issue, answer: ChargeAnswer) {
  const { random } = setting;
  const { paid, plan, row } = sale;
  const usual = {
    end_to_end_id: null,
    registration_status: 'confirmed',
    rejected_reason: null,
    cancel_reason: null,
    cancel_requested_at: null,
    paid_on: null,
    updated_at: laterThan(row.created_at, ISSUED_AFTER_MS),
    version: 2,
  };
  switch (status) {
    case 'open':
      return usual;
    case 'failed':
      return { ...usual, registration_status: 'rejected', rejected_reason: reasonOf(answer) };
    case 'canceled': {
      // Before the customer paid otherwise, and before it was given up.
      const at = instantOn(canceledOn(plan), random);
      return { ...usual, cancel_reason: CANCEL_REASON, cancel_requested_at: at, updated_at: at, version: 4 };
    }
    case 'paid': {
      const { on } = paid!;
      const isPix = plan.chargedBy![0] === 'pix';
      return {
        ...usual,
        end_to_end_id: isPix ? endToEndIdOf(setting, on) : null,
        paid_on: on,
        updated_at: instantOn(on, random),
        version: 3,
      };
    }
  }
}

/** As payment institutions make them: their ISPB, the minute and eleven characters. */
export function endToEndIdOf({ random }: Setting, on: string): string {
  const time = `${random.integer(10, 18)}${random.integer(10, 59)}`;
  return `E99999${random.digits(3)}${on.replaceAll('-', '')}${time}${random.digits(11)}`.slice(0, 32);
}

function reasonOf(answer: ChargeAnswer): string | null {
  return answer.status === 'rejected' ? answer.reason : null;
}

function pdfOf(setting: Setting, request: ChargeRequest, createdAt: string): StoredFile {
  const bytes = buildPdf(`Cobranca ${request.ourNumber}, vencimento ${request.dueDate}`);
  const name = `cobranca-${request.ourNumber}.pdf`;
  return storeFileAt(setting, { name, contentType: 'application/pdf', kind: 'boleto', bytes }, createdAt);
}

function deliveryOf(setting: Setting, charge: ChargeRow, recipient: string): NewRow<'charge_deliveries'> {
  const born = bornAt(setting, laterThan(charge.created_at, SENT_AFTER_MS), setting.authors.assistant);
  return {
    ...born,
    charge_id: charge.id,
    channel: 'email',
    recipient,
    status: 'sent',
    message_id: `<${born.id}@${setting.workspaceId}.charges>`,
    failed_reason: null,
    attempts: 1,
    updated_at: born.created_at,
  };
}
