/** Texts of messages: declared variables, versions, and what may not be said to a debtor. */

import type { Completion, PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { archiveTemplate } from './operations/archive.ts';
import { createTemplate } from './operations/create.ts';
import { getTemplate } from './operations/get.ts';
import { listTemplates } from './operations/list.ts';
import { previewTemplate } from './operations/preview.ts';
import { updateTemplate } from './operations/update.ts';
import { listTemplateVariables } from './operations/variables-list.ts';
import { suggestTemplateIds } from './resource.ts';

export { type Finding, findingsIn, type LintedText } from './lint.ts';
export { messageChargeOf, messageCreditorOf } from './message.ts';
export { type PlainKind, plainMessage, plainNotice } from './plain.ts';
export { type MessageText, type RenderedText, renderText } from './render.ts';
export {
  requireTemplate,
  requireUsableTemplate,
  type TemplateRow,
  type VersionText,
  versionKey,
  versionTexts,
} from './resource.ts';
export { cleanLines, requireSendable } from './rules.ts';
export { type TemplateVariable, templateVariables, unknownVariablesIn } from './variables.ts';
export {
  type MessageAgreement,
  type MessageCharge,
  type MessageCreditor,
  type MessageNotice,
  type MessageView,
  messageValues,
  type Values,
} from './view.ts';

export const templateCompletion: Completion = {
  kind: 'records',
  operation: 'dunning_templates_list',
  suggest: suggestTemplateIds,
};

export const operations = [
  listTemplates,
  getTemplate,
  createTemplate,
  updateTemplate,
  archiveTemplate,
  previewTemplate,
  listTemplateVariables,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://dunning/templates/{id}',
    name: 'template',
    title: 'Message template',
    description: 'A message template.',
    mimeType: 'application/json',
    operation: 'dunning_templates_get',
    variable: 'uuid',
    completion: templateCompletion,
    ttlMs: 0,
  },
];

export const prompts: PromptDefinition[] = [];
