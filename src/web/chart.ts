/**
 * Charts as markup: rows in, SVG out, no script. Widths are percentages, so text keeps its size in every window; colours
 * are the style sheet's. A chart never stands alone: the page shows its numbers as a table too.
 */

import { type Html, html } from './html.ts';

/** Parts of the height, in pixels: room for a label above, the plot, and the labels of the axis below. */
const TOP = 24;
const PLOT = 200;
const HEIGHT = TOP + PLOT + 28;
/** Units across the plot; the browser stretches them to its width. */
const WIDTH = 1_000;
/** Labels of the axis where there is room; on narrow windows every third of them is shown. */
const LABELS_MAX = 7;
const NARROW_STEP = 3;
const TICKS = 4;

export interface ChartWords {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  /** What there is to see, in a sentence. */
  readonly description: string;
  /** The text of a value of the scale. */
  readonly tick: (value: number) => string;
}

export interface Point {
  readonly label: string;
  readonly value: number;
}

export interface LineChart extends ChartWords {
  readonly points: readonly Point[];
  /** The point to show, with what is said of it. */
  readonly mark: { readonly index: number; readonly text: string; readonly isBad: boolean } | null;
}

/** Values over time as a line with the area to zero. */
export function lineChart({ points, mark, ...rest }: LineChart): Html {
  const scale = scaleOf(points.map(({ value }) => value));
  const x = (index: number) => (points.length < 2 ? 0.5 : index / (points.length - 1));
  const line = points
    .map(
      ({ value }, index) => `${index === 0 ? 'M' : 'L'}${digits(x(index) * WIDTH)} ${digits(scale.y(value))}`,
    )
    .join('');
  const floor = digits(scale.y(0));
  const area = `${line}L${digits(x(points.length - 1) * WIDTH)} ${floor}L${digits(x(0) * WIDTH)} ${floor}Z`;
  return frame(
    rest,
    html`${grid(scale, rest.tick)}
<svg x="0" y="0" width="100%" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none"><path class="area" d="${points.length > 0 && area}"/><path class="line" d="${line}"/></svg>
${points.map(({ label }, index) => axisLabel(label, x(index), index, points.length))}${
  mark !== null &&
  points[mark.index] !== undefined &&
  pointMark(mark, x(mark.index), scale.y(points[mark.index]!.value))
}`,
  );
}

function pointMark(mark: NonNullable<LineChart['mark']>, x: number, y: number): Html {
  // The line comes down to its lowest point, so that below it there is nothing to write over.
  const above = y + 30 > TOP + PLOT;
  return html`<circle class="dot${mark.isBad && ' bad'}" cx="${share(x)}" cy="${digits(y)}" r="5"/>
<text class="strong" x="${share(x)}" y="${digits(above ? y - 12 : y + 22)}" text-anchor="${anchorAt(x)}">${mark.text}</text>`;
}

export type BarTone = 'plain' | 'in' | 'out' | 'partial';

export interface Column {
  readonly label: string;
  /** Side by side; at most a few. Not negative. */
  readonly bars: readonly { readonly value: number; readonly tone: BarTone }[];
  /** Stands over the column where there is room. */
  readonly text?: string;
}

export interface ColumnChart extends ChartWords {
  readonly columns: readonly Column[];
}

const SLOT_FILLED = 0.64;
const BAR_WIDTH_MAX = 0.06;

