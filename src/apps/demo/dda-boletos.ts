/** Boletos that banks announced against the companies: some nobody knows, some of bills that are in the books. */

import { addDays } from '../../core/dates.ts';
import { readBoleto } from '../../core/documents/boleto.ts';
import type { AnnouncedBoleto } from '../../gateways/bank/port.ts';
import { createSimulatedDda } from '../../gateways/bank/simulated-dda.ts';
import type { Accounts } from './accounts.ts';
import type { Bill } from './payables.ts';
import { earlier } from './plans.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';

type Announced = Pick<
  AnnouncedBoleto,
  'reference' | 'documentNumber' | 'issueDate' | 'dueDate' | 'terms' | 'beneficiary'
> & {
  readonly barcode: string;
  readonly amount: number;
  readonly status: string;
};

/** Announced this long before and after today. */
const DAYS_BACK = 10;
const DAYS_AHEAD = 30;
const KNOWN_BILLS = 2;

/** What the simulated bank announces for each company in these days, and two of the first company's open bills. */
export async function buildDdaBoletos(
  setting: Setting,
  companies: readonly NewRow<'companies'>[],
  { checking }: Accounts,
  bills: readonly Bill[],
): Promise<NewRow<'dda_boletos'>[]> {
  const { today } = setting;
  const desk = createSimulatedDda();
  const rows: NewRow<'dda_boletos'>[] = [];
  for (const [place, company] of companies.entries()) {
    const account = checking[place]!;
    const holder = {
      bankCode: account.bank_code,
      agency: account.agency,
      number: account.number,
      digit: account.digit,
    };
    const announced = await desk.announced(
      { ...holder, providerId: null, holderDocument: company.document_number },
      addDays(today, -DAYS_BACK),
      addDays(today, DAYS_AHEAD),
      new Date(`${today}T12:00:00Z`),
    );
    // The last one may have been announced today.
    const before = announced.filter(({ issueDate }) => issueDate! < today);
    const known = place === 0 ? knownBills(setting, bills, company.id) : [];
    for (const boleto of [...before, ...known]) rows.push(rowOf(setting, company, account.id, boleto));
  }
  return rows;
}

/** Their boletos came by mail too and are in the books; one is told from the other by its code. */
function knownBills(setting: Setting, bills: readonly Bill[], companyId: string): Announced[] {
  const open = bills.filter(
    ({ plan, row }) =>
      plan.fate === 'open' &&
      plan.example === undefined &&
      row.company_id === companyId &&
      row.payment_details?.kind === 'boleto',
  );
  return open.slice(0, KNOWN_BILLS).map(({ plan, row }) => {
    const { person } = plan.supplier;
    const { barcode, amount_cents } = row.payment_details as { barcode: string; amount_cents: number };
    return {
      reference: `DDA${setting.random.digits(10)}`,
      barcode,
      beneficiary: { name: person.name, documentNumber: person.document_number! },
      documentNumber: row.document_number,
      amount: amount_cents,
      issueDate: plan.issueDate,
      dueDate: row.due_date,
      terms: plan.terms,
      status: 'open',
    };
  });
}

function rowOf(
  setting: Setting,
  company: NewRow<'companies'>,
  accountId: string,
  boleto: Announced,
): NewRow<'dda_boletos'> {
  const { today, random } = setting;
  const reading = readBoleto(boleto.barcode, today);
  if (!reading.ok) throw new RangeError('the simulated bank announced a code that is none');
  const createdAt = instantOn(earlier(addDays(boleto.issueDate!, 1), addDays(today, -1)), random);
  return {
    ...bornAt(setting, createdAt),
    company_id: company.id,
    account_id: accountId,
    barcode: boleto.barcode,
    typed_line: reading.typedLine,
    beneficiary_name: boleto.beneficiary.name,
    beneficiary_document: boleto.beneficiary.documentNumber,
    payer_document: company.document_number,
    document_number: boleto.documentNumber,
    nominal_cents: boleto.amount,
    amount_cents: boleto.amount,
    min_cents: null,
    max_cents: null,
    allows_partial: false,
    issue_date: boleto.issueDate,
    due_date: boleto.dueDate,
    terms: boleto.terms,
    status: 'pending',
    external_status: boleto.status,
    reject_reason: null,
    rejection_status: null,
    rejection_refused_reason: null,
    bank_reference: boleto.reference,
    updated_at: createdAt,
    version: 1,
  };
}
