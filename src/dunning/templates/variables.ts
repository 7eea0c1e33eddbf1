/** The variables a template may name, and how they stand in a text. */

import type { TemplateChannel } from './schema.ts';

/** What a variable tells of: the message as a whole, or each of its charges. */
export type VariableScope = 'message' | 'charge';

export interface TemplateVariable {
  readonly name: string;
  readonly scope: VariableScope;
  readonly description: string;
  /** As it reads in Portuguese. */
  readonly example: string;
  readonly channels: readonly TemplateChannel[];
  /** Whether it tells of a debt, which a subject never does. */
  readonly isDebtDetail: boolean;
}

const NAME_SHOWN_MAX = 40;
const UNKNOWN_SHOWN_MAX = 10;
const everywhere: readonly TemplateChannel[] = ['email', 'sms', 'whatsapp', 'letter'];
/** Where there is room for it. */
const written: readonly TemplateChannel[] = ['email', 'whatsapp', 'letter'];

const of =
  (scope: VariableScope, isDebtDetail: boolean) =>
  (name: string, description: string, example: string, channels = everywhere): TemplateVariable => ({
    name,
    scope,
    description,
    example,
    channels,
    isDebtDetail,
  });

const party = of('message', false);
const debt = of('message', true);
const charge = of('charge', true);

export const templateVariables: readonly TemplateVariable[] = [
  party('debtor_name', 'Name of the debtor.', 'Ana Souza'),
  debt('debtor_document', "The debtor's CPF, masked, or CNPJ.", '***.982.247-**', written),
  party('creditor_name', 'Who the debt is owed to.', 'Aurora Comércio Ltda'),
  party('creditor_document', 'CNPJ of the creditor.', '11.222.333/0001-81'),
  party('creditor_address', 'Address of the creditor.', 'Rua Um, 10, São Paulo, SP', written),
  party('creditor_phone', 'Where the creditor answers calls.', '+551130000000'),
  party('creditor_email', 'Where the creditor answers e-mails.', 'financeiro@example.com'),
  party('today', 'The day on which the message leaves.', '01/10/2026'),
  debt('charge_count', 'How many charges the message is about.', '2'),
  debt('charges', 'The charges, a line for each with its own amount due.', '- Mensalidade: R$ 110,00'),
  debt('total_due', 'What all charges of the message come to on that day.', 'R$ 180,00'),
  charge('charge_description', 'What the charge is for.', 'Mensalidade de setembro'),
  charge('charge_number', 'Number of its document.', 'NF-1020'),
  charge('charge_due_date', 'Its due date.', '10/09/2026'),
  charge('charge_amount', 'Its face value.', 'R$ 100,00'),
  charge('charge_amount_due', 'What it comes to on the day the message leaves.', 'R$ 103,00'),
  charge('charge_days_late', 'Days after the due date; 0 before.', '21'),
  charge(
    'charge_typed_line',
    'Typed line of its boleto.',
    '34191.23454 67890.123457 67890.123457 8 15100000123456',
  ),
  charge('charge_pix_code', 'Its Pix code.', '00020126360014br.gov.bcb.pix…', written),
  charge('charge_link', 'Address of its payment page.', 'https://pay.example.com/c/1020'),
];

const byName = new Map(templateVariables.map((variable) => [variable.name, variable]));

/** A variable as it stands in a text. */
export const VARIABLE = /\{\{[ \t]*([a-z][a-z0-9_]{0,60})[ \t]*\}\}/g;
const BRACES = /\{\{([^{}]*)\}\}/g;
const LOOSE = /\{\{|\}\}/g;

/** The variable of this name, if there is one. */
export function variableOf(name: string): TemplateVariable | undefined {
  return byName.get(name);
}

/** The declared variables that a text names, each once, in the order of the text. */
export function variablesIn(text: string): TemplateVariable[] {
  const names = new Set([...text.matchAll(VARIABLE)].map(([, name]) => name!));
  return [...names].flatMap((name) => byName.get(name) ?? []);
}

/**
 * What stands in double braces and is no variable of ours, or not one of the channel; loose double braces too. As the
 * text has it, at most ten.
 */
export function unknownVariablesIn(text: string, channel?: TemplateChannel): string[] {
  const found = new Set<string>();
  for (const [, inner] of text.matchAll(BRACES)) {
    const name = inner!.replace(/^[ \t]+|[ \t]+$/g, '');
    const known = byName.get(name);
    const isUsable = known !== undefined && (channel === undefined || known.channels.includes(channel));
    if (!isUsable)
      found.add(name.trim() === '' ? '{{}}' : Array.from(name).slice(0, NAME_SHOWN_MAX).join(''));
  }
  for (const [loose] of text.replace(BRACES, '').matchAll(LOOSE)) found.add(loose);
  return [...found].slice(0, UNKNOWN_SHOWN_MAX);
}
