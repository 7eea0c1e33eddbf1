/** Ask, yes, durable effect: what a confirmed action costs a client, end to end. */

import type { Books } from './books.ts';
import { modernCall } from './targets.ts';

const RUNS = 150;

export interface ConfirmationTimes {
  readonly runs: number;
  readonly askP50Ms: number;
  readonly confirmP50Ms: number;
  readonly confirmP99Ms: number;
}

/** Cancels payables one after the other; every answer is read. */
export async function measureConfirmations(ours: string, books: Books): Promise<ConfirmationTimes> {
  const url = `${ours}/finance/mcp`;
  const headersOf = (run: number) => ({
    authorization: `Bearer ${books.tokens[run % books.tokens.length]}`,
  });
  const headers = headersOf(0);
  const page = await post(url, headers, 'finance_payables_list', { limit: 100, sort: '-due_date' });
  const more = await post(url, headers, 'finance_payables_list', {
    limit: 100,
    sort: '-due_date',
    cursor: page.structuredContent.next_cursor,
  });
  const ids = [...page.structuredContent.items, ...more.structuredContent.items]
    .map((item: { id: string }) => item.id)
    .slice(0, RUNS);
  const asks: number[] = [];
  const confirms: number[] = [];
  for (const [run, id] of ids.entries()) {
    const headers = headersOf(run);
    const args = { id, reason: 'bench' };
    const startedAt = performance.now();
    const question = await post(url, headers, 'finance_payables_cancel', args);
    if (question.resultType !== 'input_required') throw new Error(question.content[0].text);
    const askedAt = performance.now();
    const result = await post(url, headers, 'finance_payables_cancel', args, {
      requestState: question.requestState,
      inputResponses: { confirm: { action: 'accept', content: { confirm: true } } },
    });
    if (result.isError) throw new Error(result.content[0].text);
    asks.push(askedAt - startedAt);
    confirms.push(performance.now() - askedAt);
  }
  return {
    runs: confirms.length,
    askP50Ms: quantile(asks, 0.5),
    confirmP50Ms: quantile(confirms, 0.5),
    confirmP99Ms: quantile(confirms, 0.99),
  };
}

async function post(
  url: string,
  headers: Record<string, string>,
  name: string,
  args: object,
  extra: object = {},
): Promise<any> {
  const call = modernCall(url, 'tools/call', { name, arguments: args, ...extra }, headers);
  const response = await fetch(call.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...call.headers },
    body: call.body,
  });
  const { result, error } = (await response.json()) as { result: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
}

function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
