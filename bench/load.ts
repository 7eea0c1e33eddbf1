/** One burst of load from a process of its own: `node load.ts <options as JSON>`; prints the result as JSON. */

import autocannon from 'autocannon';

export interface LoadOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly seconds: number;
  readonly connections: number;
  /** Instead of a time: this many requests. */
  readonly amount?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
  readonly total: number;
}

const { url, headers, body, seconds, connections, amount } = JSON.parse(process.argv[2]!) as LoadOptions;
const result = await autocannon({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  body,
  connections,
  ...(amount === undefined ? { duration: seconds } : { amount }),
});
const answer: LoadResult = {
  // Requests over the exact time; autocannon's own average counts whole seconds.
  perSecond: result.requests.total / result.duration,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  failures: result.non2xx + result.errors,
  total: result.requests.total,
};
console.log(JSON.stringify(answer));
