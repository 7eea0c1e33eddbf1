/** Rules, messages, what debtors say about being written to, and time. */

import { type Act, chargeFor, pick } from './portfolio-step.ts';

export const assign: Act = (portfolio, step) => {
  const { rules } = portfolio.base;
  return portfolio.call('dunning_charges_bulk_assign_rule', {
    ids: [chargeFor(portfolio, step).id, pick(portfolio.state.charges, step.other)!.id],
    rule_id: step.way % 4 === 0 ? null : pick(rules, step.way)!,
    start_from: step.way % 3 === 0 ? 'next_step' : 'today',
  });
};

export const notify: Act = (portfolio, step) =>
  portfolio.call('dunning_charges_notify', {
    id: chargeFor(portfolio, step).id,
    channel: 'email',
    template_id: portfolio.base.templates.email,
  });

export const work: Act = async (portfolio) => {
  await portfolio.work();
  return { output: null };
};

export const wait: Act = async (portfolio, { days, way }) => {
  await portfolio.wait(days, way % 3 === 0 ? '17:05' : '13:05');
  return { output: null };
};

/** Somebody does not want to be written to, or does again. */
export const silence: Act = async (portfolio, { which, way }) => {
  const person = pick(portfolio.base.people, which)!;
  if (way % 3 === 0) {
    return portfolio.call('dunning_people_update', { id: person, do_not_contact: way % 2 === 0 });
  }
  const contact = pick(portfolio.base.contacts, which + way)!;
  return portfolio.call('dunning_person_contacts_update', {
    id: contact,
    ...(way % 3 === 1
      ? { consent: way % 2 === 0 ? 'given' : 'opted_out' }
      : { validity: way % 2 === 0 ? 'valid' : 'wrong_person' }),
  });
};

const outcomes = ['claims_paid', 'refused', 'promised', 'no_answer'] as const;

/** What a debtor says on the telephone is kept and does nothing by itself. */
export const tell: Act = async (portfolio, step) => {
  const charge = chargeFor(portfolio, step);
  return portfolio.call('dunning_interactions_create', {
    person_id: charge.person_id,
    charge_ids: [charge.id],
    kind: 'call',
    direction: 'inbound',
    outcome: pick(outcomes, step.way)!,
    summary: 'Random',
  });
};
