/** Tables whose head is repeated on every page they go over to. */

import { MM, makeRoom, type Paper, rule } from './paper.ts';
import { put } from './text.ts';

const SIZE = 8;
const ROW = 4.8 * MM;
const GAP = 1.5 * MM;

export interface Column {
  readonly title: string;
  /** In millimetres. */
  readonly width: number;
  readonly isNumber?: boolean;
}

/** The head of the table, with room for a first row below it. */
export function tableHead(paper: Paper, columns: readonly Column[]): void {
  makeRoom(paper, 3 * ROW);
  drawHead(paper, columns);
}

/** A row of the table; `notes` are lines below it that stay on its page. */
export function tableRow(
  paper: Paper,
  columns: readonly Column[],
  cells: readonly string[],
  style: { readonly isStrong?: boolean; readonly notes?: readonly string[] } = {},
): void {
  const { isStrong = false, notes = [] } = style;
  if (makeRoom(paper, ROW * (1 + Math.min(notes.length, 3)))) drawHead(paper, columns);
  drawCells(paper, columns, cells, { isStrong, color: 'black' });
  for (const note of notes) {
    if (makeRoom(paper, ROW)) drawHead(paper, columns);
    put(paper, note, {
      x: paper.left + columns[0]!.width * MM,
      y: paper.y,
      width: paper.width - columns[0]!.width * MM,
      size: SIZE - 0.5,
      color: '#555555',
    });
    paper.y += ROW - 0.6 * MM;
  }
}

/** The line that closes a table. */
export function tableEnd(paper: Paper): void {
  rule(paper, 4 * MM);
}

function drawHead(paper: Paper, columns: readonly Column[]): void {
  const titles = columns.map(({ title }) => title);
  drawCells(paper, columns, titles, { isStrong: true, color: '#333333' });
  rule(paper, 1.5 * MM);
}

function drawCells(
  paper: Paper,
  columns: readonly Column[],
  cells: readonly string[],
  style: { readonly isStrong: boolean; readonly color: string },
): void {
  let x = paper.left;
  for (const [index, { width, isNumber = false }] of columns.entries()) {
    const align = isNumber ? 'right' : 'left';
    put(paper, cells[index] ?? '', { ...style, x, y: paper.y, width: width * MM - GAP, size: SIZE, align });
    x += width * MM;
  }
  paper.y += ROW;
}
