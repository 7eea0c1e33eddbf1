import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireTemplate, templateOf } from '../resource.ts';
import { templateSchema } from '../schema.ts';
import { variablesIn } from '../variables.ts';

export const getTemplate = operation({
  name: 'dunning_templates_get',
  title: 'Get message template',
  summary: 'One message template with its text and the variables it names.',
  effect: 'read',
  scope: 'dunning.templates',
  input: { id: id('the template') },
  output: z.object({ ...templateSchema.shape, variables: z.array(z.string()) }),
  async run(input, context) {
    const template = templateOf(await requireTemplate(context, input.id));
    const named = variablesIn(`${template.subject ?? ''}\n${template.body}`);
    return { ...template, variables: named.map(({ name }) => name) };
  },
});
