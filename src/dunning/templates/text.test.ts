/** Texts and their values, without a database. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingsIn } from './lint.ts';
import { plainMessage, plainNotice } from './plain.ts';
import { renderText } from './render.ts';
import { cleanLines, requireSendable, sampleView, warningsOf } from './rules.ts';
import { smsSizeOf } from './sms.ts';
import { templateVariables, unknownVariablesIn, variablesIn } from './variables.ts';
import { type MessageCharge, type MessageView, messageValues } from './view.ts';

const noWay = { typedLine: null, pixCode: null, link: null };

function chargeOf(amountDueCents: number, fields: Partial<MessageCharge> = {}): MessageCharge {
  return {
    description: `Mensalidade ${amountDueCents}`,
    documentNumber: null,
    dueDate: '2026-09-10',
    amountCents: amountDueCents,
    amountDueCents,
    paymentOptions: noWay,
    daysLate: 21,
    ...fields,
  };
}

function viewOf(charges: MessageCharge[], fields: Partial<MessageView> = {}): MessageView {
  return {
    creditor: {
      name: 'Aurora Comércio Ltda',
      documentNumber: '11222333000181',
      address: null,
      phone: '+551130000000',
      email: null,
    },
    person: { name: 'Devedora Um Ltda', documentNumber: '52998224725' },
    charges,
    totalDueCents: charges.reduce((sum, { amountDueCents }) => sum + amountDueCents, 0),
    today: '2026-10-01',
    language: 'pt-BR',
    ...fields,
  };
}

const render = (body: string, view: MessageView, subject: string | null = null) =>
  renderText({ subject, body }, messageValues(view));

describe('a message about several charges', () => {
  const two = viewOf([chargeOf(11_000), chargeOf(7_000)]);

  test('PITFALLS 48: shows 110.00 and 70.00, each its own amount, and a total of 180.00', () => {
    expect(render('{{charges}}\nTotal: {{total_due}}', two).body).toBe(
      '- Mensalidade 11000, vencimento 10/09/2026: R$ 110,00\n' +
        '- Mensalidade 7000, vencimento 10/09/2026: R$ 70,00\n' +
        'Total: R$ 180,00',
    );
  });

  test('PITFALLS 48: repeats neighbouring lines of a charge together, and the other lines once', () => {
    const body =
      'Olá, {{debtor_name}}.\n{{charge_description}}\nValor: {{charge_amount_due}}\nTotal: {{total_due}}';
    expect(render(body, two).body).toBe(
      'Olá, Devedora Um Ltda.\nMensalidade 11000\nValor: R$ 110,00\nMensalidade 7000\nValor: R$ 70,00\nTotal: R$ 180,00',
    );
  });

  test('PITFALLS 48: every charge stands with its own amount, whatever their number and order', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 1_000_000_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(amounts, (cents) => {
        const view = viewOf(cents.map((amount) => chargeOf(amount)));
        const lines = render('{{charge_description}}={{charge_amount_due}}', view).body.split('\n');
        expect(lines).toHaveLength(cents.length);
        const said = lines.map((line) => line.split('=') as [string, string]);
        for (const [index, [what, amount]] of said.entries()) {
          expect(what).toBe(`Mensalidade ${cents[index]}`);
          expect(Number(amount.replace(/\D/g, ''))).toBe(cents[index]);
        }
      }),
    );
  });
});

describe('values', () => {
  test('are written as people in Brazil write them, or in English', () => {
    const body = '{{charge_amount}} {{charge_due_date}} {{today}} {{debtor_document}} {{creditor_document}}';
    const charges = [chargeOf(123_456)];
    expect(render(body, viewOf(charges)).body).toBe(
      'R$ 1.234,56 10/09/2026 01/10/2026 ***.982.247-** 11.222.333/0001-81',
    );
    expect(render(body, viewOf(charges, { language: 'en' })).body).toBe(
      'R$ 1,234.56 2026-09-10 2026-10-01 ***.982.247-** 11.222.333/0001-81',
    );
  });

  test('are never read as a template, whatever a stranger called himself', () => {
    const view = viewOf([chargeOf(100, { description: '{{total_due}} {{{{creditor_phone}}}}' })], {
      person: { name: '{{creditor_phone}}', documentNumber: null },
    });
    const once = render('{{debtor_name}}: {{charge_description}}', view);
    expect(once.body).not.toContain('R$');
    expect(once.body).not.toContain('+55');
    expect(render(once.body, view).body).toBe(once.body);
  });

  test('hold no break, no control and no invisible character', () => {
    const name = 'Ana\r\nBcc: x@example.com\u202E\u200B\u0000';
    const view = viewOf([chargeOf(100)], { person: { name, documentNumber: null } });
    expect(render('{{debtor_name}}', view).body).toBe('Ana Bcc: x@example.com');
  });

  test('stay text: rendering what was rendered changes nothing', () => {
    const text = fc.string({
      unit: fc.constantFrom('{', '}', '{{', '}}', 'total_due', ' ', 'a', '$&', '\n'),
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, text, (name, description) => {
        const view = viewOf([chargeOf(100, { description: `x${description}` })], {
          person: { name: `x${name}`, documentNumber: null },
        });
        const once = render('{{debtor_name}} / {{charge_description}}', view).body;
        expect(unknownVariablesIn(once)).toEqual([]);
        expect(variablesIn(once)).toEqual([]);
        expect(render(once, view).body).toBe(once);
      }),
    );
  });

  test('a line without any value for its variables is left out, and named', () => {
    const body = 'Olá.\nPix: {{charge_pix_code}}\n\n\nLinha: {{charge_typed_line}}\nTotal: {{total_due}}';
    const rendered = render(
      body,
      viewOf([chargeOf(100, { paymentOptions: { ...noWay, typedLine: '341' } })]),
    );
    expect(rendered.body).toBe('Olá.\n\nLinha: 341\nTotal: R$ 1,00');
    expect(rendered.empty).toEqual(['charge_pix_code']);
  });

  test('every declared variable has a text in a message that has everything', () => {
    const creditor = { name: 'A', documentNumber: '11222333000181', address: 'B', phone: 'C', email: 'D' };
    const view = sampleView({ creditor, sample: {}, today: '2026-10-01', language: 'pt-BR' });
    for (const { name, scope } of templateVariables) {
      const { shared, charges } = messageValues(view);
      expect(scope === 'charge' ? charges[0]![name] : shared[name], name).toMatch(/\S/);
    }
  });
});

describe('variables', () => {
  test('those that do not exist are found, with loose braces', () => {
    expect(unknownVariablesIn('{{ debtor_name }} {{debtor_nome}} {{#each}} {{}} {{total_due')).toEqual([
      'debtor_nome',
      '#each',
      '{{}}',
      '{{',
    ]);
    expect(unknownVariablesIn('{{charge_pix_code}}', 'sms')).toEqual(['charge_pix_code']);
    expect(unknownVariablesIn('{{charge_pix_code}}', 'email')).toEqual([]);
  });

  test('a text whose variables all exist leaves no brace behind, however they are written', () => {
    const names = templateVariables.map(({ name }) => name);
    const part = fc.oneof(
      fc.constantFrom(...names, ' ', '\t', '\n', '\u00a0', '{{', '}}', '{', 'x', 'Total_due', '_'),
      fc.constantFrom(...names.map((name) => `{{ ${name}\t}}`)),
    );
    const view = viewOf([chargeOf(100)]);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const body = parts.join('');
        if (unknownVariablesIn(body).length === 0) expect(render(body, view).body).not.toMatch(/\{\{|\}\}/);
      }),
    );
    expect(unknownVariablesIn('{{\ntotal_due}} {{\u00a0total_due}}')).toHaveLength(2);
  });

  test('none is declared twice', () => {
    expect(new Set(templateVariables.map(({ name }) => name)).size).toBe(templateVariables.length);
  });
});

describe('what may not be said', () => {
  const bodyCodes = (body: string) =>
    findingsIn({ channel: 'sms', subject: null, body })
      .filter(({ isRefused }) => isRefused)
      .map(({ code }) => code);

  test.each([
    ['threat', 'Pague ou chamaremos a polícia.'],
    ['threat', 'O não pagamento leva à PRISÃO'],
    ['threat', 'pri\u200Bs\u00E3o'],
    ['threat', '**p**risão'],
    ['threat', 'Seus bens serão objeto de penhora'],
    ['threat', 'Vamos bloquear todas as suas contas'],
    ['threat', 'Pay or you will be arrested'],
    ['ridicule', 'Não fique com o nome sujo'],
    ['ridicule', 'Vamos sujar o seu nome'],
    ['ridicule', 'Que vergonha!'],
    ['ridicule', 'Todo caloteiro paga'],
    ['exposure', 'Vamos avisar o seu chefe'],
    ['exposure', 'Iremos ligar para os seus vizinhos'],
    ['exposure', 'We will tell your employer'],
    ['exposure', 'Publicaremos o seu nome nas redes sociais'],
    ['violence', 'Sabemos onde você mora'],
  ])('MODEL §15: %s is refused: %s', (code, body) => {
    expect(bodyCodes(body)).toContain(code);
  });

  test.each([
    'Olá, {{debtor_name}}. A fatura {{charge_number}} venceu em {{charge_due_date}}.',
    'Se já pagou, desconsidere este aviso. Empresa: {{creditor_name}}.',
    'Sua empresa está representada por um procurador? Fale com o responsável.',
    'Conversamos sobre a presente mensagem com expressa clareza e surpresa.',
    'Expomos a seguir os valores. Represado, depresa, impressa.',
    'Please call us if you do not recognise this charge.',
  ])('plain words are let through: %s', (body) => {
    expect(bodyCodes(body)).toEqual([]);
  });

  test.each([
    'Sua dívida com a Aurora',
    'Fatura em atraso',
    'R$ 1.234,56 a pagar',
    'Aviso de cobrança',
    'Your overdue invoice',
    'Valor: {{total_due}}',
    '{{charge_description}}',
    'Documento {{debtor_document}}',
  ])('MODEL §15: a subject tells nothing of a debt: %s', (subject) => {
    const codes = findingsIn({ channel: 'email', subject, body: 'Olá.' }).map(({ code }) => code);
    expect(codes).toContain('debt_in_subject');
  });

  test('a subject with the names of both parties is fine', () => {
    expect(
      findingsIn({ channel: 'email', subject: '{{creditor_name}}: mensagem para {{debtor_name}}', body: '' }),
    ).toEqual([]);
  });

  test('lawful measures and pressure are pointed out, not refused', () => {
    const findings = findingsIn({
      channel: 'email',
      subject: 'Último aviso',
      body: 'O título vai a protesto.',
    });
    expect(findings.map(({ code, field, isRefused }) => [code, field, isRefused])).toEqual([
      ['pressure', 'subject', false],
      ['legal_measure', 'body', false],
    ]);
  });

  test('no text makes the check slow or fail', () => {
    const parts = fc.constantFrom(
      'a',
      ' ',
      'vamos avisar ',
      'o ',
      'seu ',
      'chefe',
      '{{',
      'bloquear ',
      '1.',
      ',',
      'ã',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 200 }), (words) => {
        expect(
          findingsIn({ channel: 'email', subject: words.join(''), body: words.join('') }).length,
        ).toBeLessThan(11);
      }),
    );
    const start = performance.now();
    for (const part of ['vamos avisar a a a a ', 'bloquear a a a ', '{{', '1.1.', 'a']) {
      findingsIn({ channel: 'email', subject: null, body: part.repeat(10_000 / part.length) });
    }
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe('a text that is to be kept', () => {
  const refused = (text: Partial<Parameters<typeof requireSendable>[0]>) => () =>
    requireSendable({ channel: 'email', subject: 'Mensagem', body: 'Olá.', ...text });

  test('has a subject exactly where there is one, and fits its channel', () => {
    expect(refused({ subject: null })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    expect(refused({ channel: 'sms' })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    expect(refused({ channel: 'sms', subject: null, body: 'x'.repeat(919) })).toThrow(
      expect.objectContaining({ details: { path: 'body', expected: 'text of 1 to 918 characters' } }),
    );
    expect(refused({})).not.toThrow();
  });

  test('says which variables and which words are wrong', () => {
    expect(refused({ body: '{{nome}}' })).toThrow(
      expect.objectContaining({ code: 'unknown_variable', details: { variables: ['nome'] } }),
    );
    expect(refused({ body: 'Polícia!' })).toThrow(
      expect.objectContaining({
        code: 'unsafe_template',
        details: { findings: [{ code: 'threat', field: 'body', words: 'policia' }] },
      }),
    );
  });

  test('keeps its lines and loses what nobody sees', () => {
    expect(cleanLines('  Olá,\u200B Ana. \r\n\r\nTchau.\u0000 ')).toBe('Olá, Ana.\n\nTchau.');
  });
});

describe('short messages', () => {
  test.each([
    ['a'.repeat(160), 1, true],
    ['a'.repeat(161), 2, true],
    ['a'.repeat(307), 3, true],
    [`€${'a'.repeat(158)}`, 1, true],
    [`€${'a'.repeat(159)}`, 2, true],
    ['ã'.repeat(70), 1, false],
    ['ã'.repeat(71), 2, false],
    ['ã'.repeat(135), 3, false],
    ['', 1, true],
  ])('are counted as networks count them (%#)', (text, segments, isPlain) => {
    expect(smsSizeOf(text)).toEqual({ segments, isPlain });
  });

  test('several are pointed out, and that accents are why', () => {
    const text = { channel: 'sms' as const, subject: null, body: 'ã'.repeat(80) };
    expect(warningsOf(text, { subject: null, body: text.body, empty: [] })).toEqual([
      { code: 'several_messages', field: 'body', detail: '2' },
      { code: 'not_plain_letters', field: 'body', detail: 'accents' },
    ]);
  });
});

test('a message longer than its channel takes is pointed out', () => {
  const text = { channel: 'whatsapp' as const, subject: null, body: '{{charges}}' };
  expect(warningsOf(text, { subject: null, body: 'x'.repeat(1_001), empty: [] })).toEqual([
    { code: 'too_long', field: 'body', detail: '1001 of 1000 characters' },
  ]);
});

describe('texts of our own', () => {
  const agreement = {
    originalTotalCents: 100_000,
    discountCents: 10_000,
    negotiatedTotalCents: 90_000,
    installments: [
      { number: 1, dueDate: '2026-10-10', amountCents: 45_000 },
      { number: 2, dueDate: '2026-11-10', amountCents: 45_000 },
    ],
    validUntil: '2026-10-08',
  };

  test.each(['pt-BR', 'en'] as const)('a proposal has every figure (%s)', (language) => {
    const { subject, body } = plainMessage('agreement', viewOf([chargeOf(100_000)], { agreement, language }));
    const money =
      language === 'en'
        ? ['R$ 1,000.00', 'R$ 900.00', 'R$ 450.00']
        : ['R$ 1.000,00', 'R$ 900,00', 'R$ 450,00'];
    for (const part of [...money, 'Aurora Comércio Ltda', '11.222.333/0001-81', '+551130000000']) {
      expect(body).toContain(part);
    }
    expect(subject).toContain('Aurora Comércio Ltda');
  });

  test.each(['pt-BR', 'en'] as const)(
    'the notice before a report names bureau, debt and days (%s)',
    (language) => {
      const notice = { bureau: 'Serasa', waitingDays: 20 };
      const { body } = plainMessage('prior_notice', viewOf([chargeOf(10_300)], { notice, language }));
      for (const part of [
        'Serasa',
        '20',
        'Mensalidade 10300',
        language === 'en' ? 'R$ 103.00' : 'R$ 103,00',
      ]) {
        expect(body).toContain(part);
      }
    },
  );

  test.each(['pt-BR', 'en'] as const)(
    'a notice that waits says what is due on the day it leaves, and no name in it is read as a variable (%s)',
    (language) => {
      const notice = { bureau: 'Serasa', waitingDays: 20 };
      const person = { name: 'Ana {{total_due}}', documentNumber: null };
      const queued = viewOf([chargeOf(10_300)], { notice, language, person });
      const leaving = viewOf([chargeOf(10_400)], { notice, language, person, today: '2026-10-02' });
      const { subject, body } = renderText(plainNotice(queued), messageValues(leaving));
      expect({ subject, body }).toEqual(plainMessage('prior_notice', leaving));
      expect(() =>
        requireSendable({ channel: 'sms', subject: null, body: plainNotice(queued).body }),
      ).not.toThrow();
    },
  );

  test.each([
    ['agreement', 'pt-BR'],
    ['agreement', 'en'],
    ['prior_notice', 'pt-BR'],
    ['prior_notice', 'en'],
  ] as const)(
    '%s in %s may be sent: no threat, and a subject that tells nothing of a debt',
    (kind, language) => {
      const notice = { bureau: 'Serasa', waitingDays: 10 };
      const text = plainMessage(kind, viewOf([chargeOf(100_000)], { agreement, notice, language }));
      expect(() => requireSendable({ channel: 'email', ...text })).not.toThrow();
    },
  );
});
