import { z } from 'zod';
import { ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { deleteRule as deleteRow } from '../queries.ts';
import { lockedOrder, reorder, requireRule, ruleOf } from '../resource.ts';
import type { ruleMatches, ruleScopes } from '../schema.ts';

const matchWords = {
  contains: { 'pt-BR': 'a descrição contém', en: 'the description contains it' },
  equals: { 'pt-BR': 'a descrição é igual', en: 'the description equals it' },
} as const satisfies Record<(typeof ruleMatches)[number], object>;

const scopeWords = {
  transactions: { 'pt-BR': 'lançamentos das contas', en: 'entries of accounts' },
  documents: { 'pt-BR': 'contas a pagar e a receber', en: 'payables and receivables' },
  all: {
    'pt-BR': 'lançamentos e contas a pagar e a receber',
    en: 'entries of accounts, payables and receivables',
  },
} as const satisfies Record<(typeof ruleScopes)[number], object>;

export const deleteRule = operation({
  name: 'finance_automatic_rules_delete',
  title: 'Delete automatic rule',
  titlePortuguese: 'Excluir regra automática',
  summary: 'Remove a rule; entries that it classified stay as they are.',
  effect: 'destructive',
  scope: 'finance.automatic_rules',
  input: { id: id('the rule') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const { pattern, match, scope, position } = ruleOf(await requireRule(context, input.id));
    return [
      outside('pattern', 'Texto procurado', 'Pattern', pattern),
      ours('match', 'Comparação', 'Match', matchWords[match]),
      ours('scope', 'Vale para', 'Applies to', scopeWords[scope]),
      ours('position', 'Ordem', 'Position', String(position)),
    ];
  },
  async run(input, context) {
    const order = await lockedOrder(context);
    const rule = await requireRule(context, input.id);
    await deleteRow(context.db, context.workspaceId, rule.id);
    context.changed('automatic_rule', rule.id, ruleOf(rule), null);
    await reorder(
      context,
      order.filter((other) => other !== rule.id),
      rule.id,
    );
    return { id: rule.id, deleted: true as const };
  },
});
