/** What can happen to a portfolio, each as a person, a debtor or time makes it happen. */

import * as cases from './portfolio-case-steps.ts';
import * as flow from './portfolio-flow-steps.ts';
import * as money from './portfolio-money-steps.ts';
import type { Act, PortfolioStepName } from './portfolio-step.ts';

/** What makes the records that a step needs. */
export const portfolioFirsts: Partial<Record<PortfolioStepName, PortfolioStepName>> = {
  reverse: 'pay',
  changePromise: 'promise',
  cancelPromise: 'promise',
  resolve: 'dispute',
  accept: 'propose',
  amend: 'propose',
  endAgreement: 'accept',
  payInstallment: 'accept',
  decide: 'report',
  cancelLegal: 'decide',
};

export const portfolioSteps: Readonly<Record<PortfolioStepName, Act>> = { ...money, ...cases, ...flow };
