import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { finance } from '../../finance/index.ts';
import { openApiOf } from '../../rest/openapi.ts';
import { readConfig, UsageError } from '../config.ts';
import { openapi } from './openapi.ts';

const run = promisify(execFile);
const kobana = new URL('../kobana.ts', import.meta.url).pathname;

describe('kobana openapi', () => {
  it('prints the whole document into a pipe, with the public address and without a database', {
    timeout: 120_000,
  }, async () => {
    const env = {
      ...process.env,
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      PUBLIC_URL: 'https://books.example/',
    };
    const { stdout } = await run(process.execPath, [kobana, 'openapi', 'finance'], {
      env,
      maxBuffer: 16 * 1024 * 1024,
    });
    expect(JSON.parse(stdout)).toEqual(
      JSON.parse(JSON.stringify(openApiOf(finance, 'https://books.example'))),
    );
  });

  it('wants exactly one product', async () => {
    for (const words of [[], ['account'], ['finance', 'dunning']]) {
      await expect(openapi(words, readConfig({}))).rejects.toBeInstanceOf(UsageError);
    }
  });
});
