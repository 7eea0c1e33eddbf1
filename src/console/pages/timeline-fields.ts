/** What records and their fields are called in the timeline. */

import type { Locale } from '../../core/caller.ts';

type Name = readonly [portuguese: string, english: string];

const kinds: Readonly<Record<string, Name>> = {
  agreement: ['acordo', 'agreement'],
  approval: ['pedido de aprovação', 'approval'],
  approval_settings: ['regras de aprovação', 'approval rules'],
  attachment: ['arquivo', 'file'],
  automatic_rule: ['regra automática', 'automatic rule'],
  bank_return: ['retorno do banco', 'bank return'],
  campaign: ['campanha', 'campaign'],
  category: ['categoria', 'category'],
  charge: ['cobrança', 'charge'],
  charge_delivery: ['envio de cobrança', 'delivery of a charge'],
  collection_rule: ['régua de cobrança', 'collection rule'],
  company: ['empresa', 'company'],
  connection: ['conexão', 'connection'],
  contact: ['contato', 'contact'],
  controls: ['controles', 'controls'],
  cost_center: ['centro de custo', 'cost center'],
  daily_run: ['rodada do dia', 'run of the day'],
  dda_boleto: ['boleto DDA', 'announced boleto'],
  dda_sync: ['busca de boletos DDA', 'fetch of announced boletos'],
  delivery: ['entrega', 'delivery'],
  dispute: ['contestação', 'dispute'],
  dispute_comment: ['comentário', 'comment'],
  duplicate_receipt: ['recebimento em duplicidade', 'duplicate receipt'],
  financial_account: ['conta financeira', 'financial account'],
  financial_account_balance: ['saldo', 'balance'],
  financial_transaction: ['lançamento', 'transaction'],
  fiscal_document: ['documento fiscal', 'fiscal document'],
  installment: ['parcela', 'installment'],
  interaction: ['interação', 'interaction'],
  invitation: ['convite', 'invitation'],
  member: ['pessoa com acesso', 'person with access'],
  negativation: ['negativação', 'credit-bureau report'],
  note: ['anotação', 'note'],
  notification: ['mensagem', 'message'],
  organization: ['organização', 'organization'],
  payable: ['conta a pagar', 'payable'],
  payment: ['pagamento', 'payment'],
  person: ['pessoa', 'person'],
  promise: ['promessa de pagamento', 'payment promise'],
  protest: ['protesto', 'protest'],
  receivable: ['conta a receber', 'receivable'],
  reconciliation: ['conciliação', 'reconciliation'],
  recurrence: ['recorrência', 'recurrence'],
  session: ['sessão', 'session'],
  settings: ['configurações', 'settings'],
  settlement: ['baixa', 'settlement'],
  statement_import: ['importação de extrato', 'statement import'],
  step: ['etapa da régua', 'step'],
  step_execution: ['execução de etapa', 'step execution'],
  step_run: ['rodada de etapas', 'run of steps'],
  template: ['modelo de mensagem', 'message template'],
  token: ['token', 'token'],
  transfer: ['transferência', 'transfer'],
  upload_link: ['endereço de envio', 'upload address'],
  user: ['pessoa com acesso', 'person with access'],
  webhook: ['webhook', 'webhook'],
  workspace: ['espaço de trabalho', 'workspace'],
  write_off: ['baixa como perda', 'write-off'],
};

