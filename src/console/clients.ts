/** Through which application something was asked for or done, in words. */

import type { Locale } from '../core/caller.ts';

const own = {
  'pt-BR': {
    'personal-access-token': 'um token pessoal',
    console: 'console',
    worker: 'tarefa automática',
    'command line': 'linha de comando',
    sample: 'dados de exemplo',
  },
  en: {
    'personal-access-token': 'a personal token',
    console: 'console',
    worker: 'background job',
    'command line': 'command line',
    sample: 'sample data',
  },
} as const satisfies Readonly<Record<Locale, Readonly<Record<string, string>>>>;

/** A client, as events and approvals have it. */
export interface ClientSeen {
  readonly client_id: string;
  readonly client_name: string | null;
}

/** The name a client gave itself, our words for what is no client of anybody's, else the id as it is. */
export function clientText(locale: Locale, { client_id, client_name }: ClientSeen): string {
  if (client_name !== null) return client_name;
  const words: Readonly<Record<string, string>> = own[locale];
  return Object.hasOwn(words, client_id) ? words[client_id]! : client_id;
}
