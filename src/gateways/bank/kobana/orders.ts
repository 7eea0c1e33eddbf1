/** The desks for payments and for transfers: both are orders that Kobana passes on to a bank. */

import { z } from 'zod';
import {
  type Absent,
  type BankDesk,
  type BankOrder,
  type BankOrderStatus,
  BankOutcomeUnknown,
  BankUnreachable,
  type TransferRequest,
} from '../port.ts';
import type { KobanaHttp, Query, Written } from './http.ts';
import { findByKey, recordsOf } from './pages.ts';
import {
  type Family,
  type Impossible,
  type KobanaRequest,
  paymentRequest,
  transferRequest,
} from './requests.ts';
import { type KobanaOrder, orderForm, orderStatusOf } from './states.ts';
import { readAs } from './values.ts';

/** Records remembered, so that asking again is one call; what is forgotten is looked for. */
const REMEMBERED_MAX = 5_000;

const batchForm = z.object({
  payments: z.array(orderForm).optional(),
  transfers: z.array(orderForm).optional(),
});

const recordForm = z.object({ data: orderForm });

type Desk<Request> = BankDesk<Request, BankOrderStatus>;

interface Found {
  readonly family: Family;
  readonly order: KobanaOrder;
}

export function createPaymentDesk(http: KobanaHttp): Desk<BankOrder> {
  return createDesk(http, paymentRequest, familiesOfPayment);
}

export function createTransferDesk(http: KobanaHttp): Desk<TransferRequest> {
  return createDesk(http, transferRequest, () => ['transfers']);
}

/** Our key ends with the kind of the order, where it is a payment; a key of any other form is looked for in both. */
function familiesOfPayment(key: string): Family[] {
  if (/\.(pix_key|ted)$/.test(key)) return ['transfers'];
  if (/\.(boleto|utility|pix_code)$/.test(key)) return ['payments'];
  return ['payments', 'transfers'];
}

function createDesk<Request extends { readonly idempotencyKey: string }>(
  http: KobanaHttp,
  requestOf: (request: Request) => KobanaRequest | Impossible,
  familiesOf: (key: string) => Family[],
): Desk<Request> {
  const finder = createFinder(http, familiesOf);
  const answerOf = (found: Found | undefined): BankOrderStatus =>
    found === undefined ? { status: 'absent' } : orderStatusOf(found.order);
  return {
    async submit(request) {
      const key = request.idempotencyKey;
      const wanted = requestOf(request);
      if ('impossible' in wanted) return rejected(wanted.impossible);
      const written = await http.write('POST', wanted.path, wanted.body, key);
      return afterWriting(async () => {
        const own = written.kind === 'done' ? orderIn(written, key) : undefined;
        if (own !== undefined) {
          finder.remember(key, { family: wanted.family, order: own });
          return orderStatusOf(own);
        }
        // Kobana took this key before, or does not say what it made of it: it is asked.
        if (written.kind === 'refused' && !written.isRepeated) return rejected(written.reason);
        const answer = answerOf(await finder.find(key));
        if (answer.status !== 'absent') return answer;
        throw new BankOutcomeUnknown(`POST ${wanted.path}: taken, but not to be found yet`);
      });
    },
    async find(key) {
      return answerOf(await finder.find(key));
    },
    async cancel(key) {
      const found = await finder.find(key);
      if (found === undefined) return { status: 'absent' };
      const { family, order } = found;
      const answer = orderStatusOf(order);
      if (isFinal(answer)) return answer;
      // Refused when it is too late; accepted as a wish otherwise. Either way the order itself tells how it stands.
      await http.write('PUT', `/v2/${family}/${order.uid}/cancel`, undefined, `${key}.cancel`);
      return answerOf(await finder.find(key));
    },
  };
}

/** Looks for orders by our key: by the id at Kobana where it is remembered, else in the lists. */
function createFinder(http: KobanaHttp, familiesOf: (key: string) => Family[]) {
  const remembered = new Map<string, { family: Family; uid: string }>();
  const remember = (key: string, { family, order }: Found): Found => {
    remembered.delete(key);
    remembered.set(key, { family, uid: order.uid });
    if (remembered.size > REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!);
    return { family, order };
  };
  const recall = async (key: string): Promise<Found | undefined> => {
    const known = remembered.get(key);
    if (known === undefined) return undefined;
    const path = `/v2/${known.family}/${known.uid}`;
    const body = await http.read(path);
    return body === null
      ? undefined
      : { family: known.family, order: readAs(recordForm, body, `GET ${path}`).data };
  };
  return {
    remember,
    async find(key: string): Promise<Found | undefined> {
      const recalled = await recall(key);
      if (recalled !== undefined) return recalled;
      for (const family of familiesOf(key)) {
        // Only the list of payments can be asked for one key.
        const query: Query = family === 'payments' ? { external_id: key } : {};
        const order = await findByKey(recordsOf(http, `/v2/${family}`, orderForm, query), key);
        if (order !== undefined) return remember(key, { family, order });
      }
      return undefined;
    },
  };
}

function orderIn(written: Extract<Written, { kind: 'done' }>, key: string): KobanaOrder | undefined {
  const { payments = [], transfers = [] } = readAs(batchForm, written.data, 'a new batch');
  return [...payments, ...transfers].find((order) => order.external_id === key);
}

function isFinal({ status }: BankOrderStatus | Absent): boolean {
  return status === 'confirmed' || status === 'rejected' || status === 'canceled' || status === 'absent';
}

function rejected(reason: string): BankOrderStatus {
  return { status: 'rejected', reference: '', reason };
}

/** Once a write was taken, whatever goes wrong in reading what came of it leaves the outcome unknown. */
export async function afterWriting<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BankUnreachable) throw new BankOutcomeUnknown(error.message);
    throw error;
  }
}
