/** CNAB return files: what banks say about boletos, recorded once. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { getBankReturn } from './operations/get.ts';
import { importBankReturn } from './operations/import.ts';
import { listBankReturns } from './operations/list.ts';

export const operations = [listBankReturns, getBankReturn, importBankReturn];

export const resources: ResourceDefinition[] = [];
