/** What a product offers besides tools: resources, prompts and completions, each resting on read operations. */

import type { Locale, Product } from './caller.ts';
import type { Catalogue, Context } from './operation.ts';

/** Where suggestions come from. Everything suggested passes the argument's own validation. */
export type Completion =
  | {
      /** Ids or names the caller may list, under the permission of this operation, in the default workspace. */
      readonly kind: 'records';
      readonly operation: string;
      /** Matches for what was typed so far, best first; may look at up to 1,000 records. */
      readonly suggest: (context: Context, typed: string) => Promise<readonly string[]>;
    }
  | {
      readonly kind: 'values';
      /** All values, best first; filtered by prefix outside. */
      readonly values: (today: string) => readonly string[];
    };

export interface ResourceDefinition {
  /** A fixed URI, or an RFC 6570 level 1 template with exactly one variable. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Absent where the type depends on the record. */
  readonly mimeType?: string;
  /** The read operation behind it; the template's variable is its argument of the same name, or `argument`. */
  readonly operation: string;
  readonly argument?: string;
  /** The grammar of the variable: ids are UUIDs, names are matched exactly. */
  readonly variable?: 'uuid' | 'name';
  readonly completion?: Completion;
  /** Bytes instead of the operation's JSON, for documents that are files. */
  readonly file?: (context: Context, args: Readonly<Record<string, string>>) => Promise<ResourceFile>;
  /** How long a client may keep it, in milliseconds; records are never kept. */
  readonly ttlMs: number;
}

export interface ResourceFile {
  readonly bytes: Buffer;
  readonly contentType: string;
}

export interface PromptArgument {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  /** The value in its canonical form, or null when the form is wrong. */
  readonly parse: (value: string, today: string) => string | null;
  /** The right form, for the error. */
  readonly form: string;
  readonly completion?: Completion;
}

export interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** All of these must be runnable, or the prompt does not exist for the caller; all of them only read. */
  readonly operations: readonly string[];
  /** The first message of the conversation. Only parsed arguments and computed dates ever reach it. */
  readonly render: (args: Readonly<Record<string, string>>, at: PromptPlace) => string;
}

export interface PromptPlace {
  readonly today: string;
  readonly timeZone: string;
  readonly locale: Locale;
}

/** A page of ours that a client may show beside the answer of the tools it belongs to (MCP Apps). */
export interface PanelDefinition {
  /** Such as `ui://finance/aging`. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The read operations whose answers it shows. */
  readonly operations: readonly string[];
}

/** Everything one product serves; both servers are made of one of these by the same code. */
export interface ProductDefinition {
  readonly product: Product;
  /** `serverInfo.name`, for example `kobana-finance`. */
  readonly serverName: string;
  readonly title: string;
  /** Static text for the model; no user data, nothing that weakens confirmation. */
  readonly instructions: string;
  readonly catalogue: Catalogue;
  readonly resources: readonly ResourceDefinition[];
  readonly prompts: readonly PromptDefinition[];
  /** The tools listed to a client that does not say which it wants, by name and in this order; absent: all. */
  readonly everyday?: readonly string[];
  readonly panels?: readonly PanelDefinition[];
}
