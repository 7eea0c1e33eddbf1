/** Passwords: which may be chosen, and how they are kept. */

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { fail } from '../core/errors.ts';
import { plainLetters } from '../core/text.ts';
import { PASSWORD_LENGTH, type PasswordRule } from '../web/sign-in.ts';

/**
 * One of the settings of equal strength in the OWASP Password Storage Cheat Sheet, the one with 32 MiB of memory for each
 * hash. They are kept with every hash, so that they can be raised; older hashes are renewed at the next sign-in.
 */
const PRESENT: Cost = { logN: 15, r: 8, p: 3 };
/** Hashes at once in this process: together at most 96 MiB, and a thread of the pool stays free for everything else. */
const AT_ONCE_MAX = 3;
const WAITING_MAX = 100;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Words and rows of keys that guessers begin with; what is left of a password without them has to count. */
const commonParts = [
  ...[
    'senha',
    'password',
    'passw0rd',
    'segredo',
    'secret',
    'acesso',
    'mudar',
    'teste',
    'test',
    'admin',
    'usuario',
    'user',
  ],
  ...[
    'welcome',
    'bemvindo',
    'letmein',
    'iloveyou',
    'teamo',
    'brasil',
    'brazil',
    'dragon',
    'monkey',
    'football',
    'futebol',
  ],
  ...[
    'flamengo',
    'corinthians',
    'palmeiras',
    'kobana',
    'finance',
    'financeiro',
    'dunning',
    'cobranca',
    'banco',
    'jesus',
  ],
  ...[
    'qwertyuiop',
    'qwerty',
    'asdfghjkl',
    'asdfgh',
    'asdf',
    'zxcvbnm',
    'zxcvbn',
    'zxcv',
    '1q2w3e4r5t',
    '1q2w3e4r',
    '1q2w3e',
  ],
  ...[
    '1234567890',
    '123456789',
    '12345678',
    '1234567',
    '123456',
    '12345',
    '1234',
    '123',
    '0987654321',
    '987654321',
    '654321',
  ],
  ...['abcdefgh', 'abcdef', 'abcd', 'abc'],
];
/** A year as people add one. */
const YEARS = /(19|20)\d\d/g;
const NOT_COMMON_MIN = 4;
const DIFFERENT_MIN = 5;
const PERSONAL_MIN = 4;

interface Cost {
  /** Binary logarithm of the number of blocks. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

export interface Passwords {
  /** The text to keep. */
  hash(password: string): Promise<string>;
  /** Whether this is the password behind the text; without a text the same work is done, and the answer is no. */
  isRight(password: string, kept: string | null): Promise<boolean>;
  /** Whether the text was made at a lower cost than new ones are. */
  isOutdated(kept: string): boolean;
}

/** Which rule the password breaks for this person, or null when it may be chosen. */
export function brokenRule(
  password: string,
  person: { readonly email: string; readonly name: string },
): PasswordRule | null {
  const characters = [...normal(password)];
  if (characters.length < PASSWORD_LENGTH.min) return 'too_short';
  if (characters.length > PASSWORD_LENGTH.max) return 'too_long';
  const letters = plainLetters(password);
  if (new Set(letters).size < DIFFERENT_MIN) return 'common';
  if (withoutCommonParts(letters).length < NOT_COMMON_MIN) return 'common';
  const personal = plainLetters(`${person.email} ${person.name}`).split(/[^\p{L}\p{N}]+/u);
  return personal.some((word) => word.length >= PERSONAL_MIN && !isHostWord(word) && letters.includes(word))
    ? 'about_you'
    : null;
}

/** Hashing with scrypt; `logN` is lower in tests alone. */
export function createPasswords(cost: Cost = PRESENT): Passwords {
  // What is compared with when there is nothing to compare with: no password leads to this key.
  const nobody = keptText(cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(KEY_BYTES));
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return keptText(cost, salt, await derive(password, salt, cost));
    },
    async isRight(password, kept) {
      const { cost: keptCost, salt, key } = partsOf(kept ?? nobody);
      return timingSafeEqual(await derive(password, salt, keptCost), key) && kept !== null;
    },
    isOutdated(kept) {
      const { logN, r, p } = partsOf(kept).cost;
      return 2 ** logN * r * p < 2 ** cost.logN * cost.r * cost.p;
    },
  };
}

function withoutCommonParts(letters: string): string {
  const plain = letters.replace(/[\p{P}\p{Sm}\p{Sc}\p{Sk}\s]+/gu, '');
  return commonParts.reduce((rest, part) => rest.replaceAll(part, ''), plain).replace(YEARS, '');
}

/** The parts of an address that say nothing about the person. */
function isHostWord(word: string): boolean {
  return ['gmail', 'hotmail', 'outlook', 'yahoo', 'icloud', 'mail', 'example'].includes(word);
}

/** The same password, however a keyboard composed its accents. */
function normal(password: string): string {
  return password.toWellFormed().normalize('NFC');
}

function keptText({ logN, r, p }: Cost, salt: Buffer, key: Buffer): string {
  return `$scrypt$ln=${logN},r=${r},p=${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

function partsOf(kept: string): { cost: Cost; salt: Buffer; key: Buffer } {
  const [, logN, r, p, salt, key] =
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(kept) ?? [];
  if (key === undefined) throw new Error('a password is kept in a form that is not ours');
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt!, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}

let running = 0;
const waiting: (() => void)[] = [];

/** Derives a key, when it is its turn. Fails with `unavailable` when too many wait. */
async function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  if (running >= AT_ONCE_MAX) {
    if (waiting.length >= WAITING_MAX) fail('unavailable');
    // Whoever finishes hands its place on, so `running` stays.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: 2 * 128 * 2 ** logN * r };
    return await new Promise((resolve, reject) => {
      scrypt(normal(password), salt, KEY_BYTES, options, (error, key) =>
        error === null ? resolve(key) : reject(error),
      );
    });
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
