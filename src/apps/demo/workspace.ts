/** Puts the sample of one workspace together. */

import { addBusinessDays, previousBusinessDay } from '../../core/calendar.ts';
import { addDays } from '../../core/dates.ts';
import { allAccounts, buildAccounts, buildBalances, buildByHand } from './accounts.ts';
import { buildApprovalSettings } from './approval-settings.ts';
import { FILE_BYTES_MAX, linkFile, type StoredFile, storeFile } from './attachments.ts';
import { buildAutomaticRules } from './automatic-rules.ts';
import { buildCharges } from './charges.ts';
import { buildClassification } from './classification.ts';
import { buildCompanies } from './companies.ts';
import { buildDdaBoletos } from './dda-boletos.ts';
import { buildFiscalDocument, type SampleFiscalDocument } from './fiscal-documents.ts';
import type { SampleRows } from './load.ts';
import { type Bill, buildPayables } from './payables.ts';
import { buildPdf, buildPdfOfSize } from './pdf.ts';
import { buildPeople, type People } from './people.ts';
import { type Plan, planPayables, usualTerms } from './plans.ts';
import type { WorkspaceProfile } from './profiles.ts';
import { buildReceipts } from './receipts.ts';
import { buildReceivables } from './receivables.ts';
import { buildRecurrences, type Recurrences } from './recurrences.ts';
import { planSales, type SalePlan } from './sales.ts';
import type { NewRow, Setting } from './setting.ts';
import { buildMovements } from './settlements.ts';
import { buildStatements, planStated, type SampleStatement } from './statements.ts';
import { buildTransfers } from './transfers.ts';

/** Records that tests and documents point to. */
export interface Example {
  readonly name: string;
  readonly kind: string;
  readonly id: string;
}

export interface WorkspaceSample {
  readonly rows: SampleRows;
  /** To be brought in once the rows are there. */
  readonly statements: readonly SampleStatement[];
  /** Empty where the profile asks for none. */
  readonly examples: readonly Example[];
}

export async function buildWorkspace(setting: Setting, profile: WorkspaceProfile): Promise<WorkspaceSample> {
  const companies = buildCompanies(setting, profile.companies);
  const people = buildPeople(setting, profile.firstSupplierCnpj);
  const classification = buildClassification(setting);
  const accounts = buildAccounts(setting, companies);
  const { suppliers, customers } = people;
  const { approvalAbove, hasExamples } = profile;
  const fiscal = profile.fiscalDocuments.map((plan) =>
    buildFiscalDocument(setting, plan, { suppliers, companies }),
  );
  const recurrences = buildRecurrences(setting, people, companies, classification);
  const plans = planEverything(setting, profile, { people, companies, fiscal, recurrences });
  const given = { companies, accounts, classification };
  const bills = buildPayables(setting, plans.bills, { ...given, approvalAbove });
  const paid = buildMovements(setting, bills);
  const sales = buildReceivables(setting, plans.sales, given);
  const charged = await buildCharges(setting, sales, companies);
  const received = buildReceipts(setting, sales, charged.paidOf);
  const transfers = buildTransfers(setting, accounts);
  const settled = [...paid.transactions, ...received.transactions];
  const byHand = buildByHand(setting, accounts, settled, { classification, customers });
  const transactions = [...settled, ...transfers.transactions, ...byHand.transactions];
  const settlements = [...paid.settlements, ...received.settlements];
  const { charges } = charged;
  const told = { accounts, bills, sales, charges, settlements, transactions, stated: byHand.stated };
  const { statements, unknown } = buildStatements(setting, told);
  const files = hasExamples ? buildFiles(setting) : null;
  const stored = [...fiscal.map(({ file }) => file), ...Object.values(files ?? {}), ...charged.files];
  return {
    rows: {
      companies,
      people: [...suppliers.map(({ person }) => person), ...customers],
      categories: classification.categories,
      cost_centers: classification.costCenters,
      financial_accounts: allAccounts(accounts),
      account_balances: buildBalances(setting, accounts, [...transactions, ...unknown]),
      transfers: transfers.transfers,
      financial_transactions: transactions,
      attachments: stored.map(({ attachment }) => attachment),
      attachment_contents: stored.map(({ content }) => content),
      attachment_links: [
        ...fiscal.flatMap((document) => linksOf(document, bills)),
        ...(files === null ? [] : exampleLinks(files, bills)),
        ...charged.links,
      ],
      fiscal_documents: fiscal.map(({ row }) => row),
      recurrences: recurrences.rows,
      dda_boletos: await buildDdaBoletos(setting, companies, accounts, bills),
      payables: bills.map(({ row }) => row),
      receivables: sales.map(({ row }) => row),
      payments: paid.payments,
      charges,
      charge_numbers: charged.numbers,
      charge_deliveries: charged.deliveries,
      bank_commands: [...paid.commands, ...charged.commands, ...transfers.commands],
      settlements,
      automatic_rules: buildAutomaticRules(setting, classification),
      approval_settings: buildApprovalSettings(setting, approvalAbove),
    },
    statements,
    examples: files === null ? [] : examplesOf(bills, files, fiscal, accounts.checking[0]!, companies[0]!),
  };
}

