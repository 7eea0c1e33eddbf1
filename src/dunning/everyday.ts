/**
 * The tools listed to a client that does not say which it wants: finding who owes what, what was said and agreed, and
 * the steps a collector takes most. Everything else is found with the search tools.
 */
export const everyday: readonly string[] = [
  'dunning_me',
  'dunning_people_list',
  'dunning_people_get',
  'dunning_person_contacts_list',
  'dunning_charges_list',
  'dunning_charges_get',
  'dunning_charges_balance',
  'dunning_charges_timeline',
  'dunning_charges_create',
  'dunning_charges_pause',
  'dunning_charges_resume',
  'dunning_charges_notify',
  'dunning_payments_create',
  'dunning_interactions_create',
  'dunning_payment_promises_create',
  'dunning_agreements_list',
  'dunning_agreements_simulate',
  'dunning_agreements_create',
  'dunning_metrics_overview',
  'dunning_metrics_recovery',
  'dunning_metrics_aging',
  'dunning_approvals_get',
];
