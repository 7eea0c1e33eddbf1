import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { jobContextOf } from '../../src/core/job.ts';
import { dunning } from '../../src/dunning/index.ts';
import { openWorld, type World } from '../support/world.ts';
import { Portfolio } from './portfolio.ts';
import { type Base, prepareBase } from './portfolio-base.ts';
import { portfolioSequence, portfolioStep } from './portfolio-step.ts';

let world: World;
let base: Base;
beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  base = await prepareBase(world);
});
afterAll(() => world.close());
async function one(sequence: any[]): Promise<{ at: number; error: any } | null> {
  const place = { organizationId: world.organizationId, workspaceId: null, timeZone: 'America/Sao_Paulo' };
  const rollback = new Error('rollback');
  let at = 0;
  let portfolio: any;
  try {
    await jobContextOf(world.runtime.portsOf(dunning.catalogue), 'test', {}, place, undefined).write(
      async (context) => {
        portfolio = new Portfolio(context, base);
        for (const step of sequence) {
          const t0 = performance.now();
          const ended: any = await portfolio.take(step);
          const s = stats.get(step.does) ?? { ok: 0, nul: 0, codes: {}, ms: 0 };
          s.ms += performance.now() - t0;
          if (ended === null) s.nul++;
          else if ('output' in ended) s.ok++;
          else s.codes[ended.code] = (s.codes[ended.code] ?? 0) + 1;
          stats.set(step.does, s);
          for (const a of portfolio.state.agreements) {
            const k = 'A ' + a.status;
            stats.set(k, (stats.get(k) ?? 0) + 1);
          }
          for (const a of [...portfolio.state.negativations, ...portfolio.state.protests]) {
            const k = 'L ' + a.status;
            stats.set(k, (stats.get(k) ?? 0) + 1);
          }
          for (const a of portfolio.state.promises) {
            const k = 'P ' + a.status;
            stats.set(k, (stats.get(k) ?? 0) + 1);
          }
          at++;
        }
        await portfolio.check();
        throw rollback;
      },
    );
  } catch (error) {
    if (error !== rollback) return { at, error };
  }
  return null;
}
const stats = new Map<string, any>();
test('hunt', async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1e9);
  const found = new Map<string, { n: number; seq: any[]; error: any }>();
  const until = performance.now() + Number(process.env['SECONDS'] ?? 120) * 1000;
  const only = process.env['ONLY'] ? process.env['ONLY'].split(',') : null;
  let arb = portfolioStep;
  if (only) arb = portfolioStep.filter((s) => only.includes(s.does));
  let runs = 0;
  const stream = fc.sample(portfolioSequence(Number(process.env['LEN'] ?? 8)), { numRuns: 5000, seed });
  for (const sequence of stream) {
    if (performance.now() > until) break;
    runs++;
    const bad = await one(sequence);
    if (bad === null) continue;
    const key =
      String(bad.error.stack)
        .split('\n')
        .filter((l: string) => /src\/|test\//.test(l) && !/database.ts|job.ts|portfolio.test|hunt/.test(l))
        .slice(0, 2)
        .join(' < ') +
      ' :: ' +
      String(bad.error.message)
        .replace(/[0-9a-f-]{36}/g, 'ID')
        .slice(0, 120);
    const had = found.get(key);
    if (had) {
      had.n++;
      if (had.seq.length > bad.at + 1)
        Object.assign(had, { seq: sequence.slice(0, bad.at + 1), error: bad.error });
    } else found.set(key, { n: 1, seq: sequence.slice(0, bad.at + 1), error: bad.error });
  }
  // shrink each by dropping steps
  for (const [key, f] of found) {
    let seq = f.seq;
    let changed = true;
    const end = performance.now() + 40_000;
    const msg = String(f.error.message)
      .replace(/[0-9a-f-]{36}/g, 'ID')
      .slice(0, 60);
    while (changed && performance.now() < end) {
      changed = false;
      for (let i = 0; i < seq.length - 1 && performance.now() < end; i++) {
        const shorter = seq.filter((_: any, j: number) => j !== i);
        const bad = await one(shorter);
        if (
          bad &&
          String(bad.error.message)
            .replace(/[0-9a-f-]{36}/g, 'ID')
            .slice(0, 60) === msg
        ) {
          seq = shorter.slice(0, bad.at + 1);
          f.error = bad.error;
          changed = true;
          break;
        }
      }
    }
    appendFileSync(
      '/tmp/h12-found.txt',
      `\n##### n=${f.n} ${key}\nSEQ ${JSON.stringify(seq)}\n${String(f.error.stack).split('\n').slice(0, 14).join('\n')}\nEXPECTED ${JSON.stringify(f.error.expected)?.slice(0, 1500)}\nACTUAL ${JSON.stringify(f.error.actual)?.slice(0, 1500)}\n`,
    );
  }
  appendFileSync('/tmp/h12-found.txt', `\n===== seed ${seed} runs ${runs} found ${found.size}\n`);
  console.log(stats);
}, 900_000);
