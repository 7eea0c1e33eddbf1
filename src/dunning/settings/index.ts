/** How the organization collects: terms, contact rules, legal defaults, senders. */

import type { Operation } from '../../core/operation.ts';
import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';

export const operations: Operation[] = [];

export const resources: ResourceDefinition[] = [];

export const prompts: PromptDefinition[] = [];
