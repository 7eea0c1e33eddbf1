/** Categories in three levels and cost centers. */

import { addDays } from '../../core/dates.ts';
import { FOUNDED_DAYS_AGO } from './companies.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';

interface Branch {
  readonly name: string;
  readonly kind: 'income' | 'expense';
  readonly group: string;
  /** Second level with its leaves. */
  readonly below: Readonly<Record<string, readonly string[]>>;
}

const tree: readonly Branch[] = [
  {
    name: 'Receitas',
    kind: 'income',
    group: 'revenue',
    below: {
      Vendas: ['Venda de mercadorias', 'Venda de serviços', 'Assinaturas'],
      'Outras receitas': ['Rendimentos de aplicação'],
    },
  },
  {
    name: 'Custos',
    kind: 'expense',
    group: 'costs',
    below: {
      Mercadorias: ['Mercadoria para revenda', 'Embalagens'],
      Logística: ['Fretes', 'Combustível'],
    },
  },
  {
    name: 'Despesas operacionais',
    kind: 'expense',
    group: 'operating_expenses',
    below: {
      Ocupação: ['Aluguel', 'Energia elétrica', 'Água e esgoto', 'Internet e telefone'],
      'Serviços de terceiros': ['Contabilidade', 'Limpeza', 'Manutenção', 'Consultoria'],
      Tecnologia: ['Software', 'Equipamentos'],
    },
  },
  {
    name: 'Despesas financeiras e tributos',
    kind: 'expense',
    group: 'financial_and_taxes',
    below: {
      Bancos: ['Tarifas bancárias'],
      Perdas: ['Perdas com clientes'],
      Tributos: ['Taxas municipais'],
    },
  },
];

const costCenterTree: Readonly<Record<string, readonly string[]>> = {
  Administrativo: [],
  Comercial: [],
  Operações: ['Depósito', 'Entregas'],
};

export interface Classification {
  readonly categories: readonly NewRow<'categories'>[];
  readonly costCenters: readonly NewRow<'cost_centers'>[];
  /** Id of a leaf category by its name. */
  readonly leaf: (name: string) => string;
  /** Cost centers without others below them. */
  readonly costCenterIds: readonly string[];
}

export function buildClassification(setting: Setting): Classification {
  const categories = tree.flatMap((branch, index) => categoriesOf(setting, branch, index + 1));
  const costCenters = buildCostCenters(setting);
  const parents = new Set(costCenters.map(({ parent_id }) => parent_id));
  return {
    categories,
    costCenters,
    leaf(name) {
      const found = categories.find((category) => category.name === name);
      if (found === undefined) throw new RangeError(`no category ${name}`);
      return found.id;
    },
    costCenterIds: costCenters.filter(({ id }) => !parents.has(id)).map(({ id }) => id),
  };
}

function categoriesOf(setting: Setting, branch: Branch, place: number): NewRow<'categories'>[] {
  const row = (name: string, parentId: string | null, code: string): NewRow<'categories'> => ({
    ...founded(setting),
    name,
    kind: branch.kind,
    parent_id: parentId,
    code,
    statement_group: branch.group,
    active: true,
  });
  const top = row(branch.name, null, `${place}`);
  const rows = [top];
  for (const [index, [name, leaves]] of Object.entries(branch.below).entries()) {
    const middle = row(name, top.id, `${top.code}.${index + 1}`);
    rows.push(middle);
    rows.push(...leaves.map((leaf, number) => row(leaf, middle.id, `${middle.code}.${number + 1}`)));
  }
  return rows;
}

function buildCostCenters(setting: Setting): NewRow<'cost_centers'>[] {
  const rows: NewRow<'cost_centers'>[] = [];
  const add = (name: string, parentId: string | null) => {
    const code = `CC-${String(rows.length + 1).padStart(2, '0')}`;
    const row = { ...founded(setting), name, code, parent_id: parentId, active: true };
    rows.push(row);
    return row.id;
  };
  for (const [name, children] of Object.entries(costCenterTree)) {
    const id = add(name, null);
    for (const child of children) add(child, id);
  }
  return rows;
}

function founded(setting: Setting) {
  const createdAt = instantOn(addDays(setting.today, -FOUNDED_DAYS_AGO), setting.random);
  return { ...bornAt(setting, createdAt), updated_at: createdAt, version: 1 };
}
