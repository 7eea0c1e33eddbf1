/** Words and shapes of the timeline. */

export type Chain = 'finance' | 'dunning';

/** An event as REST gives it. */
export interface TimelineEvent {
  readonly id: string;
  readonly position: number;
  readonly at: string;
  readonly actor: {
    readonly user_id: string;
    readonly name: string | null;
    readonly client_id: string;
    readonly client_name: string | null;
    readonly surface: string;
  };
  readonly operation: string;
  readonly outcome: 'done' | 'failed';
  readonly error_code: string | null;
  readonly is_confirmed: boolean;
  readonly confirmation: {
    readonly question: string;
    readonly approved_by: {
      readonly user_id: string;
      readonly name: string | null;
      readonly verified_with: 'password' | 'passkey';
    } | null;
    readonly approval_id: string | null;
  } | null;
  readonly changes: readonly {
    readonly kind: string;
    readonly id: string;
    readonly what: 'created' | 'changed' | 'deleted';
    readonly fields: readonly {
      readonly name: string;
      readonly before: string | null;
      readonly after: string | null;
    }[];
  }[];
  readonly changes_count: number;
  readonly is_cut: boolean;
}

export interface EventList {
  readonly items: readonly TimelineEvent[];
  readonly next_cursor: string | null;
}

export const timelineWords = {
  'pt-BR': {
    title: 'O que aconteceu',
    lead: 'Tudo o que foi feito, por quem e por qual aplicativo. Os registros formam uma corrente: mudar um deles a quebra.',
    finance: 'Finanças',
    dunning: 'Cobrança',
    which: 'De',
    from: 'Do dia',
    to: 'Ao dia',
    person: 'Pessoa',
    operation: 'O que foi feito',
    kind: 'Tipo de registro',
    record: 'Registro (id)',
    all: 'Todos',
    none: 'Nada aconteceu com estes filtros.',
    noneEver: 'Nada aconteceu ainda.',
    system: 'O sistema',
    through: (client: string) => `por meio de ${client}`,
    surfaces: {
      mcp: 'MCP',
      resource: 'MCP',
      prompt: 'MCP',
      completion: 'MCP',
      rest: 'REST',
    },
    ownWays: { console: 'pelo console', job: 'por uma tarefa automática', cli: 'pela linha de comando' },
    confirmed: 'Confirmado por uma pessoa',
    failed: 'Não deu certo',
    question: 'A pergunta e a resposta',
    answer: 'Resposta',
    yes: 'Sim',
    yesBy: (name: string, how: string) => `Sim, de ${name}, ${how}`,
    with: { password: 'com senha', passkey: 'com passkey' },
    somebody: 'alguém que já não está aqui',
    changes: (count: number) =>
      count === 1 ? 'O que mudou (1 registro)' : `O que mudou (${count} registros)`,
    what: { created: 'criado', changed: 'alterado', deleted: 'excluído' },
    field: 'Campo',
    value: 'Valor',
    before: 'Antes',
    after: 'Depois',
    cut: 'Há mais mudanças do que as mostradas aqui.',
    onlyRecord: 'Só este registro',
    onlyPerson: (name: string) => `Só o que ${name} fez`,
    verify: 'Conferir a corrente',
    verifyHint: 'Recalcula todos os elos, do primeiro ao último.',
    whole: (count: string) => `A corrente está inteira: ${count} registros conferidos.`,
    broken: (position: string) =>
      `A corrente está quebrada no registro ${position}. Avise quem administra o servidor.`,
    problems: {
      missing: 'Falta um registro.',
      changed: 'Este registro, ou um antes dele, foi alterado.',
      cut_off: 'O fim da corrente foi cortado.',
    },
    csv: 'Baixar CSV',
    json: 'Baixar JSON',
    exportHint: 'Os filtros acima valem para o arquivo; até 10.000 registros.',
    exportCut: 'cortado depois de 10.000 registros',
    columns: [
      'quando',
      'posição',
      'quem',
      'aplicativo',
      'id do aplicativo',
      'por onde',
      'operação',
      'o que foi feito',
      'resultado',
      'erro',
      'confirmado',
      'aprovado por',
      'aprovado com',
      'tipo de registro',
      'registro',
      'mudança',
      'campo',
      'antes',
      'depois',
    ],
  },
  en: {
    title: 'Timeline',
    lead: 'All that was done, by whom and through which application. The entries form a chain: changing one breaks it.',
    finance: 'Finance',
    dunning: 'Dunning',
    which: 'Of',
    from: 'From day',
    to: 'To day',
    person: 'Person',
    operation: 'What was done',
    kind: 'Kind of record',
    record: 'Record (id)',
    all: 'All',
    none: 'Nothing happened with these filters.',
    noneEver: 'Nothing happened yet.',
    system: 'The system',
    through: (client: string) => `through ${client}`,
    surfaces: {
      mcp: 'MCP',
      resource: 'MCP',
      prompt: 'MCP',
      completion: 'MCP',
      rest: 'REST',
    },
    ownWays: { console: 'in the console', job: 'by a background job', cli: 'at the command line' },
    confirmed: 'Confirmed by a person',
    failed: 'Failed',
    question: 'The question and the answer',
    answer: 'Answer',
    yes: 'Yes',
    yesBy: (name: string, how: string) => `Yes, by ${name}, ${how}`,
    with: { password: 'with a password', passkey: 'with a passkey' },
    somebody: 'somebody who is no longer here',
    changes: (count: number) => (count === 1 ? 'What changed (1 record)' : `What changed (${count} records)`),
    what: { created: 'created', changed: 'changed', deleted: 'deleted' },
    field: 'Field',
    value: 'Value',
    before: 'Before',
    after: 'After',
    cut: 'More changed than is shown here.',
    onlyRecord: 'Only this record',
    onlyPerson: (name: string) => `Only what ${name} did`,
    verify: 'Check the chain',
    verifyHint: 'Computes every link anew, from the first to the last.',
    whole: (count: string) => `The chain is whole: ${count} entries checked.`,
    broken: (position: string) => `The chain is broken at entry ${position}. Tell whoever runs the server.`,
    problems: {
      missing: 'An entry is missing.',
      changed: 'This entry, or one before it, was changed.',
      cut_off: 'The end of the chain was cut off.',
    },
    csv: 'Download CSV',
    json: 'Download JSON',
    exportHint: 'The filters above hold for the file; up to 10,000 entries.',
    exportCut: 'cut after 10,000 entries',
    columns: [
      'when',
      'position',
      'who',
      'application',
      'application id',
      'surface',
      'operation',
      'what was done',
      'outcome',
      'error',
      'confirmed',
      'approved by',
      'approved with',
      'kind of record',
      'record',
      'change',
      'field',
      'before',
      'after',
    ],
  },
} as const;
