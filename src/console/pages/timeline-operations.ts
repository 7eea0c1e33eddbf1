/** What an operation or a job did, as it reads after a name: "Ana … registered a payable". */

import type { Locale } from '../../core/caller.ts';

type Sentence = readonly [portuguese: string, english: string];

const finance: Readonly<Record<string, Sentence>> = {
  finance_companies_create: ['cadastrou uma empresa', 'added a company'],
  finance_companies_update: ['alterou uma empresa', 'changed a company'],
  finance_people_create: ['cadastrou uma pessoa', 'added a person'],
  finance_people_update: ['alterou uma pessoa', 'changed a person'],
  finance_people_delete: ['excluiu uma pessoa', 'deleted a person'],
  finance_categories_create: ['criou uma categoria', 'created a category'],
  finance_categories_update: ['alterou uma categoria', 'changed a category'],
  finance_categories_delete: ['excluiu uma categoria', 'deleted a category'],
  finance_cost_centers_create: ['criou um centro de custo', 'created a cost center'],
  finance_cost_centers_update: ['alterou um centro de custo', 'changed a cost center'],
  finance_cost_centers_delete: ['excluiu um centro de custo', 'deleted a cost center'],
  finance_automatic_rules_create: ['criou uma regra automática', 'created an automatic rule'],
  finance_automatic_rules_update: ['alterou uma regra automática', 'changed an automatic rule'],
  finance_automatic_rules_delete: ['excluiu uma regra automática', 'deleted an automatic rule'],
  finance_automatic_rules_apply: ['aplicou as regras automáticas', 'applied the automatic rules'],
  finance_financial_accounts_create: ['adicionou uma conta financeira', 'added a financial account'],
  finance_financial_accounts_update: ['alterou uma conta financeira', 'changed a financial account'],
  finance_financial_accounts_delete: ['excluiu uma conta financeira', 'deleted a financial account'],
  finance_financial_account_balances_create: ['registrou um saldo', 'recorded a balance'],
  finance_financial_account_balances_adjust: ['ajustou um saldo contábil', 'adjusted a book balance'],
  finance_financial_transactions_create: ['registrou um lançamento', 'recorded a transaction'],
  finance_financial_transactions_update: ['alterou um lançamento', 'changed a transaction'],
  finance_financial_transactions_delete: ['excluiu um lançamento', 'deleted a transaction'],
  finance_statement_imports_create: ['importou um extrato', 'imported a statement'],
  finance_statement_imports_revert: ['desfez a importação de um extrato', 'reverted a statement import'],
  finance_transfers_create: ['transferiu entre contas próprias', 'transferred between own accounts'],
  finance_transfers_cancel: ['cancelou uma transferência', 'cancelled a transfer'],
  finance_transfers_link: ['ligou as duas pontas de uma transferência', 'linked the two sides of a transfer'],
  finance_payables_create: ['registrou uma conta a pagar', 'registered a payable'],
  finance_payables_update: ['alterou uma conta a pagar', 'changed a payable'],
  finance_payables_bulk_update: ['alterou várias contas a pagar', 'changed several payables'],
  finance_payables_delete: ['excluiu uma conta a pagar', 'deleted a payable'],
  finance_payables_cancel: ['cancelou uma conta a pagar', 'cancelled a payable'],
  finance_payables_approve: ['aprovou uma conta a pagar', 'approved a payable'],
  finance_payables_reject: ['recusou uma conta a pagar', 'rejected a payable'],
  finance_payables_settle: ['registrou um pagamento', 'recorded a payment of a payable'],
  finance_payables_unsettle: ['desfez um pagamento registrado', 'undid a recorded payment'],
  finance_payables_send_to_bank: ['enviou um pagamento ao banco', 'sent a payment to the bank'],
  finance_payables_bulk_send_to_bank: [
    'enviou vários pagamentos ao banco',
    'sent several payments to the bank',
  ],
  finance_payments_cancel: ['cancelou um pagamento no banco', 'cancelled a payment at the bank'],
  finance_dda_boletos_create_payable: [
    'criou uma conta a pagar de um boleto DDA',
    'created a payable of an announced boleto',
  ],
  finance_dda_boletos_link_payable: [
    'ligou uma conta a pagar a um boleto DDA',
    'linked a payable to an announced boleto',
  ],
  finance_dda_boletos_reject: ['rejeitou um boleto DDA', 'rejected an announced boleto'],
  finance_receivables_create: ['registrou uma conta a receber', 'registered a receivable'],
  finance_receivables_update: ['alterou uma conta a receber', 'changed a receivable'],
  finance_receivables_bulk_update: ['alterou várias contas a receber', 'changed several receivables'],
  finance_receivables_delete: ['excluiu uma conta a receber', 'deleted a receivable'],
  finance_receivables_write_off: ['deu baixa de uma conta a receber como perda', 'wrote off a receivable'],
  finance_receivables_settle: ['registrou um recebimento', 'recorded a receipt'],
  finance_receivables_unsettle: ['desfez um recebimento registrado', 'undid a recorded receipt'],
  finance_receivables_cancel: ['cancelou uma conta a receber', 'cancelled a receivable'],
  finance_receivables_charge: ['emitiu uma cobrança', 'issued a charge'],
  finance_receivables_bulk_charge: ['emitiu várias cobranças', 'issued several charges'],
  finance_charges_cancel: ['cancelou uma cobrança no banco', 'cancelled a charge at the bank'],
  finance_charges_resend: ['enviou uma cobrança de novo', 'sent a charge again'],
  finance_bank_returns_import: ['importou um retorno do banco', 'imported a bank return'],
  finance_recurrences_create: ['criou uma recorrência', 'created a recurrence'],
  finance_recurrences_update: ['alterou uma recorrência', 'changed a recurrence'],
  finance_recurrences_end: ['encerrou uma recorrência', 'ended a recurrence'],
  finance_reconciliations_create: ['conciliou lançamentos', 'reconciled entries'],
  finance_reconciliations_bulk_create: [
    'aceitou sugestões de conciliação',
    'accepted suggested reconciliations',
  ],
  finance_reconciliations_delete: ['desfez uma conciliação', 'undid a reconciliation'],
  finance_fiscal_documents_import: ['importou um documento fiscal', 'imported a fiscal document'],
  finance_fiscal_documents_link_payable: [
    'ligou contas a pagar a um documento fiscal',
    'linked payables to a fiscal document',
  ],
  finance_fiscal_documents_create_payables: [
    'criou contas a pagar de um documento fiscal',
    'created payables of a fiscal document',
  ],
  finance_fiscal_documents_update: ['alterou um documento fiscal', 'changed a fiscal document'],
  finance_fiscal_documents_delete: ['excluiu um documento fiscal', 'deleted a fiscal document'],
  finance_attachments_upload: ['anexou um arquivo', 'uploaded a file'],
  finance_attachments_link: ['ligou um arquivo a um registro', 'linked a file to a record'],
  finance_attachments_unlink: ['desligou um arquivo de um registro', 'unlinked a file from a record'],
  finance_attachments_delete: ['excluiu um arquivo', 'deleted a file'],
  finance_approval_settings_update: ['alterou as regras de aprovação', 'changed the approval rules'],
};

