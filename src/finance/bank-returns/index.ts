/** CNAB return files: what banks say about boletos, recorded once. */

import type { Operation } from '../../core/operation.ts';
import type { ResourceDefinition } from '../../core/surfaces.ts';

export const operations: Operation[] = [];

export const resources: ResourceDefinition[] = [];
