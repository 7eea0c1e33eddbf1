import { start, state } from './bridge.js';
import { bar, day, el, facts, money, placeholder, show, table, words } from './elements.js';

const texts = {
  'pt-BR': {
    title: 'Carteira em cobrança por atraso',
    asOf: (date) => `Cobranças em aberto em ${date}, fora de acordos`,
    total: 'Em aberto',
    notYetDue: 'A vencer',
    overdue: 'Vencidas',
    charges: (count) => (count === 1 ? '1 cobrança' : `${count} cobranças`),
    delay: 'Atraso',
    principal: 'Principal',
    due: 'Devido hoje',
    share: 'Parte',
    days: (from, to) => (to === null ? `mais de ${from - 1} dias` : `${from} a ${to} dias`),
    groups: 'Maiores saldos',
    name: 'Nome',
    none: 'Sem nome',
  },
  en: {
    title: 'Portfolio by delay',
    asOf: (date) => `Open charges on ${date}, those in agreements left out`,
    total: 'Open',
    notYetDue: 'Not yet due',
    overdue: 'Overdue',
    charges: (count) => (count === 1 ? '1 charge' : `${count} charges`),
    delay: 'Delay',
    principal: 'Principal',
    due: 'Due today',
    share: 'Share',
    days: (from, to) => (to === null ? `over ${from - 1} days` : `${from} to ${to} days`),
    groups: 'Largest',
    name: 'Name',
    none: 'No name',
  },
};

start(() => {
  const missing = placeholder();
  if (missing !== null) return show(missing);
  const t = words(texts);
  const { as_of: asOf, total, not_yet_due: notYetDue, overdue, bands, groups } = state.answer;
  const lines = [
    { name: t.notYetDue, ...notYetDue },
    ...bands.map((band) => ({ name: t.days(band.from_days, band.to_days), ...band, isLate: true })),
  ];
  const largest = Math.max(...lines.map((line) => Number(line.open_principal)));
  const fact = (name, part) => [name, money(part.open_principal), t.charges(part.charges)];
  show(
    el('h1', {}, t.title),
    el('p', { class: 'quiet' }, t.asOf(day(asOf))),
    facts([fact(t.total, total), fact(t.notYetDue, notYetDue), fact(t.overdue, overdue)]),
    table(
      t.title,
      [t.delay, t.share, t.principal, t.due],
      lines.map((line) => [
        line.name,
        bar(Number(line.open_principal), largest, line.isLate ? 'late' : ''),
        money(line.open_principal),
        money(line.amount_due),
      ]),
    ),
    groups.length === 0
      ? null
      : table(
          t.groups,
          [t.name, t.overdue, t.total],
          groups
            .slice(0, 20)
            .map((group) => [
              group.name ?? group.key ?? t.none,
              money(group.overdue.open_principal),
              money(group.total.open_principal),
            ]),
        ),
  );
});
