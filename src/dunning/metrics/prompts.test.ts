import { describe, expect, test } from 'vitest';
import { dunning } from '../index.ts';
import { prompts, resources } from './index.ts';

const place = { today: '2026-10-15', timeZone: 'America/Sao_Paulo' } as const;
const [report] = prompts;
const [months] = report!.arguments;

describe('recovery_report', () => {
  test('rests on reading alone, in the tools that exist', () => {
    for (const name of report!.operations) expect(dunning.catalogue.byName.get(name)?.effect).toBe('read');
  });

  test.each([
    ['1', '1'],
    ['06', null],
    ['24', '24'],
    ['0', null],
    ['25', null],
    ['1.5', null],
    ['-1', null],
    ['seis', null],
    ['', null],
  ])('takes months "%s" as %s', (given, expected) => {
    expect(months!.parse(given, place.today)).toBe(expected);
  });

  test('suggests 3, 6, 12 and 24 months', () => {
    const { completion } = months!;
    if (completion?.kind !== 'values') throw new Error('no values');
    expect(completion.values(place.today)).toEqual(['3', '6', '12', '24']);
  });

  test.each(['pt-BR', 'en'] as const)(
    'in %s asks for six months by default, for all figures, and acts on nothing',
    (locale) => {
      const text = report!.render({}, { ...place, locale });
      expect(text).toContain('dunning_metrics_recovery');
      expect(text).toContain('{ months: 6 }');
      for (const field of [
        'recovered',
        'recovery_rate',
        'average_days_overdue',
        'average_steps',
        'still_overdue',
        'by_month',
        'by_method',
        'by_channel',
        'is_partial',
      ]) {
        expect(text).toContain(field);
      }
      expect(text).toMatch(
        locale === 'en' ? /next steps, without acting/ : /próximos passos, sem executá-los/,
      );
      expect(text).toContain(locale === 'en' ? '2026-10-15' : '15/10/2026');
      expect(report!.render({ months: '12' }, { ...place, locale })).toContain('{ months: 12 }');
    },
  );
});

test('the metrics of recovery are a resource that the tool reads', () => {
  expect(resources).toMatchObject([
    { uri: 'kobana://dunning/metrics/recovery', operation: 'dunning_metrics_recovery', ttlMs: 0 },
  ]);
});
