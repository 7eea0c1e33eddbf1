/** What suppliers sell, what it costs and how they like to be paid; invented words for their names. */

import type { Cents } from '../../core/money.ts';

export type PaidBy = 'boleto' | 'utility' | 'pix_key' | 'pix_code' | 'ted' | 'cash';

export interface Trade {
  readonly name: string;
  readonly category: string;
  readonly description: string;
  readonly paidBy: PaidBy;
  readonly from: Cents;
  readonly to: Cents;
  /** A service of which federal taxes are kept back. */
  readonly hasWithholdings?: boolean;
  /** Second digit of a utility or tax bill. */
  readonly segment?: string;
}

/** A supplier of a workspace is of the trade at its place in this list, round and round. */
export const trades: readonly Trade[] = [
  trade('Alimentos', 'Mercadoria para revenda', 'Compra de mercadorias', 'boleto', 80_000, 2_400_000),
  trade('Embalagens', 'Embalagens', 'Compra de embalagens', 'boleto', 30_000, 450_000),
  trade('Energia', 'Energia elétrica', 'Conta de energia', 'utility', 40_000, 680_000, { segment: '3' }),
  trade('Saneamento', 'Água e esgoto', 'Conta de água', 'utility', 12_000, 140_000, { segment: '2' }),
  trade('Telecom', 'Internet e telefone', 'Internet e telefone', 'utility', 15_000, 120_000, {
    segment: '4',
  }),
  trade('Imóveis', 'Aluguel', 'Aluguel', 'ted', 350_000, 1_800_000),
  trade('Contabilidade', 'Contabilidade', 'Honorários contábeis', 'ted', 90_000, 380_000, {
    hasWithholdings: true,
  }),
  trade('Limpeza', 'Limpeza', 'Serviço de limpeza', 'pix_key', 45_000, 320_000),
  trade('Manutenção', 'Manutenção', 'Manutenção de equipamentos', 'pix_key', 20_000, 900_000, {
    hasWithholdings: true,
  }),
  trade('Transportes', 'Fretes', 'Fretes do período', 'pix_code', 18_000, 560_000),
  trade('Sistemas', 'Software', 'Licença de software', 'pix_code', 9_900, 250_000),
  trade('Municipal', 'Taxas municipais', 'Taxa municipal', 'utility', 8_000, 95_000, { segment: '1' }),
];

/** What people without a company do. */
export const personalTrades: readonly Trade[] = [
  trade('Consultoria', 'Consultoria', 'Consultoria', 'pix_key', 60_000, 700_000),
  trade('Entregas', 'Fretes', 'Entregas avulsas', 'pix_key', 8_000, 90_000),
];

/** Those who gave no document are paid in cash. */
export const streetTrade = trade('Avulso', 'Combustível', 'Despesa avulsa', 'cash', 2_000, 45_000);

export const inventedNames: readonly string[] = [
  'Orvalume',
  'Norvesta',
  'Serralume',
  'Valdoar',
  'Campolar',
  'Ventonorte',
  'Marlunar',
  'Pedrazul',
  'Solviva',
  'Brisal',
  'Montelume',
  'Riovivo',
];

export const firstNames: readonly string[] = [
  'Helena',
  'Caio',
  'Marina',
  'Tales',
  'Bruna',
  'Otávio',
  'Lívia',
  'Ciro',
];

function trade(
  name: string,
  category: string,
  description: string,
  paidBy: PaidBy,
  from: Cents,
  to: Cents,
  more: { hasWithholdings?: boolean; segment?: string } = {},
): Trade {
  return { name, category, description, paidBy, from, to, ...more };
}
