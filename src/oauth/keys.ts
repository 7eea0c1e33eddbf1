import { createPrivateKey, hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;
/** What comes before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410, section 7). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Keys that sign cookies, newest first; every process derives the same, and older ones still open what they signed. */
export function cookieKeysOf(secretKeys: readonly string[]): string[] {
  return secretKeys.map((key) => derive(key, 'oauth cookies').toString('base64url'));
}

/** The signing keys of the authorization server, newest first, derived as the others are. */
export function signingKeysOf(secretKeys: readonly string[]) {
  return secretKeys.map((key) => {
    const der = Buffer.concat([ED25519_PKCS8, derive(key, 'oauth signing')]);
    const jwk = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
    return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', x: jwk.x!, d: jwk.d! } as const;
  });
}

function derive(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `kobana ${purpose}`, KEY_BYTES));
}
