/** Words and shapes that the pages of settings share. */

export interface Controls {
  readonly approvals_enabled: boolean;
  readonly approval_hours: number;
  readonly second_person_from: string | null;
  readonly frozen: boolean;
  readonly frozen_at: string | null;
  readonly frozen_by: { readonly user_id: string; readonly name: string } | null;
  readonly freeze_reason: string | null;
}

export type ControlsOf = 'finance' | 'dunning';

export interface WorkspaceLine {
  readonly id: string;
  readonly name: string;
  readonly time_zone: string;
}

export const settingsWords = {
  'pt-BR': {
    title: 'Configurações',
    profile: 'Seu perfil',
    name: 'Nome',
    language: 'Idioma das páginas e das perguntas',
    saved: 'Salvo.',
    signIn: 'Como você entra',
    signInLead: 'Passkeys, senha e as sessões abertas.',
    passkeys: 'Passkeys e senha',
    sessions: 'Sessões',
    organization: 'Organização',
    organizationName: 'Nome da organização',
    switchLead: 'Você faz parte de mais de uma organização.',
    switchTo: (name: string) => `Ir para ${name}`,
    workspaces: 'Espaços de trabalho',
    zone: 'Fuso horário',
    zoneHint: 'Nome IANA, como America/Sao_Paulo.',
    change: 'Alterar',
    action: 'Ação',
    newWorkspace: 'Criar espaço de trabalho',
    editWorkspace: 'Alterar espaço de trabalho',
    controls: 'Aprovações e congelamento',
    controlsLead: 'O que pode acontecer sem, com uma ou com duas pessoas, e o botão que para tudo.',
    controlsOf: { finance: (name: string) => `Finanças: ${name}`, dunning: 'Cobrança' },
    open: 'Abrir',
    frozen: 'Congelado',
    running: 'Funcionando',
    approvalsOn: 'Aprovações no console: ligadas',
    approvalsOff: 'Aprovações no console: desligadas',
    secondFrom: (amount: string) => `Segunda pessoa a partir de ${amount}`,
    secondNever: 'Nunca exige segunda pessoa',
    rules: 'Regras em vigor',
    rulesLead:
      'Aqui só para leitura. Para mudar, peça ao seu assistente: ele usa as ferramentas ao lado, e você confirma.',
    approvalRules: 'Aprovação de contas a pagar',
    noThresholds: 'Nenhuma conta precisa de aprovação.',
    from: (amount: string, who: string) => `A partir de ${amount}: ${who}`,
    anybody: 'qualquer pessoa que possa aprovar',
    certain: (count: number) => (count === 1 ? 'uma pessoa definida' : `uma de ${count} pessoas definidas`),
    requireSecond: 'Quem registra não aprova',
    daily: 'Limite por dia ao banco',
    noLimit: 'sem limite',
    dunningRules: 'Cobrança',
    cap: 'Mensagens por devedor ao dia',
    windows: 'Horários de contato',
    weekdays: 'dias úteis',
    saturday: 'sábado',
    closed: 'fechado',
    minAmount: 'Valor mínimo para negativar',
    minDays: 'Dias de atraso para negativar',
    errors: {
      name: 'Informe um nome.',
      time_zone: 'Esse fuso horário não existe.',
      approval_hours: 'Informe um número inteiro de 1 a 168.',
      second_person_from: 'Informe um valor em reais, como 5000,00.',
    },
  },
  en: {
    title: 'Settings',
    profile: 'Your profile',
    name: 'Name',
    language: 'Language of pages and questions',
    saved: 'Saved.',
    signIn: 'How you sign in',
    signInLead: 'Passkeys, password and open sessions.',
    passkeys: 'Passkeys and password',
    sessions: 'Sessions',
    organization: 'Organization',
    organizationName: 'Name of the organization',
    switchLead: 'You belong to more than one organization.',
    switchTo: (name: string) => `Go to ${name}`,
    workspaces: 'Workspaces',
    zone: 'Time zone',
    zoneHint: 'IANA name, such as America/Sao_Paulo.',
    change: 'Change',
    action: 'Action',
    newWorkspace: 'Create workspace',
    editWorkspace: 'Change workspace',
    controls: 'Approvals and freeze',
    controlsLead:
      'What may happen with nobody, one or two people asked, and the switch that stops everything.',
    controlsOf: { finance: (name: string) => `Finance: ${name}`, dunning: 'Dunning' },
    open: 'Open',
    frozen: 'Frozen',
    running: 'Running',
    approvalsOn: 'Approvals in the console: on',
    approvalsOff: 'Approvals in the console: off',
    secondFrom: (amount: string) => `Second person from ${amount} on`,
    secondNever: 'Never asks for a second person',
    rules: 'Rules in force',
    rulesLead:
      'Here to read only. To change them, ask your assistant: it uses the tools named here, and you confirm.',
    approvalRules: 'Approval of payables',
    noThresholds: 'No payable needs approval.',
    from: (amount: string, who: string) => `From ${amount} on: ${who}`,
    anybody: 'anybody who may approve',
    certain: (count: number) => (count === 1 ? 'one certain person' : `one of ${count} certain people`),
    requireSecond: 'Whoever registers does not approve',
    daily: 'Limit a day to the bank',
    noLimit: 'no limit',
    dunningRules: 'Dunning',
    cap: 'Messages to a debtor a day',
    windows: 'Hours of contact',
    weekdays: 'business days',
    saturday: 'Saturday',
    closed: 'closed',
    minAmount: 'Least amount to report',
    minDays: 'Days late before a report',
    errors: {
      name: 'Give a name.',
      time_zone: 'There is no such time zone.',
      approval_hours: 'Give a whole number from 1 to 168.',
      second_person_from: 'Give an amount in reais, such as 5000.00.',
    },
  },
} as const;