const dunning: Readonly<Record<string, Sentence>> = {
  dunning_settings_update: ['alterou as configurações de cobrança', 'changed the collection settings'],
  dunning_notification_preferences_update: [
    'alterou as preferências de mensagens',
    'changed the notification preferences',
  ],
  dunning_people_create: ['cadastrou um devedor', 'added a debtor'],
  dunning_people_update: ['alterou um devedor', 'changed a debtor'],
  dunning_people_archive: ['arquivou um devedor', 'archived a debtor'],
  dunning_people_bulk_create: ['cadastrou vários devedores', 'added several debtors'],
  dunning_people_bulk_archive: ['arquivou vários devedores', 'archived several debtors'],
  dunning_people_anonymize: ['anonimizou um devedor', 'anonymized a debtor'],
  dunning_person_contacts_create: ['adicionou um contato', 'added a contact'],
  dunning_person_contacts_update: ['alterou um contato', 'changed a contact'],
  dunning_person_contacts_delete: ['removeu um contato', 'removed a contact'],
  dunning_charges_create: ['registrou uma cobrança', 'created a charge'],
  dunning_charges_update: ['alterou uma cobrança', 'changed a charge'],
  dunning_charges_archive: ['arquivou uma cobrança', 'archived a charge'],
  dunning_charges_cancel: ['cancelou uma cobrança', 'cancelled a charge'],
  dunning_charges_bulk_create: ['registrou várias cobranças', 'created several charges'],
  dunning_charges_bulk_update: ['alterou várias cobranças', 'changed several charges'],
  dunning_charges_bulk_cancel: ['cancelou várias cobranças', 'cancelled several charges'],
  dunning_charges_bulk_archive: ['arquivou várias cobranças', 'archived several charges'],
  dunning_charges_pause: ['pausou uma cobrança', 'paused a charge'],
  dunning_charges_resume: ['retomou uma cobrança', 'resumed a charge'],
  dunning_charges_notify: ['avisou o devedor de uma cobrança', 'sent a message about a charge'],
  dunning_charges_bulk_assign_rule: [
    'aplicou uma régua a cobranças',
    'assigned a collection rule to charges',
  ],
  dunning_payments_create: ['registrou um pagamento', 'recorded a payment'],
  dunning_payments_reverse: ['estornou um pagamento', 'reversed a payment'],
  dunning_templates_create: ['criou um modelo de mensagem', 'created a message template'],
  dunning_templates_update: ['alterou um modelo de mensagem', 'changed a message template'],
  dunning_templates_archive: ['arquivou um modelo de mensagem', 'archived a message template'],
  dunning_notifications_create: ['enviou uma mensagem ao devedor', 'sent a message to the debtor'],
  dunning_notifications_resend: ['enviou uma mensagem de novo', 'sent a message again'],
  dunning_notifications_cancel: ['cancelou uma mensagem', 'cancelled a message'],
  dunning_collection_rules_create: ['criou uma régua de cobrança', 'created a collection rule'],
  dunning_collection_rules_update: ['alterou uma régua de cobrança', 'changed a collection rule'],
  dunning_collection_rules_archive: ['arquivou uma régua de cobrança', 'archived a collection rule'],
  dunning_collection_rules_duplicate: ['duplicou uma régua de cobrança', 'duplicated a collection rule'],
  dunning_collection_rule_steps_create: ['criou uma etapa da régua', 'created a step of a collection rule'],
  dunning_collection_rule_steps_update: ['alterou uma etapa da régua', 'changed a step of a collection rule'],
  dunning_collection_rule_steps_delete: ['excluiu uma etapa da régua', 'deleted a step of a collection rule'],
  dunning_collection_rule_steps_reorder: ['reordenou as etapas de um dia', 'reordered the steps of a day'],
  dunning_step_executions_skip: ['pulou uma etapa', 'skipped a step'],
  dunning_interactions_create: ['registrou uma interação', 'logged an interaction'],
  dunning_interactions_update: ['corrigiu uma interação', 'corrected an interaction'],
  dunning_interactions_delete: ['apagou uma interação', 'deleted an interaction'],
  dunning_payment_promises_create: ['registrou uma promessa de pagamento', 'recorded a payment promise'],
  dunning_payment_promises_update: ['alterou uma promessa de pagamento', 'changed a payment promise'],
  dunning_payment_promises_cancel: ['cancelou uma promessa de pagamento', 'cancelled a payment promise'],
  dunning_discount_campaigns_create: ['iniciou uma campanha de desconto', 'started a discount campaign'],
  dunning_discount_campaigns_update: ['alterou uma campanha de desconto', 'changed a discount campaign'],
  dunning_discount_campaigns_end: ['encerrou uma campanha de desconto', 'ended a discount campaign'],
  dunning_agreements_create: ['redigiu uma proposta de acordo', 'wrote an agreement proposal'],
  dunning_agreements_update: ['alterou uma proposta de acordo', 'changed an agreement proposal'],
  dunning_agreements_send: ['enviou uma proposta de acordo', 'sent an agreement proposal'],
  dunning_agreements_accept: ['aceitou um acordo', 'accepted an agreement'],
  dunning_agreements_reject: ['recusou um acordo', 'rejected an agreement'],
  dunning_agreements_cancel: ['cancelou um acordo', 'cancelled an agreement'],
  dunning_disputes_create: ['abriu uma contestação', 'opened a dispute'],
  dunning_disputes_update: ['resolveu uma contestação', 'resolved a dispute'],
  dunning_dispute_comments_create: ['comentou uma contestação', 'commented on a dispute'],
  dunning_negativations_create: ['pediu uma negativação', 'asked for a credit-bureau report'],
  dunning_negativations_update: ['decidiu sobre uma negativação', 'decided on a credit-bureau report'],
  dunning_negativations_cancel: ['cancelou uma negativação', 'cancelled a credit-bureau report'],
  dunning_protests_create: ['pediu um protesto', 'asked for a protest'],
  dunning_protests_update: ['decidiu sobre um protesto', 'decided on a protest'],
  dunning_protests_cancel: ['cancelou um protesto', 'cancelled a protest'],
  dunning_webhooks_create: ['criou um webhook', 'created a webhook'],
  dunning_webhooks_update: ['alterou um webhook', 'changed a webhook'],
  dunning_webhooks_delete: ['excluiu um webhook', 'deleted a webhook'],
  dunning_webhooks_test: ['testou um webhook', 'tested a webhook'],
  dunning_webhooks_rotate_secret: ['trocou o segredo de um webhook', 'rotated the secret of a webhook'],
  dunning_webhook_deliveries_retry: ['repetiu uma entrega de webhook', 'retried a webhook delivery'],
};

