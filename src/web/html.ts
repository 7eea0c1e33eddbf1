/** Pages as text in which every value is escaped, unless it is markup made here. */

/** Markup; nothing else goes into a page unescaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type Value = Html | string | number | false | null | undefined | readonly Value[];

/**
 * Builds markup of a template. Texts and numbers are escaped for elements and quoted attributes alike; lists are joined;
 * false, null and undefined print nothing. A value belongs between tags or inside a quoted attribute, never in a script,
 * a style or an unquoted attribute.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = strings[0]!;
  for (const [index, value] of values.entries()) text += textOf(value) + strings[index + 1]!;
  return new Html(text);
}

function textOf(value: Value): string {
  if (value === false || value === null || value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(textOf).join('');
  return escapeHtml(String(value));
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The text as it may stand between tags and in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character]!);
}
