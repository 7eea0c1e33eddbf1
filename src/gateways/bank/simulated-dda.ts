/**
 * A simulated inbox of announced boletos: for each holder a few boletos a month, the same ones whenever they are asked
 * for. Codes are real in form; beneficiaries are made up, and nothing is remembered.
 */

import { createHash } from 'node:crypto';
import { adjustedDueDateOf, NO_TERMS } from '../../core/accruals.ts';
import { addDays, type CivilDate, civilDateAt } from '../../core/dates.ts';
import { buildBoleto } from '../../core/documents/boleto.ts';
import { cnpjCheckDigits } from '../../core/documents/tax-id.ts';
import type { AnnouncedBoleto, DdaDesk } from './port.ts';

/** One boleto falls due every so many days. */
const EVERY_DAYS = 9;
const EPOCH = '2026-01-01';
/** Announced this long before it is due. */
const ANNOUNCED_DAYS = 20;
const BOLETOS_MAX = 60;
const BANK_TIME_ZONE = 'America/Sao_Paulo';
const MILLION = 1_000_000;

const beneficiaries = [
  'Energia do Vale Distribuidora S.A.',
  'Papelaria Horizonte Ltda',
  'Telefonia Litoral S.A.',
  'Transportes Serra Azul Ltda',
  'Sistemas Araucária Ltda',
] as const;

/** `seed` tells one simulated bank from another. */
export function createSimulatedDda(seed = ''): DdaDesk {
  return {
    async announced({ holderDocument }, from, to, now) {
      const today = civilDateAt(now, BANK_TIME_ZONE);
      const last = [to, addDays(today, ANNOUNCED_DAYS)].sort()[0]!;
      const found: AnnouncedBoleto[] = [];
      for (const dueDate of daysOf(seed, holderDocument, from, last)) {
        found.push(boletoOf(seed, holderDocument, dueDate, today));
      }
      return found;
    },
    async reject() {},
  };
}

/** The days within these on which the holder has a boleto to pay, the latest ones when there are too many. */
function daysOf(seed: string, holder: string, from: CivilDate, to: CivilDate): CivilDate[] {
  const days: CivilDate[] = [];
  const shift = numberOf(seed, holder, 'shift') % EVERY_DAYS;
  const passed = Math.floor((Date.parse(to) - Date.parse(EPOCH)) / 86_400_000) - shift;
  const latest = addDays(EPOCH, shift + Math.floor(passed / EVERY_DAYS) * EVERY_DAYS);
  for (let day = latest; day >= from && days.length < BOLETOS_MAX; day = addDays(day, -EVERY_DAYS))
    days.push(day);
  return days.reverse();
}

function boletoOf(seed: string, holder: string, dueDate: CivilDate, today: CivilDate): AnnouncedBoleto {
  const number = (purpose: string) => numberOf(seed, `${holder} ${dueDate}`, purpose);
  const which = number('beneficiary') % beneficiaries.length;
  const amount = 5_000 + (number('amount') % 250_000);
  const reference = `DDA${number('reference')}`;
  const root = `${String(10_000_000 + which * 1_111_111)}0001`;
  const { barcode } = buildBoleto({
    bankCode: '237',
    dueDate,
    amountCents: amount,
    freeField: String(number('free') * MILLION + (number('more') % MILLION))
      .padStart(25, '0')
      .slice(-25),
  });
  return {
    reference,
    barcode,
    beneficiary: { name: beneficiaries[which]!, documentNumber: root + cnpjCheckDigits(root) },
    payerDocument: holder,
    documentNumber: String(number('document') % MILLION),
    nominalAmount: amount,
    amount,
    minAmount: null,
    maxAmount: null,
    allowsPartial: false,
    issueDate: addDays(dueDate, -ANNOUNCED_DAYS),
    dueDate,
    terms: {
      ...NO_TERMS,
      fine: { kind: 'percent', percent: 20_000 },
      interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
    },
    status: adjustedDueDateOf(dueDate) < today ? 'overdue' : 'open',
  };
}

/** A number below ten digits that follows from its words. */
function numberOf(...words: string[]): number {
  return createHash('sha256').update(words.join('\n')).digest().readUIntBE(0, 4);
}
