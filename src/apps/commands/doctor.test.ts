import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { listen, shut } from '../server.ts';
import { providerReachedOf } from './doctor.ts';

let status = 200;
const provider = createServer((_req, res) => res.writeHead(status).end('{"keys":[]}'));
let url: string;

beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(provider, 0, '127.0.0.1')}`;
});
afterAll(() => shut(provider, 0));

describe('doctor', () => {
  const ask = (jwksUrl: string | undefined) =>
    providerReachedOf({
      identityProvider: {
        issuer: url,
        audienceOf: () => 'a',
        jwksUrl,
        emailClaim: 'email',
        scopeClaim: 'scope',
      },
    });

  test('says whether the keys of an identity provider are reached, and says nothing is wrong where there is none', async () => {
    expect(await providerReachedOf(readConfig({}))).toMatchObject({ isThere: true });
    expect(await ask(`${url}/keys`)).toEqual({ line: `${url}, its keys are reached`, isThere: true });
    status = 500;
    expect(await ask(`${url}/keys`)).toMatchObject({ isThere: false });
    // Its metadata are of nobody.
    expect(await ask(undefined)).toMatchObject({ isThere: false });
    expect(await ask('http://127.0.0.1:1/keys')).toMatchObject({ isThere: false });
  });
});
