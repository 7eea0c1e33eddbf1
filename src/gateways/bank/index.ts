/** The banks of a process by the name of their adapter, as `financial_accounts.bank_adapter` holds it. */

import { createCapturedMail } from '../mail/capture.ts';
import type { MailPort } from '../mail/port.ts';
import type { BankPort, FinanceGateways } from './port.ts';
import { createSimulatedCharges } from './simulated-charges.ts';
import { createSimulatedDda } from './simulated-dda.ts';
import { simulatedTransfersOver } from './simulated-transfers.ts';
import { createSimulatedBank } from './simulator.ts';

export { BankOutcomeUnknown, type BankPort, type FinanceGateways } from './port.ts';
export { createSimulatedBank, type SimulatedBehaviour } from './simulator.ts';

/** Every desk of a simulated bank. */
export function createWholeSimulatedBank(): BankPort {
  const payments = createSimulatedBank();
  return {
    ...payments,
    charges: createSimulatedCharges(),
    transfers: simulatedTransfersOver(payments),
    dda: createSimulatedDda(),
  };
}

/**
 * Gateways over these adapters. Asking for an adapter that is not there throws: the account is set up wrongly. Mail
 * is captured unless a transport is given, so that nothing leaves by mistake.
 */
export function financeGatewaysOf(
  banks: Readonly<Record<string, BankPort>>,
  mail: MailPort = createCapturedMail(),
): FinanceGateways {
  const byName = new Map(Object.entries(banks));
  return {
    mail,
    bank(adapter) {
      const bank = byName.get(adapter);
      if (bank === undefined) throw new Error(`there is no bank adapter called ${JSON.stringify(adapter)}`);
      return bank;
    },
  };
}
