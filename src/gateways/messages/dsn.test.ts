import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { describe, expect, test } from 'vitest';
import { dsnReportsOf, isBadAddress } from './dsn.ts';

const KEY = '0199a0a0-0000-7000-8000-000000000001';
const NOW = new Date('2026-10-02T00:00:00Z');

interface DsnFields {
  action?: string;
  status?: string;
  diagnostic?: string;
  envelopeId?: string | null;
  returned?: string | null;
  encoding?: '7bit' | 'base64' | 'quoted-printable';
  extra?: string[];
}

/** A report as mail servers write it. */
function dsn(fields: DsnFields = {}): string {
  const { action = 'delivered', status = '2.0.0', envelopeId = KEY, encoding = '7bit' } = fields;
  const told = [
    'Reporting-MTA: dns; mx.example.com',
    ...(envelopeId === null ? [] : [`Original-Envelope-Id: ${envelopeId}`]),
    'Arrival-Date: Thu, 1 Oct 2026 09:00:00 -0300',
    '',
    'Original-Recipient: rfc822;cliente@example.com',
    'Final-Recipient: rfc822; cliente@example.com',
    `Action: ${action}`,
    `Status: ${status}`,
    ...(fields.diagnostic === undefined ? [] : [`Diagnostic-Code: smtp; ${fields.diagnostic}`]),
    'Last-Attempt-Date: Thu, 1 Oct 2026 09:00:05 -0300',
    ...(fields.extra ?? []),
    '',
  ].join('\r\n');
  const encoded = {
    '7bit': told,
    base64: Buffer.from(told).toString('base64').replace(/.{76}/g, '$&\r\n'),
    'quoted-printable': told.replace(/Status:/g, 'Sta=\r\ntus:').replace(/; c/g, '=3B c'),
  }[encoding];
  const { returned = `Message-ID: <${KEY}@example.com>\r\nSubject: x` } = fields;
  return [
    'Return-Path: <>',
    'From: Mail Delivery System <MAILER-DAEMON@mx.example.com>',
    'To: volta@example.com',
    'Subject: Delivery report',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="B_1/mx.example.com"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--B_1/mx.example.com',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'Action: failed (words for people, not for us)',
    '',
    '--B_1/mx.example.com',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    encoded,
    ...(returned === null
      ? []
      : ['--B_1/mx.example.com', 'Content-Type: text/rfc822-headers', '', returned, '']),
    '--B_1/mx.example.com--',
    '',
  ].join('\r\n');
}

const read = (raw: string) => dsnReportsOf(Buffer.from(raw, 'latin1'), NOW);

describe('a delivery report', () => {
  test('PITFALLS 55: of a delivery is a delivery, at its own time, under our key', () => {
    expect(read(dsn())).toEqual([
      {
        reportId: 'delivered/2.0.0',
        key: KEY,
        providerId: null,
        status: 'delivered',
        at: new Date('2026-10-01T12:00:05Z'),
        detail: 'delivered 2.0.0',
      },
    ]);
  });

  test.each(['relayed', 'expanded', 'delayed'])('PITFALLS 55: `%s` is no delivery', (action) => {
    expect(read(dsn({ action, status: action === 'delayed' ? '4.4.1' : '2.0.0' }))).toMatchObject([
      { status: 'sent', detail: expect.stringContaining(action) },
    ]);
  });

  test.each([
    ['5.1.1', '550 5.1.1 no such person', 'bounced'],
    ['5.0.0', '550 no such person', 'bounced'],
    ['5.2.1', '550 5.2.1 disabled', 'bounced'],
    ['5.7.1', '550 5.7.1 blocked', 'failed'],
    ['4.4.7', 'expired', 'failed'],
    ['5.2.2', '552 mailbox full', 'failed'],
  ])('of a failure with %s (%s) is %s', (status, diagnostic, expected) => {
    const [report] = read(dsn({ action: 'failed', status, diagnostic }))!;
    expect(report).toMatchObject({ status: expected });
    expect(report!.detail).toContain(status);
  });

  test.each(['base64', 'quoted-printable'] as const)('is read through %s', (encoding) => {
    expect(read(dsn({ encoding }))).toEqual(read(dsn()));
  });

  test('is known by the returned Message-ID where the envelope id was lost', () => {
    expect(read(dsn({ envelopeId: null }))).toMatchObject([{ key: KEY }]);
    expect(read(dsn({ envelopeId: 'QUEUE-17', returned: null }))).toMatchObject([{ key: null }]);
  });

  test('told twice has the same name', () => {
    const [first] = read(dsn())!;
    const [second] = read(dsn({ extra: ['X-Attempt: 2'] }))!;
    expect(second!.reportId).toBe(first!.reportId);
  });

  test('with line feeds alone, folded fields, or cut off in the middle is still read', () => {
    expect(read(dsn().replaceAll('\r\n', '\n'))).toEqual(read(dsn()));
    const folded = dsn({ action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1\r\n no such person' });
    expect(read(folded)).toMatchObject([{ detail: 'failed 5.1.1 smtp; 550 5.1.1 no such person' }]);
    const raw = dsn();
    expect(read(raw.slice(0, raw.indexOf('Last-Attempt')))).toMatchObject([
      { status: 'delivered', key: KEY },
    ]);
  });

  test('survives the way through a mail server, and holds what another reader finds in it', async () => {
    const received: Buffer[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      async onData(stream, _session, done) {
        received.push(Buffer.concat(await stream.toArray()));
        done();
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.server.address() as AddressInfo;
    const transport = createTransport({ host: '127.0.0.1', port, secure: false });
    await transport.sendMail({
      envelope: { from: 'mx@example.com', to: ['volta@example.com'] },
      raw: dsn({ action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 no such person' }),
    });
    transport.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    expect(dsnReportsOf(received[0]!, NOW)).toMatchObject([{ status: 'bounced', key: KEY }]);
    const parsed = await simpleParser(received[0]!);
    expect(parsed.text).toContain(`Original-Envelope-Id: ${KEY}`);
  });
});

describe('anything else', () => {
  test.each([
    ['an answer of a person', 'From: a@example.com\r\nSubject: Re: oi\r\n\r\nAction: delivered\r\n'],
    ['nothing', ''],
    [
      'a multipart without a report',
      'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nAction: failed\r\n--x--',
    ],
    ['a multipart without a boundary', 'Content-Type: multipart/report\r\n\r\nAction: failed'],
  ])('is no report: %s', (_what, raw) => {
    expect(read(raw)).toBeNull();
  });

  test('a report of an action nobody knows tells nothing', () => {
    expect(read(dsn({ action: 'teleported' }))).toEqual([]);
  });

  test('a huge one is read in little time', () => {
    const start = performance.now();
    for (const part of ['\r\n', 'a: b\r\n', '--x\r\n', ' \t', '=\r\n', ': ']) {
      read(`Content-Type: multipart/report; boundary=x\r\n\r\n${part.repeat(65_536 / part.length)}`);
      read(dsn({ extra: [part.repeat(65_536 / part.length)] }));
    }
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

test.each([
  ['550 5.1.1 unknown', true],
  ['550 unknown', true],
  ['551 moved', true],
  ['550 5.7.1 denied', false],
  ['554 no', false],
  ['host 10.5.1.1 said no', false],
])('an answer says whether the address is bad: %s', (answer, isBad) => {
  expect(isBadAddress(answer)).toBe(isBad);
});
