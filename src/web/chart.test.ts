import { describe, expect, it } from 'vitest';
import { columnChart, lineChart, meter } from './chart.ts';

const words = { id: 'x', title: 'Balance <today>', description: 'Up & down', tick: String };

const linePath = (text: string) => /<path class="line" d="([^"]*)"/.exec(text)![1]!;

describe('a line chart', () => {
  it('says what it shows to those who do not see it, and escapes it', () => {
    const { text } = lineChart({ ...words, points: [{ label: 'a', value: 1 }], mark: null });
    expect(text).toContain('role="img"');
    expect(text).toContain('aria-labelledby="x-title x-desc"');
    expect(text).toContain('<title id="x-title">Balance &lt;today&gt;</title>');
    expect(text).toContain('<desc id="x-desc">Up &amp; down</desc>');
  });

  it('goes from edge to edge, with larger values higher', () => {
    const { text } = lineChart({
      ...words,
      points: [0, 50, 100].map((value) => ({ label: String(value), value })),
      mark: null,
    });
    const points = [...linePath(text).matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    expect(points.map(([x]) => x)).toEqual([0, 500, 1000]);
    expect(points[0]![1]!).toBeGreaterThan(points[1]![1]!);
    expect(points[1]![1]!).toBeGreaterThan(points[2]![1]!);
  });

  it('has zero and every value within its scale, also where all are below zero', () => {
    const ticks: number[] = [];
    const tick = (value: number) => {
      ticks.push(value);
      return String(value);
    };
    lineChart({
      ...words,
      tick,
      points: [
        { label: 'a', value: -430 },
        { label: 'b', value: -20 },
      ],
      mark: null,
    });
    expect(ticks).toContain(0);
    expect(Math.min(...ticks)).toBeLessThanOrEqual(-430);
  });

  it('marks a point with its words, and keeps them inside at the edges', () => {
    const points = [5, 1, 9].map((value) => ({ label: 'l', value }));
    const at = (index: number) =>
      lineChart({ ...words, points, mark: { index, text: 'lowest <b>', isBad: true } }).text;
    expect(at(0)).toContain('text-anchor="start">lowest &lt;b&gt;');
    expect(at(1)).toContain('text-anchor="middle">lowest');
    expect(at(2)).toContain('text-anchor="end">lowest');
    expect(at(1)).toContain('<circle class="dot bad" cx="50%"');
  });

  it('is sound without any point, with one, and with all values zero', () => {
    for (const points of [[], [{ label: 'a', value: 0 }], [0, 0].map((value) => ({ label: 'a', value }))]) {
      const { text } = lineChart({ ...words, points, mark: null });
      expect(text).not.toMatch(/NaN|Infinity|undefined/);
    }
  });
});

describe('a column chart', () => {
  it('draws one bar for each value, and hatches what goes out', () => {
    const { text } = columnChart({
      ...words,
      columns: [
        {
          label: 'Jan',
          bars: [
            { value: 10, tone: 'in' },
            { value: 5, tone: 'out' },
          ],
          text: '10',
        },
      ],
    });
    expect(text.match(/<rect class="bar /g)).toHaveLength(2);
    expect(text.match(/fill="url\(#x-hatch\)"/g)).toHaveLength(1);
    const heights = [...text.matchAll(/<rect class="bar [a-z]+"[^>]*height="([\d.]+)"/g)].map(([, each]) =>
      Number(each),
    );
    expect(heights[0]).toBeCloseTo(heights[1]! * 2, 1);
  });

  it('labels a few of many columns, and fewer still where it is narrow', () => {
    const columns = Array.from({ length: 53 }, (_, index) => ({
      label: `week${index}`,
      bars: [{ value: index, tone: 'plain' as const }],
    }));
    const { text } = columnChart({ ...words, columns });
    const labels = [...text.matchAll(/<text( class="wide")?[^>]*>week\d+</g)];
    expect(labels.length).toBeLessThanOrEqual(7);
    expect(labels.filter(([, wide]) => wide === undefined).length).toBeLessThanOrEqual(3);
    expect(text).toContain('>week0<');
  });

  it('is sound without any column and with all values zero', () => {
    for (const columns of [[], [{ label: 'a', bars: [{ value: 0, tone: 'plain' as const }] }]]) {
      expect(columnChart({ ...words, columns }).text).not.toMatch(/NaN|Infinity|undefined/);
    }
  });
});

describe('charts', () => {
  it('carry no style and no script of their own, which the policy of the pages forbids', () => {
    const charts = [
      lineChart({
        ...words,
        points: [{ label: 'a', value: 1 }],
        mark: { index: 0, text: 't', isBad: false },
      }),
      columnChart({ ...words, columns: [{ label: 'a', bars: [{ value: 1, tone: 'partial' }] }] }),
      meter(0.4, 'warn'),
    ];
    for (const { text } of charts) expect(text).not.toMatch(/style=|<script|\son[a-z]+=/);
  });

  it('keep a meter within its track', () => {
    expect(meter(7).text).toContain('width="100%" height="12" rx="3"/></svg>');
    expect(meter(-1).text).toContain('width="0%"');
  });
});
