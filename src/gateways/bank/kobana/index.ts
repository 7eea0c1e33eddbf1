/**
 * Banks through the API of Kobana (version 2). One token reaches every account of its owner there; which account an
 * order uses is said by its `providerId`.
 */

import type { BankPort } from '../port.ts';
import { createChargeDesk } from './charges.ts';
import { createDdaDesk } from './dda.ts';
import { createKobanaHttp, type KobanaAccess } from './http.ts';
import { createPaymentDesk, createTransferDesk } from './orders.ts';
import { createStatementDesk } from './statements.ts';

/** Throws `TypeError` when the address is neither https nor on this machine, or the token is none. */
export function createKobanaBank(access: KobanaAccess): BankPort {
  const http = createKobanaHttp(access);
  return {
    ...createPaymentDesk(http),
    charges: createChargeDesk(http),
    transfers: createTransferDesk(http),
    dda: createDdaDesk(http),
    statements: createStatementDesk(http),
  };
}