/** English names are the fields' own, with spaces. */
const fields: Readonly<Record<string, string>> = {
  abatement: 'abatimento',
  active: 'em uso',
  accepted_at: 'aceito em',
  access: 'acesso',
  account_id: 'conta',
  address: 'endereço',
  adjusted_due_date: 'vencimento ajustado',
  agreement_id: 'acordo',
  amount: 'valor',
  amount_due: 'valor devido',
  amount_max: 'valor máximo',
  amount_min: 'valor mínimo',
  approval: 'aprovação',
  approval_hours: 'horas para aprovar',
  approval_status: 'situação da aprovação',
  approvals_enabled: 'aprovações no console',
  approved_by: 'aprovado por',
  archived: 'arquivado',
  archived_at: 'arquivado em',
  attachments: 'arquivos',
  balance: 'saldo',
  balance_floor: 'saldo mínimo',
  bank_accounts: 'contas bancárias',
  bank_code: 'banco',
  bank_reference: 'referência no banco',
  bank_details_changed_recently: 'dados bancários mudaram há pouco',
  barcode: 'código de barras',
  body: 'texto',
  books_closed_until: 'livros fechados até',
  canceled_reason: 'motivo do cancelamento',
  cancel_reason: 'motivo do cancelamento',
  category_id: 'categoria',
  channel: 'canal',
  charge_id: 'cobrança',
  charges: 'encargos',
  client_name: 'aplicativo',
  collection_rule_id: 'régua de cobrança',
  company_id: 'empresa',
  competence_month: 'mês de competência',
  consent: 'consentimento',
  contact_windows: 'horários de contato',
  cost_centers: 'centros de custo',
  created_at: 'criado em',
  created_by: 'criado por',
  currency: 'moeda',
  daily_limit: 'limite do dia',
  date: 'data',
  decided_at: 'decidido em',
  decline_reason: 'motivo da recusa',
  deleted: 'excluído',
  description: 'descrição',
  direction: 'sentido',
  discount: 'desconto',
  disputed: 'contestado',
  document_number: 'CPF ou CNPJ',
  due_date: 'vencimento',
  dunning_state: 'situação da cobrança',
  email: 'e-mail',
  emails: 'e-mails',
  ended_at: 'encerrado em',
  ended_reason: 'motivo do encerramento',
  events: 'eventos',
  expires_at: 'vence em',
  external_id: 'código externo',
  file_name: 'arquivo',
  fine: 'multa',
  fiscal_document_id: 'documento fiscal',
  freeze_reason: 'motivo do congelamento',
  frozen: 'congelado',
  frozen_at: 'congelado em',
  frozen_by: 'congelado por',
  installment: 'parcela',
  installments: 'parcelas',
  interest: 'juros',
  issue_date: 'emissão',
  key: 'chave',
  key_type: 'tipo da chave',
  kind: 'tipo',
  language: 'idioma',
  legal_name: 'razão social',
  locale: 'idioma',
  method: 'meio',
  name: 'nome',
  needs_review: 'precisa de revisão',
  negotiated_total: 'total negociado',
  notes: 'observações',
  number: 'número',
  occurred_at: 'ocorreu em',
  open_amount: 'em aberto',
  operation: 'ação',
  organization_id: 'organização',
  origin: 'origem',
  original_total: 'total original',
  outcome: 'resultado',
  overdue: 'em atraso',
  paid_at: 'pago em',
  paid_on: 'pago em',
  paid_total: 'total pago',
  payment_details: 'dados do pagamento',
  payment_method: 'meio de pagamento',
  person: 'pessoa',
  person_id: 'pessoa',
  phone: 'telefone',
  phones: 'telefones',
  pix_code: 'código Pix',
  pix_keys: 'chaves Pix',
  planned_account_id: 'conta prevista',
  planned_date: 'data prevista',
  principal: 'principal',
  product: 'produto',
  promised_for: 'prometido para',
  reason: 'motivo',
  receivable_id: 'conta a receber',
  recurrence_id: 'recorrência',
  registration_status: 'situação do registro',
  rejected_reason: 'motivo da recusa',
  require_second_person: 'exige segunda pessoa',
  resolution: 'solução',
  roles: 'papéis',
  safety: 'proteções',
  scheduled_for: 'agendado para',
  second_person_from: 'segunda pessoa a partir de',
  sent_at: 'enviado em',
  settlement: 'baixa',
  source: 'origem',
  start_date: 'início',
  end_date: 'fim',
  status: 'situação',
  status_reason: 'motivo da situação',
  subject: 'assunto',
  tags: 'etiquetas',
  template_id: 'modelo',
  terms: 'condições',
  thresholds: 'alçadas',
  time_zone: 'fuso horário',
  title_kind: 'espécie do título',
  total: 'total',
  trade_name: 'nome fantasia',
  type: 'tipo',
  typed_line: 'linha digitável',
  url: 'endereço',
  valid_until: 'válido até',
  value: 'valor',
  withholdings: 'retenções',
  workspace_id: 'espaço de trabalho',
};

