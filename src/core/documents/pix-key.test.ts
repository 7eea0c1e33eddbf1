import { describe, expect, it } from 'vitest';
import { readPixKey } from './pix-key.ts';

describe('key types', () => {
  it.each([
    ['529.982.247-25', 'cpf', '52998224725'],
    ['52998224725', 'cpf', '52998224725'],
    ['12.abc.345/01de-35', 'cnpj', '12ABC34501DE35'],
    ['+5511987654321', 'phone', '+5511987654321'],
    ['+55 (11) 98765-4321', 'phone', '+5511987654321'],
    ['(11) 98765-4321', 'phone', '+5511987654321'],
    ['11987654321', 'phone', '+5511987654321'],
    ['5511987654321', 'phone', '+5511987654321'],
    ['+551133334444', 'phone', '+551133334444'],
    ['55987654321', 'phone', '+5555987654321'],
    ['Contas@Exemplo.com.br', 'email', 'contas@exemplo.com.br'],
    ['123E4567-E12B-12D1-A456-426655440000', 'random', '123e4567-e12b-12d1-a456-426655440000'],
  ] as const)('reads %s as %s', (text, type, value) => {
    expect(readPixKey(text)).toEqual({ ok: true, type, value });
    expect(readPixKey(` ${text} `, type)).toEqual({ ok: true, type, value });
  });

  it('PITFALL 20: accepts a random key of any UUID version', () => {
    const value = '123e4567-e12b-12d1-a456-426655440000';
    expect(readPixKey(value)).toEqual({ ok: true, type: 'random', value });
  });
});

describe('eleven digits', () => {
  it('PITFALL 19: refuses digits that are both a CPF and a mobile number, with both readings', () => {
    expect(readPixKey('11987650034')).toMatchObject({
      ok: false,
      reason: 'ambiguous',
      readings: [
        { type: 'cpf', value: '11987650034' },
        { type: 'phone', value: '+5511987650034' },
      ],
    });
    expect(readPixKey('11987650034', 'cpf')).toEqual({ ok: true, type: 'cpf', value: '11987650034' });
    expect(readPixKey('11987650034', 'phone')).toEqual({ ok: true, type: 'phone', value: '+5511987650034' });
  });

  it('takes punctuation that belongs to one type as the answer', () => {
    expect(readPixKey('119.876.500-34')).toEqual({ ok: true, type: 'cpf', value: '11987650034' });
    expect(readPixKey('(11) 98765-0034')).toEqual({ ok: true, type: 'phone', value: '+5511987650034' });
    expect(readPixKey('+5511987650034')).toEqual({ ok: true, type: 'phone', value: '+5511987650034' });
    expect(readPixKey('11 98765-0034')).toMatchObject({ ok: false, reason: 'ambiguous' });
  });
});

describe('refused keys', () => {
  it.each([
    '',
    'contas',
    '52998224726',
    '20987654321',
    '+14155550100',
    '+5511087654321',
    'a@b',
    'a b@exemplo.com',
    `${'a'.repeat(66)}@exemplo.com`,
    '123e4567e12b12d1a456426655440000',
    'x'.repeat(1000),
  ])('refuses %s', (text) => {
    expect(readPixKey(text)).toMatchObject({ ok: false, reason: 'invalid', readings: [] });
  });

  it('refuses a key of another type than the one given', () => {
    expect(readPixKey('contas@exemplo.com.br', 'cpf')).toMatchObject({ ok: false, reason: 'invalid' });
    expect(readPixKey('52998224725', 'phone')).toMatchObject({ ok: false, reason: 'invalid' });
  });
});
