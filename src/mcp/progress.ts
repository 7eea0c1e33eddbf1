/** Progress of a long call: only for whoever sent a token, always rising, never more often than ten times a second. */

import type { Progress } from '../core/operation.ts';
import { type Exchange, isObject, own, type Params } from './protocol.ts';

const INTERVAL_MS = 100;

/** What a transport carries to the client while a request is under way. Must not throw and must not wait. */
export type Notify = (method: string, params: Params) => void;

export interface ProgressReporter {
  readonly report: (step: Progress) => void;
  /** Nothing is reported after the answer (PROTOCOL UT-08, UT-09). */
  stop(): void;
}

/** The reporter of one call; undefined when nobody asked for progress or the transport cannot carry it. */
export function progressReporterOf(params: Params, exchange: Exchange): ProgressReporter | undefined {
  const { notify } = exchange;
  const progressToken = progressTokenOf(params);
  if (notify === undefined || progressToken === undefined) return undefined;
  let last = -1;
  let lastAt = Number.NEGATIVE_INFINITY;
  let isOver = false;
  return {
    report({ done, total, message }) {
      const at = performance.now();
      const isLast = total !== undefined && done >= total;
      if (isOver || done <= last || (at - lastAt < INTERVAL_MS && !isLast)) return;
      last = done;
      lastAt = at;
      notify('notifications/progress', {
        progressToken,
        progress: done,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      });
    },
    stop() {
      isOver = true;
    },
  };
}

/** The token, a string or an integer; anything else asks for nothing. */
function progressTokenOf(params: Params): string | number | undefined {
  const meta = own(params, '_meta');
  const token = isObject(meta) ? own(meta, 'progressToken') : undefined;
  return typeof token === 'string' || Number.isSafeInteger(token) ? (token as string | number) : undefined;
}
