import { describe, expect, test } from 'vitest';
import { brokenRule, createPasswords } from './passwords.ts';

const person = { email: 'ana.montelume@example.com', name: 'Ana Montelume' };
const cheap = { logN: 4, r: 8, p: 1 };

describe('which passwords may be chosen', () => {
  test.each([
    ['a passphrase', 'barco verde na serra'],
    ['one with accents', 'caminhão sobre águas'],
    ['random letters', 'vK8#tqLw!zP2x'],
    ['the shortest', 'hzqmwpfkvytx'],
    ['the longest', 'xy9 zw4 '.repeat(32)],
  ])('%s may be', (_what, password) => {
    expect(brokenRule(password, person)).toBeNull();
  });

  test.each([
    ['too short', 'vK8#tqLw!zP', 'too_short'],
    ['too long', `${'xy9 zw4 '.repeat(32)}!`, 'too_long'],
    ['common words and rows of keys', 'Senha1234567890', 'common'],
    ['those with signs between them', 'P-a-s-s-w-o-r-d-2-0-2-6!', 'common'],
    ['rows of keys', 'qwertyuiop123456', 'common'],
    ['few different characters', 'abababababababab', 'common'],
    ['the own name', 'sou a montelume mesmo', 'about_you'],
    ['the own name with accents and capitals', 'sou a MÔNTELUME mesmo', 'about_you'],
  ])('%s may not be', (_what, password, rule) => {
    expect(brokenRule(password, person)).toBe(rule);
  });

  test('characters are counted as people count them', () => {
    expect(brokenRule('😀🐎🚜🌵🎈🎻🧭🧵🪁🪐🫖🧊', person)).toBeNull();
    expect(brokenRule('😀🐎🚜🌵🎈🎻🧭', person)).toBe('too_short');
  });
});

describe('how passwords are kept', () => {
  const passwords = createPasswords(cheap);

  test('the right one opens, others do not, and no text holds it', async () => {
    const kept = await passwords.hash('barco verde na serra');
    expect(kept).not.toContain('barco');
    expect(await passwords.isRight('barco verde na serra', kept)).toBe(true);
    expect(await passwords.isRight('barco verde na serrA', kept)).toBe(false);
    expect(await passwords.hash('barco verde na serra')).not.toBe(kept);
  });

  test('accents open however the keyboard composed them', async () => {
    const kept = await passwords.hash('caminh\u00e3o sobre aguas');
    expect(await passwords.isRight('caminha\u0303o sobre aguas', kept)).toBe(true);
  });

  test('nobody is never right', async () => {
    expect(await passwords.isRight('', null)).toBe(false);
    expect(await passwords.isRight('anything at all', null)).toBe(false);
  });

  test('a hash made at a lower cost still opens, and is known as outdated', async () => {
    const kept = await passwords.hash('barco verde na serra');
    const dearer = createPasswords({ ...cheap, logN: 5 });
    expect(await dearer.isRight('barco verde na serra', kept)).toBe(true);
    expect(dearer.isOutdated(kept)).toBe(true);
    expect(dearer.isOutdated(await dearer.hash('barco verde na serra'))).toBe(false);
  });

  test('the cost of production is one of those OWASP names', async () => {
    expect(await createPasswords().hash('barco verde na serra')).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  });

  test('many at once all get their turn, and too many are told so', async () => {
    const kept = await passwords.hash('barco verde na serra');
    const asked = Array.from({ length: 150 }, () => passwords.isRight('barco verde na serra', kept));
    const answers = await Promise.allSettled(asked);
    const right = answers.filter((answer) => answer.status === 'fulfilled' && answer.value);
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(right.length).toBe(103);
    expect(refused.length).toBe(47);
    expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } });
    expect(await passwords.isRight('barco verde na serra', kept)).toBe(true);
  });
});