const account: Readonly<Record<string, Sentence>> = {
  account_people_invite: ['convidou uma pessoa', 'invited a person'],
  account_people_update: ['alterou os papéis de uma pessoa', 'changed the roles of a person'],
  account_people_remove: ['retirou uma pessoa', 'removed a person'],
  account_connections_revoke: ['revogou uma conexão', 'revoked a connection'],
  account_tokens_create: ['criou um token', 'created a token'],
  account_tokens_revoke: ['revogou um token', 'revoked a token'],
  account_sessions_revoke: ['encerrou uma sessão', 'ended a session'],
  account_profile_update: ['alterou o próprio perfil', 'changed their own profile'],
  account_workspaces_create: ['criou um espaço de trabalho', 'created a workspace'],
  account_workspaces_update: ['alterou um espaço de trabalho', 'changed a workspace'],
  account_organization_update: ['alterou a organização', 'changed the organization'],
  account_controls_update: [
    'alterou os controles do espaço de trabalho',
    'changed the controls of the workspace',
  ],
  account_dunning_controls_update: ['alterou os controles da cobrança', 'changed the controls of collection'],
};

const approvals: Readonly<Record<string, Sentence>> = Object.fromEntries(
  ['finance', 'dunning'].flatMap((product): [string, Sentence][] => [
    [
      `${product}_approvals_request`,
      ['pediu a aprovação de uma ação', 'asked for the approval of an action'],
    ],
    [`${product}_approvals_approve`, ['aprovou uma ação', 'approved an action']],
    [`${product}_approvals_decline`, ['recusou uma ação', 'declined an action']],
  ]),
);

