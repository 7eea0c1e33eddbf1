/** One approval: the question from live records, a yes with proof of who says it, or a no with a reason. */

import { type Html, html } from '../../web/html.ts';
import { dateTime, words } from '../../web/words.ts';
import { clientText } from '../clients.ts';
import { errorOf, errorSummary, type FormError, facts, textarea } from '../forms.ts';
import {
  goTo,
  idIn,
  notFound,
  type Page,
  type PageContext,
  PageProblem,
  page,
  problemOf,
  type Reply,
} from '../page.ts';
import { problemText } from '../problems.ts';
import { firstLineOf, pathOf } from './approvals.ts';
import {
  type Approval,
  approvalWords,
  type OpenApproval,
  type Product,
  statusTag,
} from './approvals-words.ts';
import { refusedStatus, refusedText } from './sign-in-words.ts';
import { proofFields, proofMissingText } from './verify-proof.ts';

const REASON_MAX = 500;
const LIST = '/console/approvals';

interface Opened extends OpenApproval {
  readonly product: Product;
}

type Approving =
  | {
      readonly status: 'done';
      readonly approval: Approval;
      readonly output: Readonly<Record<string, unknown>>;
    }
  | { readonly status: 'failed' }
  | ({ readonly status: 'changed' } & OpenApproval);

const titles = { 'pt-BR': approvalWords['pt-BR'].oneTitle, en: approvalWords.en.oneTitle } as const;

export const approval: Page = {
  path: `${LIST}/:id`,
  title: titles,
  section: LIST,
  scripts: ['passkey.js'],
  async get(ctx) {
    return approvalBody(ctx, await open(ctx), []);
  },
  post: approve,
};

async function approve(ctx: PageContext): Promise<Html | Reply> {
  const { form, from, locale, now, person } = ctx;
  const id = idIn(ctx);
  const opened = await open(ctx);
  const { product } = opened;
  const again = async (text: string, status: number) =>
    page(await approvalBody(ctx, opened, [{ field: 'password', text }]), status);
  const password = form.get('password') ?? '';
  if (password !== '') {
    const result = await ctx.signIn.verifyPassword(person, password, `approval:${id}`, from, now);
    if (result !== 'verified') {
      return again(refusedText(locale, result, 'wrongPassword'), refusedStatus(result));
    }
  }
  const proved = password === '' ? ctx : await ctx.renewed();
  const reply = await proved.rest(product, {
    method: 'POST',
    path: `/${product}/v1/approvals/${id}/approve`,
    // Of the question the person read, not the one of this moment.
    body: { ...placeOf(ctx, product), state: form.get('state') ?? '' },
  });
  const problem = problemOf(reply);
  if (problem === null) return outcome(ctx, product, reply.body as Approving);
  if (problem.code === 'verification_required') return again(proofMissingText(ctx), 403);
  if (problem.code === 'not_found') throw problem;
  const errors: FormError[] = [{ field: null, text: problemText(locale, problem) }];
  return page(await approvalBody(ctx, await open(ctx), errors), problem.status);
}

async function outcome(ctx: PageContext, product: Product, approving: Approving): Promise<Html | Reply> {
  const own = approvalWords[ctx.locale];
  const path = pathOf(ctx, product, idIn(ctx));
  if (approving.status === 'changed') {
    const errors: FormError[] = [{ field: null, text: own.changed }];
    return page(await approvalBody(ctx, { ...approving, product }, errors), 409);
  }
  if (approving.status === 'failed') return goTo(path);
  const secrets = secretsOf(approving.output, approving.approval.answer);
  return secrets.length === 0 ? goTo(path, own.done) : secretsPage(ctx, path, secrets);
}

/** What the answer holds and what is kept of it does not: secrets that are shown this once. */
function secretsOf(
  output: Readonly<Record<string, unknown>>,
  kept: Readonly<Record<string, unknown>> | null,
): readonly (readonly [name: string, secret: string])[] {
  return Object.entries(output).flatMap(([name, value]) =>
    typeof value === 'string' && kept?.[name] === null ? [[name, value] as const] : [],
  );
}

function secretsPage(
  ctx: PageContext,
  path: string,
  secrets: readonly (readonly [name: string, secret: string])[],
): Reply {
  const own = approvalWords[ctx.locale];
  return page(
    html`<h1>${own.done}</h1>
<p class="lead">${own.once}</p>
${secrets.map(
  ([name, secret]) => html`<div class="field"><label for="${name}">${name}</label>
<input id="${name}" class="secret" type="text" readonly value="${secret}" autocomplete="off" spellcheck="false"></div>`,
)}
<div class="actions"><a class="button" href="${path}">${words(ctx.locale).continue}</a></div>`,
    200,
    { title: own.done },
  );
}

