/** A fresh proof on a page of its own, and the two answers that the passkey script asks for. */

import { html } from '../../web/html.ts';
import { safePath } from '../../web/http.ts';
import { goTo, json, type Page, page } from '../page.ts';
import { orSaid, signedOf } from './sign-in.ts';
import { refusedStatus, refusedText } from './sign-in-words.ts';
import { proofBody, proofMissingText, proofTitle } from './verify-proof.ts';

/** Proofs given by passkey are for one approval, or for whatever comes next in the session. */
const PURPOSE = /^approval:[0-9a-f-]{36}$/;

const heldNext = (next: string) => [html`<input type="hidden" name="next" value="${next}">\n`];

export const verify: Page = {
  path: '/console/verify',
  title: proofTitle,
  scripts: ['passkey.js'],
  async get(ctx) {
    const next = safePath(ctx.query.get('next'), '/console');
    return proofBody(ctx, {
      action: '/console/verify',
      held: heldNext(next),
      field: 'password',
      error: null,
    });
  },
  async post(ctx) {
    const { form, from, locale, now, person } = ctx;
    const next = safePath(form.get('next'), '/console');
    const password = form.get('password') ?? '';
    const shown = { action: '/console/verify', held: heldNext(next), field: 'password' };
    if (password === '') {
      // The passkey script sends the form without a password once the passkey was accepted.
      if (now.getTime() - Date.parse(person.verifiedAt) < 60_000) return goTo(next);
      return page(await proofBody(ctx, { ...shown, error: proofMissingText(ctx) }), 422);
    }
    const result = await ctx.signIn.verifyPassword(person, password, null, from, now);
    if (result === 'verified') return goTo(next);
    const error = refusedText(locale, result, 'wrongPassword');
    return page(await proofBody(ctx, { ...shown, error }), refusedStatus(result));
  },
};

export const verifyQuestion: Page = {
  path: '/console/verify/question',
  title: proofTitle,
  post: (ctx) =>
    orSaid(ctx, async () => json(await ctx.signIn.verifyQuestion(ctx.person, ctx.from, ctx.now))),
};

export const verifyAnswer: Page = {
  path: '/console/verify/answer',
  title: proofTitle,
  post: (ctx) =>
    orSaid(ctx, async () => {
      const { form, from, locale, now, person } = ctx;
      const asked = form.get('purpose');
      const purpose = asked !== null && PURPOSE.test(asked) ? asked : null;
      const challengeId = form.get('challenge_id') ?? '';
      const result = await ctx.signIn.verifyPasskey(person, challengeId, signedOf(form), purpose, from, now);
      if (result === 'verified') return json({});
      return json({ error: refusedText(locale, result, 'wrongPasskey') }, refusedStatus(result));
    }),
};
