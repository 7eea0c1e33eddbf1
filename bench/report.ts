/** The page of results: rates, latencies, and the ratios that are promised. */

import type { ConfirmationTimes } from './confirmations.ts';
import type { LoadResult } from './load.ts';

export interface Setting {
  readonly node: string;
  readonly cores: number;
  readonly connections: number;
  readonly payables: number;
  readonly page: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** Medians over the rounds. */
export function reportOf(
  results: Record<string, LoadResult[]>,
  confirmation: ConfirmationTimes,
  setting: Setting,
): string {
  const rate = (name: string) => median(results[name]!.map((result) => result.perSecond));
  const rows = Object.entries(results).map(
    ([name, rounds]) =>
      `| ${name} | ${Math.round(rate(name))} | ${median(rounds.map((r) => r.p50Ms))} | ${median(rounds.map((r) => r.p99Ms))} |`,
  );
  const ratio = (of: string, to: string) => (rate(of) / rate(to)).toFixed(2);
  return `# Bench

Written by \`npm run bench\`. ${setting.node}, ${setting.cores} cores shared by database, server and load; ${setting.connections} connections;
pages of ${setting.page} rows out of ${setting.payables} payables; medians of ${setting.rounds} rounds of ${setting.seconds} s, targets in turns.

| target | requests/s | p50 ms | p99 ms |
| --- | --- | --- | --- |
${rows.join('\n')}

| ratio | measured | must reach |
| --- | --- | --- |
| ours 2026 / peer (toolbox) | ${ratio('ours, 2026', 'toolbox')} | ≥ 1.0, aim 1.25 |
| ours 2025 / peer (toolbox) | ${ratio('ours, 2025', 'toolbox')} | ≥ 1.0, aim 1.25 |
| ours 2026 / bare | ${ratio('ours, 2026', 'bare')} | ≥ 0.6, aim 0.85 |
| ours 2025 / bare | ${ratio('ours, 2025', 'bare')} | ≥ 0.6, aim 0.85 |
| tools/list, ours / SDK McpServer | ${ratio('tools/list, ours', 'tools/list, SDK McpServer')} | ≥ 5 |

Confirmation round trip, one client: question ${confirmation.askP50Ms.toFixed(1)} ms (p50); yes to durable effect ${confirmation.confirmP50Ms.toFixed(1)} ms (p50), ${confirmation.confirmP99Ms.toFixed(1)} ms (p99), over ${confirmation.runs} runs.
`;
}

function median(values: number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}
