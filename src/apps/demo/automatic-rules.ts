/** Ten rules that classify what comes in with a telling text. */

import { addDays } from '../../core/dates.ts';
import { plainLetters } from '../../core/text.ts';
import type { Classification } from './classification.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';

const MADE_DAYS_AGO = 200;

interface RulePlan {
  readonly pattern: string;
  readonly category: string;
  readonly scope: 'transactions' | 'documents' | 'all';
  readonly match?: 'equals';
  readonly notes?: string;
  readonly method?: string;
  readonly hasCostCenter?: boolean;
}

/** In their order: the first that matches wins. */
const plans: readonly RulePlan[] = [
  {
    pattern: 'Tarifa manutenção conta',
    match: 'equals',
    category: 'Tarifas bancárias',
    scope: 'transactions',
  },
  {
    pattern: 'tarifa',
    category: 'Tarifas bancárias',
    scope: 'transactions',
    notes: 'Conferir com o gerente',
  },
  { pattern: 'vendas cartão', category: 'Venda de mercadorias', scope: 'transactions' },
  { pattern: 'rendimento', category: 'Rendimentos de aplicação', scope: 'transactions' },
  { pattern: 'conta de energia', category: 'Energia elétrica', scope: 'all', hasCostCenter: true },
  { pattern: 'conta de água', category: 'Água e esgoto', scope: 'all', hasCostCenter: true },
  { pattern: 'internet', category: 'Internet e telefone', scope: 'all' },
  { pattern: 'aluguel', category: 'Aluguel', scope: 'all', method: 'ted' },
  { pattern: 'licença de software', category: 'Software', scope: 'documents', method: 'pix' },
  { pattern: 'assinatura', category: 'Assinaturas', scope: 'documents' },
];

export function buildAutomaticRules(
  setting: Setting,
  { leaf, costCenterIds }: Classification,
): NewRow<'automatic_rules'>[] {
  const createdAt = instantOn(addDays(setting.today, -MADE_DAYS_AGO), setting.random);
  return plans.map(({ pattern, category, scope, match, notes, method, hasCostCenter }, index) => ({
    ...bornAt(setting, createdAt),
    pattern,
    search_pattern: plainLetters(pattern),
    match: match ?? 'contains',
    scope,
    category_id: leaf(category),
    person_id: null,
    cost_center_id: hasCostCenter ? costCenterIds[0]! : null,
    payment_method: method ?? null,
    notes: notes ?? null,
    position: index + 1,
    active: true,
    updated_at: createdAt,
    version: 1,
  }));
}
