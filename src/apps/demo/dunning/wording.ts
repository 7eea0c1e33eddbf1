/** The texts of the sample's templates. */

export interface Wording {
  readonly key: string;
  readonly name: string;
  readonly channel: 'email' | 'sms' | 'whatsapp' | 'letter';
  readonly subject?: string;
  readonly body: string;
  readonly language?: 'en';
  readonly isInactive?: true;
  /** The text of the version before. */
  readonly before?: string;
}

const signature = `{{creditor_name}}
CNPJ {{creditor_document}}
{{creditor_phone}} · {{creditor_email}}`;

const waysToPay = `Linha digitável: {{charge_typed_line}}
Pix copia e cola: {{charge_pix_code}}
Página de pagamento: {{charge_link}}`;

export const wordings: readonly Wording[] = [
  {
    key: 'reminder_email',
    name: 'Lembrete antes do vencimento (e-mail)',
    channel: 'email',
    subject: 'Lembrete de {{creditor_name}}',
    body: `Olá, {{debtor_name}}.

Este é um lembrete do que vence em breve:
{{charge_description}} ({{charge_number}}): {{charge_amount_due}}, com vencimento em {{charge_due_date}}.

${waysToPay}

Se já pagou, desconsidere esta mensagem.

${signature}`,
    before: `Olá, {{debtor_name}}.

Lembramos que {{charge_description}} vence em {{charge_due_date}}: {{charge_amount_due}}.

${signature}`,
  },
  {
    key: 'due_today_whatsapp',
    name: 'Vence hoje (WhatsApp)',
    channel: 'whatsapp',
    body: `Olá, {{debtor_name}}! Hoje é o dia de {{charge_description}}: {{charge_amount_due}}.
Pix copia e cola: {{charge_pix_code}}
Página de pagamento: {{charge_link}}
{{creditor_name}}, CNPJ {{creditor_document}}`,
  },
  {
    key: 'late_sms',
    name: 'Primeiro aviso (SMS)',
    channel: 'sms',
    body: `{{creditor_name}}: nao localizamos o pagamento com vencimento em {{charge_due_date}}, {{charge_amount_due}}. Duvidas: {{creditor_phone}}`,
  },
  {
    key: 'late_email',
    name: 'Pagamento não localizado (e-mail)',
    channel: 'email',
    subject: 'Mensagem de {{creditor_name}} para você',
    body: `Olá, {{debtor_name}}.

Não localizamos o pagamento do que segue:
{{charge_description}} ({{charge_number}}), vencimento em {{charge_due_date}}: {{charge_amount_due}} hoje.

${waysToPay}

Se já pagou, envie o comprovante respondendo a este e-mail.

${signature}`,
  },
  {
    key: 'talk_whatsapp',
    name: 'Vamos conversar (WhatsApp)',
    channel: 'whatsapp',
    body: `Olá, {{debtor_name}}. {{charge_description}}, com vencimento em {{charge_due_date}}, está em {{charge_amount_due}} hoje.
Podemos parcelar: responda a esta mensagem ou ligue para {{creditor_phone}}.
{{creditor_name}}, CNPJ {{creditor_document}}`,
  },
  {
    key: 'offer_email',
    name: 'Convite para um acordo (e-mail)',
    channel: 'email',
    subject: 'Uma conversa com {{creditor_name}}',
    body: `Olá, {{debtor_name}}.

Queremos ajudar você a resolver o que segue, no total de {{total_due}} hoje:
{{charges}}

Há opções de parcelamento. Responda a este e-mail ou ligue para {{creditor_phone}}.

${signature}`,
  },
  {
    key: 'statement_letter',
    name: 'Carta com o demonstrativo',
    channel: 'letter',
    body: `{{debtor_name}}
CPF/CNPJ: {{debtor_document}}

Encontram-se sem pagamento, em {{today}}:
{{charges}}
Total: {{total_due}}

Se houver engano, ou se já pagou, fale conosco.

{{creditor_name}}
CNPJ {{creditor_document}}
{{creditor_address}}
{{creditor_phone}}`,
  },
  {
    key: 'company_email',
    name: 'Aviso a empresas (e-mail)',
    channel: 'email',
    subject: '{{creditor_name}}: contas a pagar',
    body: `Prezados,

Consta sem pagamento {{charge_description}} ({{charge_number}}), vencimento em {{charge_due_date}}: {{charge_amount_due}} hoje.

${waysToPay}

Pedimos a gentileza de informar a previsão.

${signature}`,
  },
  {
    key: 'partner_email',
    name: 'Lembrete a parceiros (e-mail)',
    channel: 'email',
    subject: 'Um lembrete de {{creditor_name}}',
    body: `Olá, {{debtor_name}}, tudo bem?

Notamos que {{charge_description}} venceu em {{charge_due_date}} ({{charge_amount_due}} hoje). Se precisar de outra data, é só responder.

${signature}`,
  },
  {
    key: 'second_copy_whatsapp',
    name: 'Segunda via (WhatsApp)',
    channel: 'whatsapp',
    body: `Olá, {{debtor_name}}. Segue a segunda via de {{charge_description}}: {{charge_amount_due}} hoje.
Linha digitável: {{charge_typed_line}}
Pix copia e cola: {{charge_pix_code}}
{{creditor_name}}`,
  },
  {
    key: 'several_email',
    name: 'Várias cobranças (e-mail)',
    channel: 'email',
    subject: 'Resumo de {{creditor_name}}',
    body: `Olá, {{debtor_name}}.

São {{charge_count}} itens, {{total_due}} hoje:
{{charges}}

${signature}`,
  },
  {
    key: 'reminder_english',
    name: 'Reminder before the due date (e-mail)',
    channel: 'email',
    language: 'en',
    subject: 'A reminder from {{creditor_name}}',
    body: `Dear {{debtor_name}},

{{charge_description}} falls due on {{charge_due_date}}: {{charge_amount_due}}.

If you have paid already, please ignore this message.

${signature}`,
  },
  {
    key: 'thanks_sms',
    name: 'Agradecimento (SMS)',
    channel: 'sms',
    body: '{{creditor_name}}: obrigado por entrar em contato. Seguimos a disposicao em {{creditor_phone}}.',
  },
  {
    key: 'old_sms',
    name: 'Aviso antigo (SMS)',
    channel: 'sms',
    isInactive: true,
    body: '{{creditor_name}}: {{charge_description}} venceu em {{charge_due_date}}.',
  },
];
