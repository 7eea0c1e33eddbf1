/** Asking somebody who is signed in to prove, once more, that it is them. */

import { type Html, html } from '../../web/html.ts';
import { errorSummary, input } from '../forms.ts';
import { type PageContext, page, type Reply } from '../page.ts';
import { passkeyButton, refusedStatus, refusedText } from './sign-in-words.ts';

/** Somewhat less than the five minutes that operations ask for, so that a form sent now arrives in time. */
const FRESH_MS = 270_000;
/** Of forms that are sent again after the proof. */
const PROOF_FIELD = 'proof_password';

const text = {
  'pt-BR': {
    title: 'Confirme que é você',
    lead: 'Esta ação pede uma prova recente: sua senha ou sua passkey.',
    password: 'Sua senha',
    submit: 'Confirmar',
    passkey: 'Confirmar com passkey',
    missing: 'Informe sua senha ou use sua passkey.',
  },
  en: {
    title: 'Confirm that it is you',
    lead: 'This asks for a recent proof: your password or your passkey.',
    password: 'Your password',
    submit: 'Confirm',
    passkey: 'Confirm with a passkey',
    missing: 'Give your password or use your passkey.',
  },
} as const;

export const proofTitle = { 'pt-BR': text['pt-BR'].title, en: text.en.title } as const;

/** Whether the person proved to be there just now. */
export function isFresh({ person, now }: Pick<PageContext, 'person' | 'now'>): boolean {
  return now.getTime() - Date.parse(person.verifiedAt) < FRESH_MS;
}

/**
 * Runs `act` for somebody who proved to be there in the last minutes. Otherwise asks for the proof first: the page that
 * does so holds what the form held, and sends it here again.
 */
export async function withProof(
  ctx: PageContext,
  act: (ctx: PageContext) => Promise<Html | Reply>,
): Promise<Html | Reply> {
  if (isFresh(ctx)) return act(ctx);
  const password = ctx.form.get(PROOF_FIELD) ?? '';
  if (password === '')
    return proofPage(ctx, ctx.form.has(PROOF_FIELD) ? text[ctx.locale].missing : null, 422);
  const result = await ctx.signIn.verifyPassword(ctx.person, password, null, ctx.from, ctx.now);
  if (result === 'verified') return act(await ctx.renewed());
  return proofPage(ctx, refusedText(ctx.locale, result, 'wrongPassword'), refusedStatus(result));
}

async function proofPage(ctx: PageContext, error: string | null, status: number): Promise<Reply> {
  const held = [...ctx.form]
    .filter(([name]) => name !== PROOF_FIELD && name !== 'form_word')
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`);
  return page(await proofBody(ctx, { action: ctx.path, held, field: PROOF_FIELD, error }), status, {
    title: text[ctx.locale].title,
  });
}

export interface ProofForm {
  readonly action: string;
  readonly held: readonly Html[];
  /** Name of the password's field. */
  readonly field: string;
  readonly error: string | null;
}

/** The page's content: a password, or a passkey where the person has one. */
export async function proofBody(ctx: PageContext, { action, held, field, error }: ProofForm): Promise<Html> {
  const own = text[ctx.locale];
  return html`<h1>${own.title}</h1>
<p class="lead">${own.lead}</p>
${error !== null && errorSummary(ctx.locale, [{ field, text: error }])}<form method="post" action="${action}" class="stack">
<input type="hidden" name="form_word" value="${ctx.formWord}">
${held}<input type="hidden" name="username" value="${ctx.person.user.email}" autocomplete="username">
${await proofFields(ctx, { field, purpose: null, error, submit: html`<button class="primary">${own.submit}</button>` })}
</form>`;
}

export interface ProofFields {
  readonly field: string;
  /** Such as `approval:<id>`; null: for whatever comes next. */
  readonly purpose: string | null;
  readonly error: string | null;
  readonly submit: Html;
}

/** The fields of a proof inside a form that has the form word: the script sends the form once the passkey was accepted. */
export async function proofFields(
  ctx: PageContext,
  { field, purpose, error, submit }: ProofFields,
): Promise<Html> {
  const own = text[ctx.locale];
  const passkeys = await ctx.signIn.passkeysOf(ctx.person);
  return html`${purpose !== null && html`<input type="hidden" name="purpose" value="${purpose}">\n`}${input({
    name: field,
    label: own.password,
    type: 'password',
    autocomplete: 'current-password',
    error: error ?? undefined,
  })}
<div class="actions">${submit}</div>
${
  passkeys.length > 0 &&
  passkeyButton(ctx.locale, {
    label: own.passkey,
    kind: 'get',
    question: '/console/verify/question',
    answer: '/console/verify/answer',
  })
}`;
}

/** What the person gave besides a passkey is missing. */
export function proofMissingText(ctx: PageContext): string {
  return text[ctx.locale].missing;
}
