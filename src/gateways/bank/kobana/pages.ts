/** Lists of the API, page by page and bounded. */

import { z } from 'zod';
import { BankUnreachable } from '../port.ts';
import type { KobanaHttp, Query } from './http.ts';
import { madeAt, readAs } from './values.ts';

const PAGE_SIZE = 50;
/** More pages than this are not read: a list that long has to be narrowed first. */
const PAGES_MAX = 400;
/** The clocks of both sides may differ by this much. */
const CLOCKS_MS = 86_400_000;

const pageForm = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({ next_url: z.string().nullish() }).nullish(),
});

/** Every record of a list; `pageSize` is how many the API gives at once. */
export async function* recordsOf<Form extends z.ZodType>(
  http: KobanaHttp,
  path: string,
  form: Form,
  query: Query = {},
): AsyncGenerator<z.output<Form>[]> {
  const what = `GET ${path}`;
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const body = await http.read(path, { ...query, page, per_page: PAGE_SIZE });
    if (body === null) throw new BankUnreachable(`${what}: there is no such list`);
    const { data, pagination } = readAs(pageForm, body, what);
    yield data.map((record) => readAs(form, record, what));
    if (pagination?.next_url == null && data.length < PAGE_SIZE) return;
    if (data.length === 0) return;
  }
  throw new BankUnreachable(`${what}: more than ${PAGES_MAX} pages`);
}

interface Keyed {
  readonly external_id?: string | null | undefined;
  readonly created_at?: string | null | undefined;
}

/**
 * The record that carries our key; undefined only after the whole list was read, or all of it that can be as young as
 * the key, when the list shows itself to be sorted by age.
 */
export async function findByKey<Item extends Keyed>(
  pages: AsyncIterable<readonly Item[]>,
  key: string,
): Promise<Item | undefined> {
  const since = madeAt(key);
  let youngest = Number.POSITIVE_INFINITY;
  let isSorted = since !== null;
  for await (const page of pages) {
    const found = page.find((record) => record.external_id === key);
    if (found !== undefined) return found;
    for (const { created_at } of page) {
      const at = Date.parse(created_at ?? '');
      isSorted &&= at <= youngest;
      youngest = at;
    }
    if (isSorted && since !== null && page.length > 0 && youngest < since - CLOCKS_MS) return undefined;
  }
  return undefined;
}
