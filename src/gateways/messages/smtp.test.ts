import { createServer, type Server } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { MessageOutcomeUnknown, MessageRefused, MessageUnreachable, type OutgoingMessage } from './port.ts';
import { createSmtpMessages, type SmtpMessages } from './smtp.ts';

const KEY = '0199a0a0-0000-7000-8000-000000000001';

const message: OutgoingMessage = {
  key: KEY,
  channel: 'email',
  to: 'cliente@example.com',
  address: null,
  recipientName: 'João & Filhos, Ltda',
  language: 'pt-BR',
  subject: 'Aurora: mensagem para você',
  text: 'Olá, João.\n\n- Mensalidade <1>: R$ 110,00\n- Mensalidade 2: R$ 70,00',
  senderName: 'Aurora Cobrança',
  replyTo: 'financeiro@aurora.example',
};

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function smtpServer(options: SMTPServerOptions = {}) {
  const received: ParsedMail[] = [];
  const sessions: SMTPServerSession[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    hideDSN: false,
    async onData(stream, session, done) {
      received.push(await simpleParser(stream));
      sessions.push(structuredClone({ envelope: session.envelope }) as SMTPServerSession);
      done();
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { mail: mailTo(server.server as Server), received, sessions };
}

function mailTo(server: Server): SmtpMessages {
  const { port } = server.address() as { port: number };
  const mail = createSmtpMessages({
    url: `smtp://127.0.0.1:${port}`,
    from: 'Kobana <cobranca@example.com>',
    bounces: 'volta@example.com',
  });
  opened.push(() => mail.close());
  return mail;
}

describe('an e-mail to a debtor', () => {
  test('is whole: sender of the organization, our id, both bodies, nothing of it markup', async () => {
    const { mail, received } = await smtpServer();
    expect(await mail.send(message)).toEqual({ providerId: `<${KEY}@example.com>` });
    const [parsed] = received;
    expect(parsed).toMatchObject({
      messageId: `<${KEY}@example.com>`,
      subject: message.subject,
      from: { value: [{ name: 'Aurora Cobrança', address: 'cobranca@example.com' }] },
      to: { value: [{ name: 'João & Filhos, Ltda', address: 'cliente@example.com' }] },
      replyTo: { value: [{ address: 'financeiro@aurora.example' }] },
    });
    expect(parsed!.text!.trimEnd()).toBe(message.text);
    expect(parsed!.html).toContain('<p>- Mensalidade &#60;1&#62;: R$ 110,00<br>- Mensalidade 2');
    expect(parsed!.headers.get('auto-submitted')).toBe('auto-generated');
  });

  test('asks for delivery reports under our key, sent to the address for them', async () => {
    const { mail, sessions } = await smtpServer();
    await mail.send(message);
    const { mailFrom, rcptTo, dsn } = sessions[0]!.envelope as never as Record<string, any>;
    expect(mailFrom.address).toBe('volta@example.com');
    expect(rcptTo.map(({ address }: { address: string }) => address)).toEqual(['cliente@example.com']);
    expect(dsn).toMatchObject({ ret: 'HDRS', envid: KEY });
    expect(rcptTo[0].dsn.notify).toEqual(['SUCCESS', 'FAILURE', 'DELAY']);
  });

  test('goes to one recipient only, whatever is in the names and texts', async () => {
    const { mail, received, sessions } = await smtpServer();
    await mail.send({
      ...message,
      recipientName: 'Ana" <outro@example.com>, "B\r\nBcc: c@example.com',
      senderName: 'X\r\nBcc: d@example.com',
      subject: 'Olá\r\nBcc: e@example.com',
    });
    expect(received[0]!.headers.has('bcc')).toBe(false);
    const { rcptTo } = sessions[0]!.envelope;
    expect(rcptTo.map(({ address }) => address)).toEqual(['cliente@example.com']);
    await expect(mail.send({ ...message, to: 'a@example.com, b@example.com' })).rejects.toThrow(
      MessageRefused,
    );
    await expect(mail.send({ ...message, to: 'a@example.com\r\nRCPT TO:<b@example.com>' })).rejects.toThrow(
      MessageRefused,
    );
    expect(received).toHaveLength(1);
  });

  test('cannot be asked for: SMTP has no question', async () => {
    const { mail } = await smtpServer();
    expect(await mail.find(KEY)).toEqual({ state: 'unknowable' });
  });
});

describe('a server that does not take it', () => {
  const answering = (code: number, text: string) => ({
    onRcptTo: (_address: unknown, _session: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error(text), { responseCode: code })),
  });

  test.each([
    [550, '5.1.1 no such person', 'invalid_contact'],
    [550, 'no such person', 'invalid_contact'],
    [550, '5.2.1 mailbox disabled', 'invalid_contact'],
    [550, '5.7.1 relaying denied', 'rejected'],
    [554, '5.7.9 blocked as spam', 'rejected'],
    [552, '5.2.2 mailbox full', 'rejected'],
  ])('for good (%i %s): %s', async (code, text, reason) => {
    const { mail } = await smtpServer(answering(code, text));
    await expect(mail.send(message)).rejects.toMatchObject({ name: 'MessageRefused', reason });
  });

  test('for now (451): may be sent again', async () => {
    const { mail } = await smtpServer(answering(451, 'later'));
    await expect(mail.send(message)).rejects.toThrow(MessageUnreachable);
  });

  test('because nobody listens: may be sent again', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const mail = mailTo(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(mail.send(message)).rejects.toThrow(MessageUnreachable);
  });

  test('or hangs up while it takes it: the outcome is unknown', async () => {
    let isTaking = false;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('220 here\r\n');
      socket.on('data', (chunk) => {
        if (isTaking) return socket.destroy();
        isTaking = chunk.toString().startsWith('DATA');
        return socket.write(isTaking ? '354 go on\r\n' : '250 yes\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push(() => new Promise((resolve) => server.close(resolve)));
    await expect(mailTo(server).send(message)).rejects.toThrow(MessageOutcomeUnknown);
  });
});