/** A kind of record, in the middle of a sentence. */
export function kindName(kind: string, locale: Locale): string {
  const name = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  return name === undefined ? kind.replaceAll('_', ' ') : name[locale === 'pt-BR' ? 0 : 1];
}

/** Kinds to filter by, in the order of their names. */
export function knownKinds(locale: Locale): readonly { kind: string; name: string }[] {
  return Object.keys(kinds)
    .map((kind) => ({ kind, name: kindName(kind, locale) }))
    .sort((left, right) => left.name.localeCompare(right.name, locale));
}

/** Whether the kind has a name of its own; a test holds what operations record to it. */
export function hasKindName(kind: string): boolean {
  return Object.hasOwn(kinds, kind);
}

/** A field as it heads a line; one that nobody named keeps its own name with spaces. */
export function fieldName(name: string, locale: Locale): string {
  const known = locale === 'pt-BR' && Object.hasOwn(fields, name) ? fields[name]! : undefined;
  const words = known ?? name.replace(/_id$/, '').replaceAll('_', ' ');
  return words.charAt(0).toLocaleUpperCase(locale) + words.slice(1);
}

/** Words for values that stand for themselves; what is not here is shown as it is. */
const values: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  'pt-BR': {
    true: 'sim',
    false: 'não',
    open: 'em aberto',
    paid: 'pago',
    partially_paid: 'pago em parte',
    overdue: 'em atraso',
    canceled: 'cancelado',
    pending: 'pendente',
    scheduled: 'agendado',
    approved: 'aprovado',
    rejected: 'recusado',
    not_required: 'não exigida',
    done: 'feito',
    failed: 'não deu certo',
    declined: 'recusado',
    expired: 'vencido',
    active: 'em uso',
    archived: 'arquivado',
    client_cannot_ask: 'o aplicativo não consegue perguntar',
    second_person: 'exige segunda pessoa',
    read: 'só ler',
    write: 'ler e agir',
  },
  en: {
    true: 'yes',
    false: 'no',
    client_cannot_ask: 'the application cannot ask',
    second_person: 'needs a second person',
  },
};

/** Stands where there is nothing. */
export const NOTHING = '–';

export interface ValueForms {
  readonly money: (amount: string) => string;
  readonly date: (day: string) => string;
  readonly instant: (instant: string) => string;
}

/** A value as people read it: amounts, days and lists in the form of the language; everything else as it is. */
export function fieldValue(name: string, value: string, locale: Locale, forms: ValueForms): string {
  if (Object.hasOwn(values[locale], value)) return values[locale][value]!;
  if (/^-?\d{1,15}\.\d{2}$/.test(value) && !/percent|rate/.test(name)) return forms.money(value);
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return forms.date(value);
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return forms.instant(value);
  return /^[[{]/.test(value) ? partsText(value, locale) : value;
}

/** What JSON holds, without its signs: names of records, and the parts of lists. Cut JSON is shown as it is. */
function partsText(value: string, locale: Locale): string {
  try {
    return textOf(JSON.parse(value), locale) || NOTHING;
  } catch {
    return value;
  }
}

function textOf(value: unknown, locale: Locale): string {
  if (value === null) return '';
  if (Array.isArray(value))
    return value
      .map((part) => textOf(part, locale))
      .filter(Boolean)
      .join(', ');
  if (typeof value !== 'object') return String(value);
  const { name } = value as { name?: unknown };
  if (typeof name === 'string') return name;
  return Object.entries(value)
    .filter(([, part]) => part !== null && part !== '')
    .map(([key, part]) => `${fieldName(key, locale).toLocaleLowerCase(locale)}: ${textOf(part, locale)}`)
    .join('; ');
}
