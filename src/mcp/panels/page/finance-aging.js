import { start, state } from './bridge.js';
import { bar, day, el, facts, money, placeholder, show, table, words } from './elements.js';

const texts = {
  'pt-BR': {
    payables: 'Contas a pagar por vencimento',
    receivables: 'Contas a receber por vencimento',
    asOf: (date) => `Principal em aberto em ${date}`,
    total: 'Em aberto',
    notYetDue: 'A vencer',
    overdue: 'Vencidas',
    records: (count) => (count === 1 ? '1 conta' : `${count} contas`),
    count: 'Contas',
    delay: 'Atraso',
    amount: 'Valor',
    share: 'Parte',
    days: (from, to) => (to === null ? `mais de ${from - 1} dias` : `${from} a ${to} dias`),
    groups: 'Maiores saldos',
    name: 'Nome',
  },
  en: {
    payables: 'Payables by delay',
    receivables: 'Receivables by delay',
    asOf: (date) => `Open principal on ${date}`,
    total: 'Open',
    notYetDue: 'Not yet due',
    overdue: 'Overdue',
    records: (count) => (count === 1 ? '1 record' : `${count} records`),
    count: 'Records',
    delay: 'Delay',
    amount: 'Amount',
    share: 'Share',
    days: (from, to) => (to === null ? `over ${from - 1} days` : `${from} to ${to} days`),
    groups: 'Largest',
    name: 'Name',
  },
};

start(() => {
  const missing = placeholder();
  if (missing !== null) return show(missing);
  const t = words(texts);
  const { filter, total, not_yet_due: notYetDue, overdue, bands, groups } = state.answer;
  const lines = [
    { name: t.notYetDue, ...notYetDue },
    ...bands.map((band) => ({ name: t.days(band.from_days, band.to_days), ...band, isLate: true })),
  ];
  const largest = Math.max(...lines.map(({ amount }) => Number(amount)));
  show(
    el('h1', {}, t[filter.kind]),
    el('p', { class: 'quiet' }, t.asOf(day(filter.as_of))),
    facts([
      [t.total, money(total.amount), t.records(total.count)],
      [t.notYetDue, money(notYetDue.amount), t.records(notYetDue.count)],
      [t.overdue, money(overdue.amount), t.records(overdue.count)],
    ]),
    table(
      t[filter.kind],
      [t.delay, t.share, t.count, t.amount],
      lines.map(({ name, amount, count, isLate }) => [
        name,
        bar(Number(amount), largest, isLate ? 'late' : ''),
        count,
        money(amount),
      ]),
    ),
    groups.length === 0
      ? null
      : table(
          t.groups,
          [t.name, t.overdue, t.total],
          groups
            .slice(0, 20)
            .map((group) => [group.name, money(group.overdue.amount), money(group.total.amount)]),
        ),
  );
});