/** Amounts side by side. What goes out is hatched besides its colour. */
export function columnChart({ columns, ...rest }: ColumnChart): Html {
  const scale = scaleOf(columns.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const slot = 1 / Math.max(columns.length, 1);
  const hatch = `${rest.id}-hatch`;
  const column = ({ label, bars, text }: Column, index: number) => {
    const middle = (index + 0.5) * slot;
    const width = Math.min((slot * SLOT_FILLED) / Math.max(bars.length, 1), BAR_WIDTH_MAX);
    const left = middle - (width * bars.length) / 2;
    const highest = Math.max(0, ...bars.map(({ value }) => value));
    return html`${bars.map(({ value, tone }, place) => bar(left + place * width, width, value, tone, scale, hatch))}${
      text !== undefined &&
      html`<text class="wide" x="${share(middle)}" y="${digits(scale.y(highest) - 6)}" text-anchor="middle">${text}</text>`
    }${axisLabel(label, middle, index, columns.length, 'middle')}`;
  };
  return frame(
    rest,
    html`<defs><pattern id="${hatch}" class="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V6"/></pattern></defs>
${grid(scale, rest.tick)}
${columns.map(column)}`,
  );
}

function bar(x: number, width: number, value: number, tone: BarTone, scale: Scale, hatch: string): Html {
  const y = scale.y(value);
  const place = html`x="${share(x)}" y="${digits(y)}" width="${share(width * 0.92)}" height="${digits(scale.y(0) - y)}"`;
  return html`<rect class="bar ${tone}" ${place}/>${tone === 'out' && html`<rect fill="url(#${hatch})" ${place}/>`}`;
}

/** A part of a whole as a bar, for a cell of a table that says the same in digits. */
export function meter(part: number, tone: 'plain' | 'good' | 'warn' | 'bad' = 'plain'): Html {
  const width = Math.min(Math.max(part, 0), 1);
  return html`<svg class="meter" height="12" aria-hidden="true" focusable="false"><rect class="track" width="100%" height="12" rx="3"/><rect class="bar ${tone}" width="${share(width)}" height="12" rx="3"/></svg>`;
}

/** The key of a chart with two kinds of columns. */
export function legend(entries: readonly { readonly tone: BarTone; readonly text: string }[]): Html {
  const sample = (tone: BarTone) =>
    html`<svg class="chart" viewBox="0 0 14 14" aria-hidden="true" focusable="false"><rect class="bar ${tone}" width="14" height="14" rx="2"/>${
      tone === 'out' && html`<path class="hatching" d="M-2 9L9-2M-2 16L16-2M5 16L16 5"/>`
    }</svg>`;
  return html`<ul class="legend">${entries.map(({ tone, text }) => html`<li>${sample(tone)}${text}</li>`)}</ul>`;
}

function frame({ id, title, description }: Omit<ChartWords, 'tick'>, content: Html): Html {
  return html`<svg class="chart" role="img" width="100%" height="${HEIGHT}" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>
${content}</svg>`;
}

interface Scale {
  readonly ticks: readonly number[];
  /** Where a value is, in pixels from the top. */
  y(value: number): number;
}

/** A scale from round number to round number that holds zero and every value. */
function scaleOf(values: readonly number[]): Scale {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const step = roundStep((high - low) / TICKS || 1);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  const [from, to] = [first * step, last * step];
  return { ticks, y: (value) => TOP + PLOT * (1 - (value - from) / (to - from)) };
}

/** The next larger of 1, 2 and 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return ([1, 2, 5].find((factor) => factor * power >= step * 0.999) ?? 10) * power;
}

/** Lines of the scale, their values left of them: the style sheet leaves room there. */
function grid({ ticks, y }: Scale, tick: (value: number) => string): Html {
  return html`${ticks.map(
    (value) =>
      html`<line class="${value === 0 ? 'zero' : 'grid'}" x1="0" x2="100%" y1="${digits(y(value))}" y2="${digits(y(value))}"/><text x="-8" y="${digits(y(value) + 4)}" text-anchor="end">${tick(value)}</text>`,
  )}`;
}

/** A few labels, evenly spread from the first on; every third of them where it is narrow. */
function axisLabel(
  label: string,
  x: number,
  index: number,
  total: number,
  anchor = anchorAt(x),
): Html | false {
  const step = Math.max(Math.ceil((total - 1) / (LABELS_MAX - 1)), 1);
  if (index % step !== 0) return false;
  const isNarrow = index % (step * NARROW_STEP) === 0;
  return html`<text${!isNarrow && html` class="wide"`} x="${share(x)}" y="${HEIGHT - 8}" text-anchor="${anchor}">${label}</text>`;
}

/** Text near an edge grows away from it. */
function anchorAt(x: number): 'start' | 'middle' | 'end' {
  if (x < 0.15) return 'start';
  return x > 0.85 ? 'end' : 'middle';
}

const digits = (value: number): string => String(Math.round(value * 100) / 100);
const share = (part: number): string => `${digits(part * 100)}%`;
