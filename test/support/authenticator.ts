/** A passkey made of software, as far as a server can tell: one key, one counter, for one host. */

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

interface Asked {
  readonly challenge: string;
}

export interface TestAuthenticator {
  readonly id: string;
  /** What the browser gives back for a registration question. */
  register(options: unknown): unknown;
  /** What it gives back for a question to sign; `counter` overrides what is counted, `origin` where the page was. */
  answer(options: unknown, overrides?: { counter?: number; origin?: string; isVerified?: boolean }): unknown;
}

/** `counts` false: always zero, as keys do that are synchronised between devices. */
export function createAuthenticator(
  origin: string,
  userId: string,
  { counts = true }: { counts?: boolean } = {},
): TestAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rawId = randomBytes(32);
  const id = rawId.toString('base64url');
  let counter = 0;
  const next = () => {
    if (counts) counter += 1;
    return counter;
  };
  const credential = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  return {
    id,
    register(options) {
      const authData = authDataOf(origin, 0x45, next(), credentialData(rawId, publicKey));
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(authData),
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', (options as Asked).challenge, origin),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    answer(options, overrides = {}) {
      const flags = (overrides.isVerified ?? true) ? 0x05 : 0x01;
      const authData = authDataOf(origin, flags, overrides.counter ?? next());
      const data = clientData('webauthn.get', (options as Asked).challenge, overrides.origin ?? origin);
      const signed = Buffer.concat([authData, sha256(Buffer.from(data, 'base64url'))]);
      return {
        ...credential,
        response: {
          clientDataJSON: data,
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          userHandle: Buffer.from(userId).toString('base64url'),
        },
      };
    },
  };
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
}

function authDataOf(origin: string, flags: number, counter: number, rest: Buffer = Buffer.alloc(0)): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(Buffer.from(new URL(origin).hostname)), Buffer.from([flags]), count, rest]);
}

/** Who made the authenticator (nobody), the id of the key, and the key as COSE writes it (ES256). */
function credentialData(rawId: Buffer, publicKey: KeyObject): Buffer {
  const { x, y } = publicKey.export({ format: 'jwk' });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(rawId.length);
  const key = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(Buffer.from(x!, 'base64url')),
    Buffer.from([0x22]),
    bytes(Buffer.from(y!, 'base64url')),
  ]);
  return Buffer.concat([Buffer.alloc(16), length, rawId, key]);
}

/** A byte string of CBOR, of at most 65,535 bytes. */
function bytes(value: Buffer): Buffer {
  const head = value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}

/** A text string of CBOR, of at most 23 bytes. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
