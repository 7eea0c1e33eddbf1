/** Words and forms that every page shares, in the two languages of the house. A page's own words stand in the page. */

import type { Locale } from '../core/caller.ts';
import type { CivilDate, CivilMonth } from '../core/dates.ts';

/** A page's own words: the same keys in both languages, for example `const text = { 'pt-BR': {…}, en: {…} } satisfies Texts`. */
export type Texts = Readonly<Record<Locale, Readonly<Record<string, unknown>>>>;

const shared = {
  'pt-BR': {
    yes: 'Sim',
    no: 'Não',
    save: 'Salvar',
    cancel: 'Cancelar',
    back: 'Voltar',
    continue: 'Continuar',
    remove: 'Remover',
    revoke: 'Revogar',
    filter: 'Filtrar',
    clear: 'Limpar filtros',
    all: 'Todos',
    search: 'Buscar',
    details: 'Detalhes',
    none: 'Nenhum',
    never: 'nunca',
    from: 'De',
    to: 'Até',
    nextPage: 'Próxima página',
    firstPage: 'Primeira página',
    skipToContent: 'Ir para o conteúdo',
    menu: 'Menu',
    mainNavigation: 'Navegação principal',
    workspace: 'Espaço de trabalho',
    change: 'Trocar',
    signOut: 'Sair',
    signedInAs: 'Conectado como',
    passkeys: 'Passkeys e senha',
    notice: 'Aviso',
    reference: 'Referência',
  },
  en: {
    yes: 'Yes',
    no: 'No',
    save: 'Save',
    cancel: 'Cancel',
    back: 'Back',
    continue: 'Continue',
    remove: 'Remove',
    revoke: 'Revoke',
    filter: 'Filter',
    clear: 'Clear filters',
    all: 'All',
    search: 'Search',
    details: 'Details',
    none: 'None',
    never: 'never',
    from: 'From',
    to: 'To',
    nextPage: 'Next page',
    firstPage: 'First page',
    skipToContent: 'Skip to content',
    menu: 'Menu',
    mainNavigation: 'Main navigation',
    workspace: 'Workspace',
    change: 'Change',
    signOut: 'Sign out',
    signedInAs: 'Signed in as',
    passkeys: 'Passkeys and password',
    notice: 'Notice',
    reference: 'Reference',
  },
} as const satisfies Texts;

type SharedWords = Readonly<Record<keyof (typeof shared)['en'], string>>;

/** The shared words of a language. */
export function words(locale: Locale): SharedWords {
  return shared[locale];
}

/**
 * The language of somebody we do not know yet, by what their browser asks for (RFC 9110, 12.5.4): Portuguese or English,
 * whichever is wanted more; without any wish Portuguese, and English for those who want neither.
 */
export function localeOf(acceptLanguage: string | undefined): Locale {
  const wishes = (acceptLanguage ?? '')
    .slice(0, 400)
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean);
      return { language: range.split('-', 1)[0]!, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ language, quality }) => language !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality);
  for (const { language } of wishes) {
    if (language === 'pt' || language === '*') return 'pt-BR';
    if (language === 'en') return 'en';
  }
  return wishes.length === 0 ? 'pt-BR' : 'en';
}

/** No line may end between the sign and its digits. */
const SPACE = '\u00a0';

/** An amount as the edge gives it ("-1234.56") in the form people read: "-R$ 1.234,56"; in English "-R$ 1,234.56". */
export function money(locale: Locale, amount: string): string {
  const isNegative = amount.startsWith('-');
  const [reais = '0', decimals = '00'] = amount.replace('-', '').split('.');
  const [group, point] = locale === 'en' ? [',', '.'] : ['.', ','];
  const grouped = reais.replace(/\B(?=(\d{3})+$)/g, group!);
  return `${isNegative ? '-' : ''}R$${SPACE}${grouped}${point}${decimals}`;
}

/** An amount for an axis or a small chart: "R$ 12,3 mil", "R$ 1,2 mi"; in English "R$ 12.3k", "R$ 1.2M". */
export function shortMoney(locale: Locale, amount: string): string {
  const reais = Number(amount);
  const format = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  return `${reais < 0 ? '-' : ''}R$${SPACE}${format.format(Math.abs(reais)).replaceAll(' ', SPACE)}`;
}

/** A whole number with its groups: "12.345". */
export function count(locale: Locale, value: number): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** A percentage as the edge gives it ("12.5") with its sign: "12,5%". */
export function percent(locale: Locale, value: string): string {
  return `${locale === 'en' ? value : value.replace('.', ',')}%`;
}

const months = {
  'pt-BR': ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'],
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
} as const;

/** A civil date: "01/12/2026"; in English "1 Dec 2026", which no reader takes for another day. */
export function date(locale: Locale, day: CivilDate): string {
  const [year = '', month = '', number = ''] = day.split('-');
  if (locale === 'pt-BR') return `${number}/${month}/${year}`;
  return `${Number(number)} ${months.en[Number(month) - 1]} ${year}`;
}

/** A civil date of a year that is plain from around it: "01/12"; in English "1 Dec". */
export function shortDate(locale: Locale, day: CivilDate): string {
  return locale === 'pt-BR' ? date(locale, day).slice(0, 5) : date(locale, day).slice(0, -5);
}

/** A month: "dez/2026"; in English "Dec 2026". */
export function monthName(locale: Locale, month: CivilMonth): string {
  const [year = '', number = ''] = month.split('-');
  return `${months[locale][Number(number) - 1]}${locale === 'pt-BR' ? '/' : ' '}${year}`;
}

/** An instant in a time zone: "01/12/2026, 09:30"; in English "1 Dec 2026, 09:30". */
export function dateTime(locale: Locale, instant: string | Date, timeZone: string): string {
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    dateStyle: locale === 'en' ? 'medium' : 'short',
    timeStyle: 'short',
    timeZone,
  }).format(new Date(instant));
}

const spans = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How far an instant is from now: "há 3 horas", "em 2 dias"; less than a minute is "agora". */
export function relativeTime(locale: Locale, instant: string | Date, now: Date): string {
  const awayMs = new Date(instant).getTime() - now.getTime();
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const [unit, unitMs] = spans.find(([, ms]) => Math.abs(awayMs) >= ms) ?? ['second', 1_000];
  return unit === 'second' ? format.format(0, 'second') : format.format(Math.trunc(awayMs / unitMs), unit);
}
