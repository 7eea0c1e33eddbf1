/**
 * The file of a backup: gzip around lines of JSON and the rows between them, in blocks that say their length. Written and
 * read in one go, in constant memory. The last line carries a digest of everything before it, so that a file that was cut
 * or changed shows.
 */

import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

const BLOCK_BYTES_MAX = 1024 * 1024;
const LINE_BYTES_MAX = 4 * 1024 * 1024;

/** Why a file is not a backup that can be trusted: told to the operator as it is. */
export class BackupUnusable extends Error {
  override readonly name = 'BackupUnusable';
}

export interface ArchiveWriter {
  line(value: object): Promise<void>;
  /** Writes these chunks, and gives how much they were. */
  blocks(chunks: AsyncIterable<Buffer>): Promise<{ bytes: number; sha256: string }>;
  /** Writes the digest, and waits until all of it is on disk. */
  close(): Promise<void>;
  abort(): void;
}

/** Writes into a new file that only its owner reads; fails with `EEXIST` when there is one. */
export async function createArchive(path: string): Promise<ArchiveWriter> {
  const gzip = createGzip({ level: 6 });
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await once(file, 'open');
  const written = pipeline(gzip, file);
  // Told to whoever writes next, or closes.
  written.catch(() => undefined);
  const all = createHash('sha256');
  const write = async (data: Buffer) => {
    all.update(data);
    if (!gzip.write(data)) await Promise.race([once(gzip, 'drain'), written]);
  };
  const line = (value: object) => write(Buffer.from(`${JSON.stringify(value)}\n`));
  return {
    line,
    async blocks(chunks) {
      const own = createHash('sha256');
      let bytes = 0;
      for await (const chunk of chunks) {
        for (let from = 0; from < chunk.length; from += BLOCK_BYTES_MAX) {
          const block = chunk.subarray(from, from + BLOCK_BYTES_MAX);
          own.update(block);
          bytes += block.length;
          await write(lengthOf(block.length));
          await write(block);
        }
      }
      await write(lengthOf(0));
      return { bytes, sha256: own.digest('hex') };
    },
    async close() {
      await line({ end: true, sha256: all.copy().digest('hex') });
      gzip.end();
      await written;
      const handle = await open(path, 'r+');
      await handle.sync();
      await handle.close();
    },
    abort: () => gzip.destroy(),
  };
}

export interface ArchiveReader {
  line(): Promise<Record<string, unknown>>;
  /** The blocks up to their end. */
  blocks(): AsyncIterable<Buffer>;
  /** Checks the digest and that nothing follows it; `last` is the line that carries it. */
  finish(last: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
}

/** Reads a file that `createArchive` wrote. Fails with `BackupUnusable` for every other. */
export function openArchive(path: string): ArchiveReader {
  const gunzip = createGunzip();
  const file = createReadStream(path);
  const read = pipeline(file, gunzip);
  read.catch(() => undefined);
  // Told to whoever reads next; nobody may be reading at the moment.
  gunzip.on('error', () => undefined);
  const source = sourceOf(gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer>);
  const all = createHash('sha256');
  return {
    async line() {
      all.update(source.consumed());
      const text = await source.until(0x0a, LINE_BYTES_MAX);
      return objectOf(text);
    },
    async *blocks() {
      for (;;) {
        const length = (await source.take(4)).readUInt32BE();
        if (length > BLOCK_BYTES_MAX) throw new BackupUnusable('the file is damaged: a block is too long');
        if (length === 0) return;
        const block = await source.take(length);
        all.update(source.consumed());
        yield block;
      }
    },
    async finish(last) {
      if (last['sha256'] !== digestBefore(all, source)) {
        throw new BackupUnusable('the file was changed: its digest is another');
      }
      if (!(await source.isOver()))
        throw new BackupUnusable('the file is damaged: something follows its end');
    },
    async close() {
      file.destroy();
      gunzip.destroy();
      await Promise.allSettled([read, finished(gunzip)]);
    },
  };
}

/** The last line is not part of what it is the digest of. */
function digestBefore(all: Hash, source: Source): string {
  source.consumed();
  return all.digest('hex');
}

interface Source {
  take(bytes: number): Promise<Buffer>;
  until(byte: number, bytesMax: number): Promise<Buffer>;
  isOver(): Promise<boolean>;
  /** What was taken since this was asked last. */
  consumed(): Buffer;
}

function sourceOf(chunks: AsyncIterator<Buffer>): Source {
  let waiting: Buffer = Buffer.alloc(0);
  let taken: Buffer[] = [];
  const more = async (): Promise<boolean> => {
    const { value, done } = await chunks.next().catch(unreadable);
    if (done === true) return false;
    waiting = waiting.length === 0 ? value : Buffer.concat([waiting, value]);
    return true;
  };
  const cut = (bytes: number): Buffer => {
    const part = waiting.subarray(0, bytes);
    waiting = waiting.subarray(bytes);
    taken.push(part);
    return part;
  };
  return {
    async take(bytes) {
      while (waiting.length < bytes) if (!(await more())) throw endedEarly();
      return cut(bytes);
    },
    async until(byte, bytesMax) {
      let from = 0;
      for (;;) {
        const at = waiting.indexOf(byte, from);
        if (at !== -1) return cut(at + 1);
        from = waiting.length;
        if (from > bytesMax) throw new BackupUnusable('the file is damaged: a line is too long');
        if (!(await more())) throw endedEarly();
      }
    },
    isOver: async () => waiting.length === 0 && !(await more()),
    consumed() {
      const all = Buffer.concat(taken);
      taken = [];
      return all;
    },
  };
}

function unreadable(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw new BackupUnusable('there is no such file');
  if (error.code === 'Z_BUF_ERROR') throw endedEarly();
  if (error.code?.startsWith('Z_') === true) throw new BackupUnusable('the file is damaged, or is no backup');
  throw error;
}

function endedEarly(): BackupUnusable {
  return new BackupUnusable('the file ends too early: a part of it is missing');
}

function objectOf(text: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new BackupUnusable('the file is damaged, or is no backup');
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}
