import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseContact, pickContact } from './contact-rules.ts';

describe('the stored form', () => {
  test.each([
    ['email', ' Contas@Aurora.Example.com ', 'contas@aurora.example.com'],
    ['sms', '(11) 98765-4321', '+5511987654321'],
    ['sms', '+55 11 98765 4321', '+5511987654321'],
    ['whatsapp', '551132654321', '+551132654321'],
    ['phone', '11 3265-4321', '+551132654321'],
    ['phone', '+351 912 345 678', '+351912345678'],
    ['letter', 'Rua das Flores, 10\n01001-000  São Paulo', 'Rua das Flores, 10 01001-000  São Paulo'],
  ] as const)('%s %j is %s', (channel, value, stored) => {
    expect(normaliseContact(channel, value)?.value).toBe(stored);
  });

  test.each([
    ['email', 'contas'],
    ['email', 'a@b'],
    ['sms', '11 3265-4321'],
    ['phone', '987654321'],
    ['phone', '11 08765-4321'],
    ['phone', '01 98765-4321'],
    ['phone', '+55 11 88765-43210'],
    ['phone', 'x11987654321'],
    ['whatsapp', '+0123456789'],
    ['letter', ' \u200b – '],
  ] as const)('%s %j is none', (channel, value) => {
    expect(normaliseContact(channel, value)).toBeNull();
  });

  test('PITFALLS 54: a mobile with and without its ninth digit is one identity, whatever the channel', () => {
    const identities = ['5531996883193', '553196883193', '+55 (31) 99688-3193', '31 9688-3193'].flatMap(
      (number) =>
        (['sms', 'whatsapp', 'phone'] as const).map((channel) => normaliseContact(channel, number)!.identity),
    );
    expect(new Set(identities)).toEqual(new Set(['+553196883193']));
    expect(normaliseContact('phone', '+5511987654321')!.identity).not.toBe(
      normaliseContact('phone', '+5511887654321')?.identity,
    );
  });

  test('reading the stored form again changes nothing', () => {
    const area = fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
      .map((pair) => pair.join(''));
    const local = fc.oneof(
      fc.integer({ min: 900_000_000, max: 999_999_999 }),
      fc.integer({ min: 20_000_000, max: 99_999_999 }),
    );
    fc.assert(
      fc.property(area, local, (code, number) => {
        const first = normaliseContact('phone', `(${code}) ${number}`)!;
        expect(normaliseContact('phone', first.value)).toEqual(first);
        expect(first.identity).toMatch(/^\+55\d{10}$/);
      }),
    );
  });
});

describe('the contact of a channel', () => {
  const contact = (id: string, fields: object = {}) => ({
    id,
    channel: 'sms',
    is_primary: false,
    consent: 'unknown',
    validity: 'unknown',
    ...fields,
  });

  test('is the one asked for, else the primary, else the newest', () => {
    const contacts = [contact('1', { is_primary: true }), contact('3'), contact('2')];
    expect(pickContact(contacts, 'sms', '2')?.id).toBe('2');
    expect(pickContact(contacts, 'sms')?.id).toBe('1');
    expect(pickContact(contacts.slice(1), 'sms')?.id).toBe('3');
    expect(pickContact(contacts, 'email')).toBeNull();
  });

  test('is never one that was refused, bounced or belongs to somebody else', () => {
    const contacts = [
      contact('9', { is_primary: true, consent: 'opted_out' }),
      contact('8', { validity: 'wrong_person' }),
      contact('7', { validity: 'bounced' }),
      contact('1', { consent: 'given', validity: 'valid' }),
    ];
    expect(pickContact(contacts, 'sms')?.id).toBe('1');
    expect(pickContact(contacts, 'sms', '9')).toBeNull();
    expect(pickContact(contacts.slice(0, 3), 'sms')).toBeNull();
  });
});
