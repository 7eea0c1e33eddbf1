import { expect, it } from 'vitest';
import { prompts } from './prompts.ts';

const [prompt] = prompts;
const at = { today: '2026-10-01', timeZone: 'America/Sao_Paulo' };
const portuguese = prompt!.render({}, { ...at, locale: 'pt-BR' });
const english = prompt!.render({}, { ...at, locale: 'en' });

it('takes no arguments and rests on both lists', () => {
  expect([prompt!.name, prompt!.arguments]).toEqual(['pending_legal_actions', []]);
  expect(prompt!.operations).toEqual(['dunning_negativations_list', 'dunning_protests_list']);
  for (const text of [portuguese, english]) {
    for (const name of prompt!.operations) expect(text).toContain(name);
    expect(text).toContain('{ status: "pending", sort: "created_at", limit: 100 }');
  }
});

it('tells the day, and ends by acting on nothing unless asked for', () => {
  expect(portuguese).toContain('Hoje é 01/10/2026 (fuso America/Sao_Paulo).');
  expect(english).toContain('Today is 2026-10-01 (time zone America/Sao_Paulo).');
  expect(portuguese).toMatch(
    /Apenas consulte: não aprove, recuse nem cancele nada, a menos que eu peça\. [^\n]+$/,
  );
  expect(english).toMatch(/Only read: approve, reject and cancel nothing unless I ask for it\. [^\n]+$/);
});
