/** The parts forms are made of: each field with its label, hint and error tied to it. */

import type { Locale } from '../core/caller.ts';
import { type Html, html, type Value } from '../web/html.ts';
import type { PageProblem } from './page.ts';
import { problemText } from './problems.ts';

export interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
}

export interface InputOptions extends FieldOptions {
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'date' | 'search';
  readonly value?: string | undefined;
  /** Such as `current-password`; `off` where browsers must not fill in. */
  readonly autocomplete?: string;
  readonly inputMode?: 'decimal' | 'numeric';
  readonly lengthMax?: number;
  readonly isFocused?: boolean;
}

/** One line to write in. */
export function input(options: InputOptions): Html {
  const { name, type = 'text', value, autocomplete, inputMode, lengthMax, isRequired, isFocused } = options;
  return wrapped(
    options,
    html`<input id="${name}" name="${name}" type="${type}"${value !== undefined && html` value="${value}"`}${
      autocomplete !== undefined && html` autocomplete="${autocomplete}"`
    }${inputMode !== undefined && html` inputmode="${inputMode}"`}${
      lengthMax !== undefined && html` maxlength="${lengthMax}"`
    }${isRequired && html` required`}${isFocused && html` autofocus`}${described(options)}>`,
  );
}

/** Several lines to write in. */
export function textarea(options: FieldOptions & { value?: string; lengthMax: number }): Html {
  const { name, value = '', lengthMax, isRequired } = options;
  return wrapped(
    options,
    html`<textarea id="${name}" name="${name}" rows="3" maxlength="${lengthMax}"${isRequired && html` required`}${described(options)}>${value}</textarea>`,
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** One of several. */
export function select(
  options: FieldOptions & { readonly choices: readonly Choice[]; readonly value?: string | undefined },
): Html {
  const { name, choices, value, isRequired } = options;
  return wrapped(
    options,
    html`<select id="${name}" name="${name}"${isRequired && html` required`}${described(options)}>${choices.map(
      (choice) =>
        html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.label}</option>`,
    )}</select>`,
  );
}

/** Yes or no; a box that is not ticked is not sent. */
export function checkbox(options: FieldOptions & { readonly isChecked?: boolean }): Html {
  const { name, label, isChecked } = options;
  return html`<div class="field check"><input id="${name}" name="${name}" type="checkbox" value="yes"${
    isChecked && html` checked`
  }${described(options)}><label for="${name}">${label}</label>${hintAndError(options)}</div>`;
}

function wrapped(options: FieldOptions, control: Html): Html {
  return html`<div class="field"><label for="${options.name}">${options.label}</label>${hintAndError(options)}
${control}</div>`;
}

function hintAndError({ name, hint, error }: FieldOptions): Html {
  return html`${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}${
    error !== undefined && html`<p class="field-error" id="${name}-error">${error}</p>`
  }`;
}

function described({ name, hint, error }: FieldOptions): Html {
  const ids = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean);
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${error !== undefined && html` aria-invalid="true"`}`;
}

/** What went wrong with a form; `field` is the name of the field that it is about, null: of none. */
export interface FormError {
  readonly field: string | null;
  readonly text: string;
}

const summaryTitles: Readonly<Record<Locale, string>> = {
  'pt-BR': 'Não deu certo',
  en: 'That did not work',
};

/** All errors above the form, each leading to its field; the browser's focus starts here. */
export function errorSummary(locale: Locale, errors: readonly FormError[]): Html | false {
  if (errors.length === 0) return false;
  return html`<div class="errors" role="alert" tabindex="-1" autofocus>
<p class="errors-title">${summaryTitles[locale]}</p>
<ul>${errors.map(
    ({ field, text }) => html`<li>${field === null ? text : html`<a href="#${field}">${text}</a>`}</li>`,
  )}</ul>
</div>
`;
}

/**
 * The errors of a problem of REST, each at its field. `fields` says what to write for an argument that is not right, by
 * the start of its path; `codes` what to write for a code, where the shared words say too little.
 */
export function errorsOfProblem(
  locale: Locale,
  problem: PageProblem,
  own: {
    readonly fields?: Readonly<Record<string, { readonly field: string; readonly text: string }>>;
    readonly codes?: Readonly<Record<string, string>>;
  } = {},
): FormError[] {
  const details = problem.fields['details'] as { path?: unknown } | undefined;
  const path = typeof details?.path === 'string' ? details.path : undefined;
  const found = Object.entries(own.fields ?? {}).find(
    ([start]) => problem.code === 'invalid_argument' && (path === start || path?.startsWith(`${start}.`)),
  );
  if (found !== undefined) return [found[1]];
  return [{ field: null, text: own.codes?.[problem.code] ?? problemText(locale, problem) }];
}

/** The text of the error of one field, as its maker wants it. */
export function errorOf(errors: readonly FormError[], field: string): string | undefined {
  return errors.find((error) => error.field === field)?.text;
}

/** Names and values of one record. */
export function facts(lines: readonly (readonly [name: string, value: Value] | false | null)[]): Html {
  return html`<dl class="facts">${lines.map(
    (line) => line && html`<div><dt>${line[0]}</dt><dd>${line[1]}</dd></div>`,
  )}</dl>`;
}

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => Value;
  /** Amounts and counts stand right. */
  readonly isAmount?: boolean;
}

/** Rows in a region that scrolls by itself where the window is narrow; the first column names the row. */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="cards">
<caption class="unseen">${caption}</caption>
<thead><tr>${columns.map(({ head, isAmount }) => html`<th scope="col"${isAmount && html` class="amount"`}>${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr>${columns.map(({ head, cell, isAmount }, index) =>
        index === 0
          ? html`<th scope="row" data-label="${head}">${cell(row)}</th>`
          : html`<td data-label="${head}"${isAmount && html` class="amount"`}>${cell(row)}</td>`,
      )}</tr>`,
  )}</tbody>
</table></div>`;
}
