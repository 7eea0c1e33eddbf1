/**
 * Requests and answers as files of JSON lines, for whoever carries them to an office: `docs/legal.md` has the formats.
 * Each organization has a folder of its own, with `outgoing` for requests and `incoming` for answers.
 */

import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseId } from '../../core/ids.ts';
import { type Collected, type FoundRequest, type OfficeAddress, OfficeUnreachable } from './port.ts';

const FORMAT_VERSION = 1;
const FILES_MAX = 100;
const FILE_BYTES_MAX = 5 * 1024 * 1024;

/** Fields of every line of an answer. */
export const answerLine = {
  version: z.literal(FORMAT_VERSION),
  report_id: z.string().min(1).max(200),
  key: z.uuid(),
  at: z.iso.datetime({ offset: true }),
  reference: z.string().max(200).nullish(),
  reason: z.string().max(500).nullish(),
};

/** The fields of `answerLine` as every answer has them. */
export function answerHead(line: z.output<z.ZodObject<typeof answerLine>>) {
  return {
    reportId: line.report_id,
    key: line.key,
    at: new Date(line.at),
    reference: line.reference ?? null,
    reason: line.reason ?? null,
  };
}

/** An address as a line has it. */
export function addressLine(address: OfficeAddress | null): object | null {
  if (address === null) return null;
  const { postalCode: postal_code, ...rest } = address;
  return { ...rest, postal_code };
}

export interface OfficeFiles<Answer> {
  /** Leaves the request in `outgoing`; the same key again replaces its own file. Throws `OfficeUnreachable`. */
  write(organizationId: string, key: string, line: object): Promise<void>;
  find(request: { organizationId: string; key: string }): Promise<FoundRequest>;
  collect(organizationId: string): Promise<Collected<Answer>>;
}

/** `read` makes an answer of a line that is JSON, or gives null for one it does not understand. */
export function createOfficeFiles<Answer>(
  folder: string,
  read: (line: unknown) => Answer | null,
): OfficeFiles<Answer> {
  const placeOf = (organizationId: string, ...rest: string[]) => join(folder, idOf(organizationId), ...rest);
  return {
    async write(organizationId, key, line) {
      const place = placeOf(organizationId, 'outgoing');
      const text = `${JSON.stringify({ version: FORMAT_VERSION, key, ...line })}\n`;
      try {
        await writeWhole(place, `${idOf(key)}.jsonl`, text);
      } catch (error) {
        throw new OfficeUnreachable('the request could not be written', { cause: error });
      }
    },
    async find({ organizationId, key }) {
      const name = `${idOf(key)}.jsonl`;
      const places = [
        placeOf(organizationId, 'outgoing', name),
        placeOf(organizationId, 'outgoing', 'sent', name),
      ];
      const isThere = await Promise.all(places.map(exists));
      return isThere.includes(true) ? { state: 'taken', reference: null } : { state: 'absent' };
    },
    async collect(organizationId) {
      const place = placeOf(organizationId, 'incoming');
      const names = (await filesIn(place)).slice(0, FILES_MAX);
      const answers: Answer[] = [];
      const rejected = new Map<string, string[]>();
      for (const name of names) {
        for (const line of await linesOf(join(place, name))) {
          const answer = read(parsed(line));
          if (answer === null) rejected.set(name, [...(rejected.get(name) ?? []), line]);
          else answers.push(answer);
        }
      }
      return {
        answers,
        async forget() {
          for (const [name, lines] of rejected) {
            await writeWhole(join(place, 'rejected'), name, `${lines.join('\n')}\n`);
          }
          if (names.length > 0) await mkdir(join(place, 'read'), { recursive: true });
          for (const name of names) await rename(join(place, name), join(place, 'read', name));
        },
      };
    },
  };
}

/** A file is whole or not there, whatever happens in between. */
async function writeWhole(place: string, name: string, text: string): Promise<void> {
  await mkdir(place, { recursive: true });
  const draft = join(place, `.${name}.${randomUUID()}`);
  await writeFile(draft, text, { mode: 0o600 });
  const handle = await open(draft, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, join(place, name));
}

/** Answers that are there and not being written: names that begin with a point are left alone, and what is too large. */
async function filesIn(place: string): Promise<string[]> {
  if (!(await exists(place))) return [];
  const names: string[] = [];
  for (const entry of await readdir(place, { withFileTypes: true })) {
    if (!entry.isFile() || !/^[\w-][\w.-]{0,199}\.jsonl$/.test(entry.name)) continue;
    const { size } = await stat(join(place, entry.name));
    if (size <= FILE_BYTES_MAX) names.push(entry.name);
  }
  return names.sort();
}

async function linesOf(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8');
  return text.split('\n').filter((line) => line.trim() !== '');
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

/** Names of files are made of ids alone. */
function idOf(text: string): string {
  const id = parseId(text);
  if (id === null) throw new TypeError('a file is named after an id');
  return id;
}
