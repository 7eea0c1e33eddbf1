/** What each role may do: the one table of permissions (scopes as in `<family>` to read, `<family>.write` to change). */

export const roleNames = ['owner', 'admin', 'finance', 'collections', 'accountant', 'viewer'] as const;
export type Role = (typeof roleNames)[number];

const financeFamilies = [
  'finance.companies',
  'finance.people',
  'finance.categories',
  'finance.cost_centers',
  'finance.automatic_rules',
  'finance.financial_accounts',
  'finance.financial_transactions',
  'finance.payables',
  'finance.payments',
  'finance.dda_boletos',
  'finance.receivables',
  'finance.charges',
  'finance.bank_returns',
  'finance.transfers',
  'finance.reconciliations',
  'finance.recurrences',
  'finance.statement_imports',
  'finance.fiscal_documents',
  'finance.attachments',
  'finance.reports',
  'finance.settings',
] as const;

const dunningFamilies = [
  'dunning.people',
  'dunning.charges',
  'dunning.collection_rules',
  'dunning.templates',
  'dunning.notifications',
  'dunning.agreements',
  'dunning.disputes',
  'dunning.legal',
  'dunning.campaigns',
  'dunning.webhooks',
  'dunning.metrics',
  'dunning.settings',
] as const;

/** What is done in the console alone: people and roles, everybody's connections, what workspaces let happen. */
const accountFamilies = ['account.people', 'account.connections', 'account.settings'] as const;

/** Families whose tools only read. */
const computed: readonly string[] = ['finance.reports', 'dunning.metrics'];

const reads = (families: readonly string[]) => families;
const writes = (families: readonly string[]) =>
  families.flatMap((family) => (computed.includes(family) ? [family] : [family, `${family}.write`]));

/** Rights that a family does not give: seeing bank details, sending money, contacting, acting by law. */
const financeSends = ['finance.payments.send', 'finance.charges.send', 'finance.transfers.send'];
const dunningSends = ['dunning.notifications.send', 'dunning.legal.request', 'dunning.legal.approve'];
const approves = ['finance.payables.approve'];
const seesBankDetails = ['finance.people.bank_details'];
const audits = ['finance.events', 'dunning.events'];

/** What the finance team may change: everything but the rules it is itself held to. */
const financeDuties = financeFamilies.filter((family) => family !== 'finance.settings');

const everything = [
  ...writes(financeFamilies),
  ...writes(dunningFamilies),
  ...writes(accountFamilies),
  ...financeSends,
  ...dunningSends,
  ...approves,
  ...seesBankDetails,
  ...audits,
];

/** Only an owner makes owners. */
const ownerDuties = ['account.owners.write'];

export const roleScopes: Readonly<Record<Role, ReadonlySet<string>>> = {
  owner: new Set([...everything, ...ownerDuties]),
  admin: new Set(everything),
  finance: new Set([
    ...writes(financeDuties),
    'finance.settings',
    ...financeSends,
    ...approves,
    ...seesBankDetails,
  ]),
  collections: new Set([
    ...writes(dunningFamilies),
    'dunning.notifications.send',
    'dunning.legal.request',
    'finance.receivables',
    'finance.people',
  ]),
  accountant: new Set([
    ...reads(financeFamilies),
    ...writes([
      'finance.categories',
      'finance.cost_centers',
      'finance.fiscal_documents',
      'finance.attachments',
    ]),
    ...audits,
  ]),
  viewer: new Set([...reads(financeFamilies), ...reads(dunningFamilies)]),
};