export const approvalDecline: Page = {
  path: `${LIST}/:id/decline`,
  title: titles,
  section: LIST,
  async post(ctx) {
    const id = idIn(ctx);
    const { product } = await open(ctx);
    const reason = (ctx.form.get('reason') ?? '').trim().slice(0, REASON_MAX);
    await ctx.restOk(product, {
      method: 'POST',
      path: `/${product}/v1/approvals/${id}/decline`,
      body: { ...placeOf(ctx, product), ...(reason !== '' && { reason }) },
    });
    return goTo(pathOf(ctx, product, id), approvalWords[ctx.locale].declined);
  },
};

const placeOf = (ctx: PageContext, product: Product) =>
  product === 'finance' ? { workspace_id: ctx.workspaceId } : {};

/** Of the chosen books or of dunning; anything else is not there, whoever asks. */
async function open(ctx: PageContext): Promise<Opened> {
  const id = idIn(ctx);
  const products: Product[] = ctx.workspaceId === null ? ['dunning'] : ['finance', 'dunning'];
  for (const product of products) {
    const reply = await ctx.rest(product, {
      method: 'POST',
      path: `/${product}/v1/approvals/${id}/open`,
      body: placeOf(ctx, product),
    });
    if (reply.status < 400) return { ...(reply.body as OpenApproval), product };
    const problem = new PageProblem(reply);
    if (problem.code !== 'not_found' && problem.code !== 'forbidden') throw problem;
  }
  return notFound();
}

async function approvalBody(ctx: PageContext, opened: Opened, errors: readonly FormError[]): Promise<Html> {
  const own = approvalWords[ctx.locale];
  const { approval: found, product, question, state, problem } = opened;
  const isPending = found.status === 'pending';
  return html`<p><a href="${LIST}">${own.back}</a></p>
<h1>${firstLineOf(question ?? found.question)}</h1>
${errorSummary(ctx.locale, errors)}${factsOf(ctx, found)}
<h2>${question === null ? own.questionThen : own.question}</h2>
<pre class="question" tabindex="0">${question ?? found.question}</pre>
${isPending && problem !== null && html`<p class="warning"><strong>${own.mayNot}</strong> ${errorText(ctx, problem)}</p>`}
${isPending && state !== null && (await approveForm(ctx, product, found, state, errors))}
${isPending && declineForm(ctx, product, found)}`;
}

function factsOf(ctx: PageContext, found: Approval): Html {
  const { locale } = ctx;
  const own = approvalWords[locale];
  const zone = ctx.timeZone;
  const at = (instant: string) => dateTime(locale, instant, zone);
  const { decided_by, decided_at, decided_with } = found;
  return facts([
    [own.status, statusTag(locale, found.status)],
    [own.requestedBy, found.requested_by.name],
    [own.through, clientText(locale, found)],
    [own.requestedAt, at(found.requested_at)],
    found.status === 'pending' && [own.until, at(found.expires_at)],
    found.status === 'pending' && [own.why, own.reasons[found.reason]],
    decided_by !== null && [
      own.decidedBy,
      `${decided_by.name}${decided_with === null ? '' : `, ${own.with[decided_with]}`}`,
    ],
    decided_at !== null && [own.decidedAt, at(decided_at)],
    found.decline_reason !== null && [own.declineReason, found.decline_reason],
    found.error !== null && [own.error, errorText(ctx, found.error)],
  ]);
}

/** In the words of the language; the message of an error is ours, and never text from outside. */
function errorText(ctx: PageContext, error: { code: string; message: string }): string {
  const known = new PageProblem({ status: 409, headers: {}, body: { code: error.code } });
  return ctx.locale === 'en' ? error.message : problemText(ctx.locale, known);
}

async function approveForm(
  ctx: PageContext,
  product: Product,
  found: Approval,
  state: string,
  errors: readonly FormError[],
): Promise<Html> {
  const own = approvalWords[ctx.locale];
  const proof = await proofFields(ctx, {
    field: 'password',
    purpose: `approval:${found.id}`,
    error: errorOf(errors, 'password') ?? null,
    submit: html`<button class="primary">${own.approve}</button>`,
  });
  return html`<section class="card">
<h2 id="approve">${own.approveHead}</h2>
<p>${own.approveLead}</p>
<form method="post" action="${pathOf(ctx, product, found.id)}" class="stack">
<input type="hidden" name="form_word" value="${ctx.formWord}">
<input type="hidden" name="state" value="${state}">
${proof}
</form>
</section>
`;
}

function declineForm(ctx: PageContext, product: Product, found: Approval): Html {
  const own = approvalWords[ctx.locale];
  const [path, query = ''] = pathOf(ctx, product, found.id).split('?');
  return html`<section class="card">
<h2 id="decline">${own.decline}</h2>
<form method="post" action="${path}/decline${query !== '' && `?${query}`}" class="stack">
<input type="hidden" name="form_word" value="${ctx.formWord}">
${textarea({ name: 'reason', label: own.declineReason, lengthMax: REASON_MAX })}
<div class="actions"><button class="danger">${own.decline}</button><a class="button quiet" href="${LIST}">${words(ctx.locale).cancel}</a></div>
</form>
</section>`;
}
