import { start, state } from './bridge.js';
import { bar, day, el, facts, money, placeholder, show, table, words } from './elements.js';

const texts = {
  'pt-BR': {
    title: 'Recuperação',
    window: (from, to) => `De ${from} a ${to}`,
    recovered: 'Recuperado',
    payments: (count) => (count === 1 ? '1 pagamento' : `${count} pagamentos`),
    still: 'Ainda vencido',
    charges: (count) => (count === 1 ? '1 cobrança' : `${count} cobranças`),
    rate: 'Taxa de recuperação',
    delay: 'Atraso médio',
    days: (days) => `${days} dias`,
    month: 'Mês',
    soFar: '(até hoje)',
    share: 'Parte',
    amount: 'Valor',
    byMonth: 'Recuperado por mês',
    byChannel: 'Pelo último canal que avisou',
    channel: 'Canal',
    nobody: 'nenhum',
    channels: {
      email: 'e-mail',
      sms: 'SMS',
      whatsapp: 'WhatsApp',
      letter: 'carta',
      phone: 'telefone',
      none: 'nenhum',
    },
  },
  en: {
    title: 'Recovery',
    window: (from, to) => `From ${from} to ${to}`,
    recovered: 'Recovered',
    payments: (count) => (count === 1 ? '1 payment' : `${count} payments`),
    still: 'Still overdue',
    charges: (count) => (count === 1 ? '1 charge' : `${count} charges`),
    rate: 'Recovery rate',
    delay: 'Mean delay',
    days: (days) => `${days} days`,
    month: 'Month',
    soFar: '(so far)',
    share: 'Share',
    amount: 'Amount',
    byMonth: 'Recovered by month',
    byChannel: 'By the last channel that told',
    channel: 'Channel',
    channels: {
      email: 'e-mail',
      sms: 'SMS',
      whatsapp: 'WhatsApp',
      letter: 'letter',
      phone: 'phone',
      none: 'none',
    },
  },
};

start(() => {
  const missing = placeholder();
  if (missing !== null) return show(missing);
  const t = words(texts);
  const report = state.answer;
  const percent = (value) => (value === null ? '–' : `${decimal(value)}%`);
  const bars = (lines) => {
    const largest = Math.max(0, ...lines.map(({ amount }) => Number(amount)));
    return ({ amount }) => bar(Number(amount), largest, 'good');
  };
  const monthBar = bars(report.by_month);
  const channelBar = bars(report.by_channel);
  show(
    el('h1', {}, t.title),
    el('p', { class: 'quiet' }, t.window(day(report.filter.from), day(report.filter.to))),
    facts([
      [t.recovered, money(report.recovered.amount), t.payments(report.recovered.payments)],
      [t.still, money(report.still_overdue.amount), t.charges(report.still_overdue.charges)],
      [t.rate, percent(report.recovery_rate.percent)],
      [
        t.delay,
        report.average_days_overdue.days === null ? '–' : t.days(decimal(report.average_days_overdue.days)),
      ],
    ]),
    table(
      t.byMonth,
      [t.month, t.share, t.amount],
      report.by_month.map((line) => [
        `${day(`${line.month}-01`, { month: 'short', year: 'numeric' })} ${line.is_partial ? t.soFar : ''}`,
        monthBar(line),
        money(line.amount),
      ]),
    ),
    report.by_channel.length === 0
      ? null
      : table(
          t.byChannel,
          [t.channel, t.share, '%', t.amount],
          report.by_channel.map((line) => [
            t.channels[line.channel] ?? line.channel,
            channelBar(line),
            percent(line.percent),
            money(line.amount),
          ]),
        ),
  );
});

/** A decimal string with the sign of the language. */
function decimal(value) {
  return new Intl.NumberFormat(state.locale, { maximumFractionDigits: 2 }).format(value);
}
