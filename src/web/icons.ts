/** Small pictures beside words; a word always says the same, so readers of a screen are spared them. */

import { Html, html } from './html.ts';

/** Strokes on a grid of 24 by 24. */
const strokes = {
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  payables: 'M12 4v12m0 0l-5-5m5 5l5-5M5 20h14',
  receivables: 'M12 16V4m0 0L7 9m5-5l5 5M5 20h14',
  cashFlow: 'M4 5v14h16M7 15l4-5 3 3 5-7',
  dunning: 'M4 6h16v10H9l-5 4z M8 10h8 M8 13h5',
  approvals: 'M9 12l2.5 2.5L16 9.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  timeline: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  connections: 'M9 7V3m6 4V3M7 7h10v4a5 5 0 0 1-10 0zm5 9v5',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.5-6 6-6s6 2.5 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.800 3 5.500',
  settings: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm3 1l8-8m-4 4l3 3',
  menu: 'M4 7h16M4 12h16M4 17h16',
  warning: 'M12 4l9 16H3zM12 10v4m0 3v.01',
  right: 'M9 6l6 6-6 6',
} as const;

export type IconName = keyof typeof strokes;

/** A picture of the text's height and colour. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${new Html(`<path d="${strokes[name]}"/>`)}</svg>`;
}
