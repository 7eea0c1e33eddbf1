/** The inbox of boletos that banks announced against our companies (DDA), and what people decided about them. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { createDdaBoletoPayable } from './operations/create-payable.ts';
import { getDdaBoleto } from './operations/get.ts';
import { linkDdaBoletoPayable } from './operations/link-payable.ts';
import { listDdaBoletos } from './operations/list.ts';
import { rejectDdaBoleto } from './operations/reject.ts';

export { jobs } from './jobs.ts';

export const resources: ResourceDefinition[] = [];

export const operations = [
  listDdaBoletos,
  getDdaBoleto,
  createDdaBoletoPayable,
  linkDdaBoletoPayable,
  rejectDdaBoleto,
];
