/** What each workspace of the sample has. */

import type { Cents } from '../../core/money.ts';
import type { CompanyPlan } from './companies.ts';
import type { FiscalPlan } from './fiscal-documents.ts';
import type { WorkspaceName } from './organization.ts';

export interface WorkspaceProfile {
  readonly seed: number;
  readonly payables: number;
  readonly receivables: number;
  /** Bills from this amount on are approved by a second person, where there are settings. */
  readonly approvalAbove: Cents | null;
  readonly companies: readonly CompanyPlan[];
  /** Lets the first supplier be the issuer of documents from outside the sample. */
  readonly firstSupplierCnpj?: string;
  /** The first two give the examples of both encodings. */
  readonly fiscalDocuments: readonly FiscalPlan[];
  readonly hasExamples: boolean;
}

/** Places of suppliers that sell goods. */
const goods = { first: 0, second: 12, third: 24 } as const;

const linked: FiscalPlan = {
  encoding: 'UTF-8',
  status: 'linked',
  daysAgo: 70,
  total: 1_250_000,
  installments: 3,
  supplierPlace: goods.first,
  companyPlace: 0,
};
const received: FiscalPlan = {
  encoding: 'UTF-8',
  status: 'new',
  daysAgo: 5,
  total: 234_567,
  installments: 1,
  supplierPlace: goods.second,
  companyPlace: 0,
};

export const profiles: Readonly<Record<WorkspaceName, WorkspaceProfile>> = {
  Matriz: {
    seed: 20_260_101,
    payables: 1_930,
    receivables: 950,
    approvalAbove: null,
    companies: [
      {
        cnpjBase: '112223330001',
        legalName: 'Aurora Comércio de Alimentos Ltda',
        tradeName: 'Aurora Matriz',
        city: 'São Paulo',
        state: 'SP',
        openMonths: 12,
      },
      {
        cnpjBase: '112223330002',
        legalName: 'Aurora Comércio de Alimentos Ltda',
        tradeName: 'Aurora Campinas',
        city: 'Campinas',
        state: 'SP',
        branchOf: 0,
      },
      {
        cnpjBase: '12ABC34501DE',
        legalName: 'Indústria Aurora de Exemplo Ltda',
        tradeName: 'Indústria Aurora',
        city: 'Osasco',
        state: 'SP',
      },
    ],
    firstSupplierCnpj: '05813794000126',
    fiscalDocuments: [
      linked,
      { ...linked, encoding: 'ISO-8859-1', daysAgo: 20, total: 480_010, installments: 2, companyPlace: 2 },
      received,
      { ...received, daysAgo: 3, total: 99_900, supplierPlace: goods.third },
      { ...received, encoding: 'ISO-8859-1', daysAgo: 2, total: 660_000, installments: 3, companyPlace: 1 },
    ],
    hasExamples: true,
  },
  'Filial Recife': {
    seed: 20_260_102,
    payables: 290,
    receivables: 140,
    approvalAbove: 1_000_000,
    companies: [
      {
        cnpjBase: '987654320001',
        legalName: 'Aurora Nordeste Distribuição Ltda',
        tradeName: 'Aurora Nordeste',
        city: 'Recife',
        state: 'PE',
      },
      {
        cnpjBase: '987654320002',
        legalName: 'Aurora Nordeste Distribuição Ltda',
        tradeName: 'Aurora Olinda',
        city: 'Olinda',
        state: 'PE',
        branchOf: 0,
      },
    ],
    fiscalDocuments: [linked, received],
    hasExamples: false,
  },
  Projetos: {
    seed: 20_260_103,
    payables: 290,
    receivables: 140,
    approvalAbove: null,
    companies: [
      {
        cnpjBase: 'AB12CD340001',
        legalName: 'Aurora Projetos e Consultoria Ltda',
        tradeName: 'Aurora Projetos',
        city: 'São Paulo',
        state: 'SP',
      },
      {
        cnpjBase: 'AB12CD340007',
        legalName: 'Aurora Projetos e Consultoria Ltda',
        tradeName: 'Aurora Projetos Sul',
        city: 'Curitiba',
        state: 'PR',
        branchOf: 0,
      },
    ],
    fiscalDocuments: [linked, received],
    hasExamples: false,
  },
};
