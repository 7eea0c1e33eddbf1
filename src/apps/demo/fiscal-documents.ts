/** Received NF-e: some with their bills already made, some new. */

import { addDays } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import { splitCents } from '../../core/money.ts';
import { type StoredFile, storeFile } from './attachments.ts';
import { buildNfe } from './nfe.ts';
import type { Supplier } from './people.ts';
import { type Plan, planInstallments } from './plans.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';

export interface FiscalPlan {
  readonly encoding: 'UTF-8' | 'ISO-8859-1';
  readonly status: 'new' | 'linked';
  readonly daysAgo: number;
  readonly total: Cents;
  readonly installments: number;
  readonly supplierPlace: number;
  readonly companyPlace: number;
}

export interface SampleFiscalDocument {
  readonly row: NewRow<'fiscal_documents'>;
  readonly file: StoredFile;
  /** The bills made from it; none while it is new. */
  readonly plans: readonly Plan[];
}

/** Documents of suppliers whose trade is goods; the first installment is due thirty days after the issue. */
export function buildFiscalDocument(
  setting: Setting,
  plan: FiscalPlan,
  given: { suppliers: readonly Supplier[]; companies: readonly NewRow<'companies'>[] },
): SampleFiscalDocument {
  const { random, today } = setting;
  const supplier = given.suppliers[plan.supplierPlace]!;
  const company = given.companies[plan.companyPlace]!;
  const issuedOn = addDays(today, -plan.daysAgo);
  const issuedAt = instantOn(issuedOn, random).replace(/\.\d+/, '');
  const number = random.integer(1_000, 99_999);
  const amounts = splitCents(plan.total, plan.installments);
  const series = planInstallments(setting, supplier, addDays(issuedOn, 30), {
    amounts,
    documentNumber: String(number),
    description: `Mercadorias da nota ${number}`,
    issueDate: issuedOn,
  });
  const installments = series.map(({ dueDate, amount }) => ({ dueDate, amount }));
  const protocol = `135${random.digits(12)}`;
  const nfe = buildNfe({
    encoding: plan.encoding,
    issuedAt,
    number,
    code: random.digits(8),
    protocol,
    issuer: { cnpj: supplier.person.document_number!, name: supplier.person.name },
    recipient: { cnpj: company.document_number, name: company.legal_name },
    product: 'Refeições e gêneros alimentícios',
    installments,
  });
  const fileName = `NFe${nfe.accessKey}.xml`;
  const file = storeFile(
    setting,
    { name: fileName, contentType: 'application/xml', kind: 'invoice_xml', bytes: nfe.bytes },
    plan.daysAgo - 1,
  );
  const createdAt = file.attachment.created_at;
  const row: NewRow<'fiscal_documents'> = {
    ...bornAt(setting, createdAt),
    kind: 'nfe',
    access_key: nfe.accessKey,
    number: String(number),
    series: '1',
    issued_at: issuedAt,
    issuer_document: supplier.person.document_number!,
    issuer_name: supplier.person.name,
    recipient_document: company.document_number,
    recipient_name: company.legal_name,
    total_cents: nfe.total,
    net_cents: nfe.total,
    withholdings: [],
    installments: storedInstallments(series),
    authorization_protocol: protocol,
    authorization_status: 'authorized',
    warnings: [],
    status: plan.status,
    company_id: company.id,
    person_id: supplier.person.id,
    xml_attachment_id: file.attachment.id,
    notes: null,
    updated_at: createdAt,
    version: 1,
  };
  const plans =
    plan.status === 'new' ? [] : series.map((one) => ({ ...one, fiscalDocumentId: row.id, company }));
  return { row, file, plans };
}

/** As the column holds them. */
function storedInstallments(plans: readonly Plan[]) {
  return plans.map(({ dueDate, amount }, index) => ({
    number: String(index + 1).padStart(3, '0'),
    due_date: dueDate,
    amount_cents: amount,
  }));
}
