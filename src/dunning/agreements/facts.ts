/** What a person reads before an agreement is sent, made binding, refused or undone. */

import { formatDateBr } from '../../core/dates.ts';
import { onDate, ours, outside, type Words } from '../../core/facts.ts';
import { formatBrl } from '../../core/money.ts';
import type { Fact } from '../../core/operation.ts';
import type { ChargeRow } from '../charges/index.ts';
import { personFacts } from '../people/index.ts';
import type { InstallmentRow } from './part-queries.ts';
import type { AgreementRow } from './queries.ts';
import { hasDownPayment } from './rules.ts';

/** The debtor and the figures of the agreement. */
export function agreementFacts(agreement: AgreementRow, installments: readonly InstallmentRow[]): Fact[] {
  const { person_name: name, person_document_number: document_number } = agreement;
  return [
    ...personFacts({ name, document_number }),
    ours('original_total', 'Dívida no acordo', 'Debt in it', formatBrl(agreement.original_total_cents)),
    ours('discount', 'Desconto', 'Discount', formatBrl(agreement.discount_cents)),
    ours(
      'negotiated_total',
      'Total a pagar',
      'Total to be paid',
      formatBrl(agreement.negotiated_total_cents),
    ),
    ...scheduleFacts(agreement, installments),
  ];
}

/** What is in it, and what becomes of that once it binds. */
export function acceptanceFacts(charges: readonly ChargeRow[], campaignName: string | null): Fact[] {
  const legal = charges.filter(({ legal_kind }) => legal_kind !== null).length;
  return [
    ours('charges', 'Cobranças no acordo', 'Charges in it', String(charges.length)),
    ...(campaignName === null ? [] : [outside('campaign', 'Campanha', 'Campaign', campaignName)]),
    ...(legal === 0
      ? []
      : [
          ours('legal_actions', 'Negativações e protestos em curso', 'Live reports and protests', {
            'pt-BR': `${legal}; são cancelados ou retirados conforme as configurações`,
            en: `${legal}; canceled or removed as the settings say`,
          }),
        ]),
    ours('effect', 'Efeito', 'Effect', {
      'pt-BR': 'o acordo passa a valer; as cobranças deixam de ser cobradas uma a uma',
      en: 'the agreement binds; its charges are no longer collected one by one',
    }),
  ];
}

/** What undoing a live agreement, or calling off a proposal, does. */
export function cancelFacts(agreement: AgreementRow, isLive: boolean): Fact[] {
  return [
    ours('paid', 'Já pago nele', 'Paid on it so far', formatBrl(agreement.paid_cents)),
    ours(
      'effect',
      'Efeito',
      'Effect',
      isLive
        ? {
            'pt-BR':
              'o desconto é perdido; o que foi pago fica nas cobranças, que voltam a ser cobradas com multa e juros',
            en: 'the discount is lost; what was paid stays on the charges, which are collected again with fine and interest',
          }
        : { 'pt-BR': 'a proposta deixa de valer', en: 'the proposal is called off' },
    ),
  ];
}

function scheduleFacts({ valid_until }: AgreementRow, installments: readonly InstallmentRow[]): Fact[] {
  const [first] = installments;
  const last = installments.at(-1)!;
  const rest = hasDownPayment(first!.due_date, valid_until) ? installments.slice(1) : installments;
  const down = rest.length < installments.length ? first! : null;
  return [
    ...(down === null ? [] : [ours('down_payment', 'Entrada', 'Down payment', whenAndHowMuch(down))]),
    ...(rest.length === 0 ? [] : [ours('installments', 'Parcelas', 'Installments', installmentWords(rest))]),
    onDate('last_due_date', 'Último vencimento', 'Last due date', last.due_date),
    onDate('valid_until', 'Pode ser aceito até', 'May be accepted until', valid_until),
  ];
}

function installmentWords(installments: readonly InstallmentRow[]): Words {
  const amounts = [...new Set(installments.map(({ amount_cents }) => amount_cents))];
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const first = installments[0]!.due_date;
  const count = installments.length;
  return least === most
    ? {
        'pt-BR': `${count} de ${formatBrl(most)}, a primeira em ${formatDateBr(first)}`,
        en: `${count} of ${formatBrl(most)}, the first on ${first}`,
      }
    : {
        'pt-BR': `${count} de ${formatBrl(least)} a ${formatBrl(most)}, a primeira em ${formatDateBr(first)}`,
        en: `${count} of ${formatBrl(least)} to ${formatBrl(most)}, the first on ${first}`,
      };
}

function whenAndHowMuch({ amount_cents: cents, due_date: on }: InstallmentRow): Words {
  return { 'pt-BR': `${formatBrl(cents)} em ${formatDateBr(on)}`, en: `${formatBrl(cents)} on ${on}` };
}
