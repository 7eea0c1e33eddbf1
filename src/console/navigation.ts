/** What the navigation offers: only what there is a page for and the person may see. */

import type { Locale } from '../core/caller.ts';
import type { IconName } from '../web/icons.ts';
import type { NavLink } from '../web/layout.ts';
import type { Titles } from './page.ts';

interface Entry {
  readonly path: string;
  readonly label: Titles;
  readonly icon: IconName;
  /** One of these is needed; none: everybody sees it. */
  readonly scopes: readonly string[];
}

const entries: readonly Entry[] = [
  entry('/console', 'home', 'Início', 'Home'),
  entry('/console/payables', 'payables', 'A pagar', 'Payables', 'finance.payables'),
  entry('/console/receivables', 'receivables', 'A receber', 'Receivables', 'finance.receivables'),
  entry('/console/cash-flow', 'cashFlow', 'Fluxo de caixa', 'Cash flow', 'finance.reports'),
  entry('/console/dunning', 'dunning', 'Cobrança', 'Dunning', 'dunning.metrics'),
  entry('/console/approvals', 'approvals', 'Aprovações', 'Approvals'),
  entry('/console/timeline', 'timeline', 'O que aconteceu', 'Timeline', 'finance.events', 'dunning.events'),
  entry('/console/connections', 'connections', 'Conexões', 'Connections'),
  entry('/console/people', 'people', 'Pessoas', 'People', 'account.people'),
  entry('/console/settings', 'settings', 'Configurações', 'Settings'),
];

function entry(path: string, icon: IconName, pt: string, en: string, ...scopes: string[]): Entry {
  return { path, icon, label: { 'pt-BR': pt, en }, scopes };
}

/** The entry a page belongs to: the longest that its path starts with, else home. */
export function sectionOf(path: string): string {
  const found = entries.filter((each) => path === each.path || path.startsWith(`${each.path}/`));
  return found.toSorted((one, other) => other.path.length - one.path.length)[0]?.path ?? '/console';
}

export interface NavigationOptions {
  readonly locale: Locale;
  readonly can: (scope: string) => boolean;
  readonly exists: (path: string) => boolean;
  readonly section: string;
  readonly pendingApprovals: NavLink['count'];
}

/** The links, in their order. */
export function navigationOf(options: NavigationOptions): NavLink[] {
  const { locale, can, exists, section, pendingApprovals } = options;
  return entries
    .filter(({ path, scopes }) => exists(path) && (scopes.length === 0 || scopes.some(can)))
    .map(({ path, label, icon }) => ({
      href: path,
      label: label[locale],
      icon,
      isCurrent: path === section,
      count: path === '/console/approvals' ? pendingApprovals : undefined,
    }));
}
