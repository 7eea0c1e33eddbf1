/** The text of a message about charges where nobody chose a template: plain, and the same for everybody. */

import type { MessageText } from '../templates/index.ts';

const subjects = {
  'pt-BR': '{{creditor_name}}: mensagem para {{debtor_name}}',
  en: '{{creditor_name}}: a message for {{debtor_name}}',
} as const;

const bodies = {
  'pt-BR': [
    'Olá, {{debtor_name}}.',
    '',
    'Estes valores estão em aberto:',
    '{{charges}}',
    '',
    'Total em {{today}}: {{total_due}}',
    '',
    'Linha digitável: {{charge_typed_line}}',
    'Pix copia e cola: {{charge_pix_code}}',
    'Pagamento: {{charge_link}}',
    '',
    'Se já pagou ou tem alguma dúvida, responda a esta mensagem.',
    '',
    '{{creditor_name}}',
    '{{creditor_phone}}',
  ],
  en: [
    'Dear {{debtor_name}},',
    '',
    'These amounts are open:',
    '{{charges}}',
    '',
    'Total on {{today}}: {{total_due}}',
    '',
    'Typed line: {{charge_typed_line}}',
    'Pix code: {{charge_pix_code}}',
    'Pay at: {{charge_link}}',
    '',
    'If you have paid or have a question, answer this message.',
    '',
    '{{creditor_name}}',
    '{{creditor_phone}}',
  ],
} as const;

const short = {
  'pt-BR':
    '{{creditor_name}}: {{debtor_name}}, em {{today}} o valor em aberto é {{total_due}}. Fale conosco: {{creditor_phone}}',
  en: '{{creditor_name}}: {{debtor_name}}, on {{today}} the open amount is {{total_due}}. Call us: {{creditor_phone}}',
} as const;

/** Subject (e-mails only) and body, with the variables of templates. */
export function plainReminder(channel: string, language: 'pt-BR' | 'en'): MessageText {
  const subject = channel === 'email' ? subjects[language] : null;
  return { subject, body: channel === 'sms' ? short[language] : bodies[language].join('\n') };
}
