import { start, state } from './bridge.js';
import { el, facts, money, openLink, placeholder, show, words } from './elements.js';

const texts = {
  'pt-BR': {
    title: 'Aprovação',
    pending: 'Aguardando uma pessoa no console',
    done: 'Aprovada e executada',
    failed: 'Aprovada, mas não executada',
    declined: 'Recusada',
    expired: 'Prazo encerrado',
    amount: 'Valor',
    askedBy: 'Pedida por',
    until: 'Vale até',
    decidedBy: 'Decidida por',
    reason: 'Motivo',
    question: 'A pergunta, como foi feita',
    open: 'Abrir no console',
    note: 'Aqui nada é aprovado: quem aprova entra no console e confirma com senha ou chave de acesso.',
  },
  en: {
    title: 'Approval',
    pending: 'Waits for a person in the console',
    done: 'Approved and run',
    failed: 'Approved, but not run',
    declined: 'Declined',
    expired: 'Its time is over',
    amount: 'Amount',
    askedBy: 'Asked for by',
    until: 'Until',
    decidedBy: 'Decided by',
    reason: 'Reason',
    question: 'The question, as it was asked',
    open: 'Open in the console',
    note: 'Nothing is approved here: whoever approves signs in to the console and gives a password or passkey.',
  },
};

start(() => {
  const missing = placeholder();
  if (missing !== null) return show(missing);
  const t = words(texts);
  const one = state.answer;
  show(
    el('h1', {}, t.title),
    el('p', { class: `status ${one.status}`, role: 'status' }, el('strong', {}, t[one.status] ?? one.status)),
    facts(
      [
        one.amount === null ? null : [t.amount, money(one.amount)],
        [t.askedBy, one.requested_by.name, moment(one.requested_at)],
        one.decided_by === null ? null : [t.decidedBy, one.decided_by.name, moment(one.decided_at)],
        one.status === 'pending' ? [t.until, moment(one.expires_at)] : null,
        one.decline_reason === null ? null : [t.reason, one.decline_reason],
        one.error === null ? null : [t.reason, one.error.message],
      ].filter((fact) => fact !== null),
    ),
    el('h2', { class: 'quiet' }, t.question),
    el('blockquote', {}, one.question),
    one.status === 'pending' ? way(t, one) : null,
  );
});

/** The way to where it is decided; the host opens it, and may ask before. */
function way(t, { console_url: url }) {
  const isLinked = url !== null && url !== undefined && state.host.openLinks !== undefined;
  return el(
    'div',
    {},
    el('p', { class: 'quiet' }, t.note),
    isLinked ? el('button', { type: 'button', class: 'first', onclick: () => openLink(url) }, t.open) : null,
  );
}

function moment(instant) {
  const form = { dateStyle: 'medium', timeStyle: 'short', timeZone: state.timeZone };
  return new Intl.DateTimeFormat(state.locale, form).format(new Date(instant));
}