const jobs: Readonly<Record<string, Sentence>> = {
  bank_send: ['enviou uma ordem ao banco', 'sent an order to the bank'],
  bank_poll: ['perguntou ao banco por uma ordem', 'asked the bank about an order'],
  charge_send: ['enviou uma cobrança ao banco', 'sent a charge to the bank'],
  charge_poll: ['perguntou ao banco por uma cobrança', 'asked the bank about a charge'],
  transfer_send: ['enviou uma transferência ao banco', 'sent a transfer to the bank'],
  transfer_poll: ['perguntou ao banco por uma transferência', 'asked the bank about a transfer'],
  dda_reject: ['enviou a rejeição de um boleto DDA', 'sent the rejection of an announced boleto'],
  dda_sync: ['buscou boletos DDA', 'fetched announced boletos'],
  recurrences_run: ['lançou as recorrências do dia', 'registered the recurrences of the day'],
  charge_deliver: ['enviou uma cobrança ao cliente', 'sent a charge to the customer'],
  dunning_lift_holds: ['retomou cobranças pausadas', 'resumed held charges'],
  dunning_send_messages: ['enviou mensagens', 'sent messages'],
  dunning_collect_reports: ['buscou retornos de mensagens', 'collected reports about messages'],
  dunning_campaigns_turn: ['iniciou ou encerrou campanhas', 'started or ended campaigns'],
  dunning_agreements_run: ['verificou os acordos do dia', 'judged the agreements of the day'],
  dunning_judge_promises: ['verificou as promessas de pagamento', 'judged payment promises'],
  dunning_daily_run: ['fez a rodada do dia', 'did the run of the day'],
  dunning_plan_steps: ['planejou etapas da régua', 'planned steps of collection rules'],
  dunning_run_steps: ['executou etapas da régua', 'ran steps of collection rules'],
  dunning_retire_rule: ['tirou uma régua de uso', 'retired a collection rule'],
  dunning_send_negativations: ['enviou negativações', 'sent credit-bureau reports'],
  dunning_collect_bureau_answers: ['buscou respostas dos birôs', 'collected answers of the bureaus'],
  dunning_watch_prior_notices: ['acompanhou avisos prévios', 'watched prior notices'],
  dunning_negativations_daily: ['verificou as negativações do dia', 'judged the reports of the day'],
  dunning_send_protests: ['enviou protestos', 'sent protests'],
  dunning_collect_notary_answers: ['buscou respostas dos cartórios', 'collected answers of the notaries'],
  dunning_protests_daily: ['verificou os protestos do dia', 'judged the protests of the day'],
  dunning_publish_events: ['publicou eventos', 'published events'],
  dunning_deliver_webhooks: ['entregou webhooks', 'delivered webhooks'],
  dunning_forget_deliveries: ['apagou entregas antigas', 'forgot old deliveries'],
  dunning_follow_charge: ['acompanhou a mudança de uma cobrança', 'followed a change of a charge'],
  dunning_follow_receivable: ['acompanhou uma conta a receber', 'followed a receivable'],
  dunning_settle_receivable: ['baixou uma conta a receber', 'settled a receivable'],
};

const sentences: Readonly<Record<string, Sentence>> = {
  ...finance,
  ...dunning,
  ...account,
  ...approvals,
  ...jobs,
};

/** Every operation and job there is a sentence for, sorted by it; for choosing one to filter by. */
export function knownOperations(
  product: 'finance' | 'dunning',
  locale: Locale,
): readonly { name: string; title: string }[] {
  return Object.keys({ ...(product === 'finance' ? finance : dunning), ...account })
    .map((name) => ({ name, title: sentenceOf(name, locale) }))
    .sort((left, right) => left.title.localeCompare(right.title, locale));
}

/** What was done, as it reads after a name; an operation nobody wrote a sentence for keeps its own name. */
export function sentenceOf(operation: string, locale: Locale): string {
  const sentence = Object.hasOwn(sentences, operation) ? sentences[operation] : undefined;
  if (sentence !== undefined) return sentence[locale === 'pt-BR' ? 0 : 1];
  const name = operation.replaceAll('_', ' ');
  return locale === 'pt-BR' ? `executou “${name}”` : `ran “${name}”`;
}

/** Whether there is a sentence for the operation or job; a test holds the catalogues to it. */
export function hasSentence(operation: string): boolean {
  return Object.hasOwn(sentences, operation);
}
