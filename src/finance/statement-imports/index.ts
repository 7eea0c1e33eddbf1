/** Bank statements brought in as files: OFX, CSV and CNAB 240. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { createImport } from './operations/create.ts';
import { getImport } from './operations/get.ts';
import { listImports } from './operations/list.ts';
import { previewImport } from './operations/preview.ts';
import { revertImport } from './operations/revert.ts';

export const operations = [listImports, getImport, previewImport, createImport, revertImport];

export const resources: ResourceDefinition[] = [];