function planEverything(
  setting: Setting,
  profile: WorkspaceProfile,
  given: {
    people: People;
    companies: readonly NewRow<'companies'>[];
    fiscal: readonly SampleFiscalDocument[];
    recurrences: Recurrences;
  },
): { bills: Plan[]; sales: SalePlan[] } {
  const { people, companies, fiscal, recurrences } = given;
  const stated = planStated(setting, people, companies[0]!);
  return {
    bills: [
      ...planPayables(setting, people.suppliers, profile.payables),
      ...fiscal.flatMap((document) => document.plans),
      ...recurrences.bills,
      ...stated.bills,
      ...(profile.hasExamples ? planExamples(setting, people, companies) : []),
    ],
    sales: [
      ...planSales(setting, people.customers, profile.receivables),
      ...recurrences.sales,
      ...stated.sales,
    ],
  };
}

function planExamples(setting: Setting, people: People, companies: readonly NewRow<'companies'>[]): Plan[] {
  const { today } = setting;
  const { suppliers, withNewDetails } = people;
  const byBoleto = suppliers.find(({ trade }) => trade.name === 'Embalagens')!;
  const byPix = suppliers.find(
    (supplier) => supplier.trade.paidBy === 'pix_key' && supplier !== withNewDetails,
  )!;
  const usual = {
    fate: 'open',
    issueDate: addDays(today, -10),
    terms: usualTerms,
    company: companies[0]!,
  } as const;
  return [
    {
      ...usual,
      example: 'payable_ready_to_send',
      supplier: byBoleto,
      paidBy: 'boleto',
      amount: 123_456,
      dueDate: addBusinessDays(today, 3),
      documentNumber: 'EX-0001',
    },
    {
      ...usual,
      example: 'payable_overdue',
      fate: 'overdue',
      supplier: byBoleto,
      paidBy: 'boleto',
      amount: 500_000,
      dueDate: previousBusinessDay(addDays(today, -20)),
      issueDate: addDays(today, -50),
      documentNumber: 'EX-0002',
    },
    {
      ...usual,
      example: 'payable_with_pix_key',
      supplier: byPix,
      paidBy: 'pix_key',
      amount: 78_990,
      dueDate: addBusinessDays(today, 5),
      documentNumber: 'EX-0003',
    },
    {
      ...usual,
      example: 'payable_with_new_bank_details',
      supplier: withNewDetails,
      paidBy: 'pix_key',
      amount: 245_000,
      dueDate: addBusinessDays(today, 2),
      documentNumber: 'EX-0004',
    },
  ];
}

interface ExampleFiles {
  readonly pdf: StoredFile;
  readonly tenMib: StoredFile;
}

function buildFiles(setting: Setting): ExampleFiles {
  const pdf = buildPdf('Boleto de exemplo');
  const tenMib = buildPdfOfSize('Contrato de exemplo', FILE_BYTES_MAX, setting.random);
  return {
    pdf: storeFile(
      setting,
      { name: 'boleto.pdf', contentType: 'application/pdf', kind: 'boleto', bytes: pdf },
      9,
    ),
    tenMib: storeFile(
      setting,
      { name: 'contrato.pdf', contentType: 'application/pdf', kind: 'contract', bytes: tenMib },
      8,
    ),
  };
}

/** An invoice's file belongs to the document and to every bill made from it. */
function linksOf({ row, file }: SampleFiscalDocument, bills: readonly Bill[]): NewRow<'attachment_links'>[] {
  const own = bills.filter(({ plan }) => plan.fiscalDocumentId === row.id);
  return [
    linkFile(file, { kind: 'fiscal_document', id: row.id }),
    ...own.map((bill) => linkFile(file, { kind: 'payable', id: bill.row.id })),
  ];
}

function exampleLinks({ pdf, tenMib }: ExampleFiles, bills: readonly Bill[]): NewRow<'attachment_links'>[] {
  return [
    linkFile(pdf, { kind: 'payable', id: exampleBill(bills, 'payable_ready_to_send').row.id }),
    linkFile(tenMib, { kind: 'payable', id: exampleBill(bills, 'payable_with_pix_key').row.id }),
  ];
}

function examplesOf(
  bills: readonly Bill[],
  files: ExampleFiles,
  fiscal: readonly SampleFiscalDocument[],
  account: { id: string },
  company: { id: string },
): Example[] {
  const [utf8, latin1] = fiscal;
  const ready = exampleBill(bills, 'payable_ready_to_send');
  const payables = bills.flatMap(({ plan, row }) =>
    plan.example === undefined ? [] : [{ name: plan.example, kind: 'payable', id: row.id }],
  );
  return [
    ...payables,
    { name: 'account', kind: 'financial_account', id: account.id },
    { name: 'supplier', kind: 'person', id: ready.row.person_id },
    { name: 'company', kind: 'company', id: company.id },
    { name: 'fiscal_document', kind: 'fiscal_document', id: utf8!.row.id },
    { name: 'attachment_pdf', kind: 'attachment', id: files.pdf.attachment.id },
    { name: 'attachment_xml_utf8', kind: 'attachment', id: utf8!.file.attachment.id },
    { name: 'attachment_xml_latin1', kind: 'attachment', id: latin1!.file.attachment.id },
    { name: 'attachment_ten_mib', kind: 'attachment', id: files.tenMib.attachment.id },
  ];
}

function exampleBill(bills: readonly Bill[], name: string): Bill {
  const found = bills.find(({ plan }) => plan.example === name);
  if (found === undefined) throw new RangeError(`no example ${name}`);
  return found;
}
