/** Words of the letters, all in Portuguese: they go to people in Brazil. */

import { formatBrl } from '../../core/money.ts';

export const methodWords: Readonly<Record<string, string>> = {
  boleto: 'boleto',
  pix: 'Pix',
  card: 'cartão',
  transfer: 'transferência',
  cash: 'dinheiro',
  notary: 'cartório',
  other: 'outro meio',
  agreement: 'parcela de acordo',
};

export const agreementWords: Readonly<Record<string, string>> = {
  proposed: 'proposto',
  accepted: 'aceito',
  active: 'em vigor',
  completed: 'cumprido',
  rejected: 'recusado',
  expired: 'expirado',
  canceled: 'cancelado',
  broken: 'rompido',
};

export const installmentWords: Readonly<Record<string, string>> = {
  open: 'em aberto',
  paid: 'paga',
  canceled: 'cancelada',
};

export const titleWords: Readonly<Record<string, string>> = {
  DM: 'duplicata mercantil',
  DMI: 'duplicata mercantil por indicação',
  DS: 'duplicata de serviço',
  DSI: 'duplicata de serviço por indicação',
  CH: 'cheque',
  NP: 'nota promissória',
  LC: 'letra de câmbio',
  CCB: 'cédula de crédito bancário',
  CCC: 'cédula de crédito comercial',
  CTR: 'contrato',
};

/** An amount as the columns of a table show it: `1.234,56`. */
export function amount(cents: number): string {
  return formatBrl(cents).replace('R$ ', '');
}

/** `1 parcela`, `2 parcelas`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
