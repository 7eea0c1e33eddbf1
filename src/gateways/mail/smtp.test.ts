import { createServer, type Server, type Socket } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { type MailMessage, MailOutcomeUnknown, MailRefused, MailUnreachable } from './port.ts';
import { createSmtpMail, type SmtpMail } from './smtp.ts';

const message: MailMessage = {
  messageId: '<0192@cobranca.example>',
  to: 'cliente@example.com',
  replyTo: null,
  subject: 'Padaria São João Ltda.: seu documento de pagamento',
  text: 'Olá, João.\n',
  html: '<p>Olá, João.</p>',
  attachments: [
    { fileName: 'cobrança.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.4\n%\u00ff') },
  ],
};

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** A mail server on this machine, and what it was given. */
async function smtpServer(
  options: SMTPServerOptions = {},
): Promise<{ mail: SmtpMail; received: ParsedMail[]; recipients: string[]; connections: () => number }> {
  const received: ParsedMail[] = [];
  const recipients: string[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    async onData(stream, session, done) {
      received.push(await simpleParser(stream));
      recipients.push(...session.envelope.rcptTo.map(({ address }) => address));
      done();
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { mail: mailTo(server.server as Server), received, recipients, connections: () => connections };
}

/** A server that speaks as it is told. */
async function rawServer(speak: (socket: Socket, line: string) => void): Promise<SmtpMail> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('220 here\r\n');
    socket.on('data', (chunk) => {
      for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) speak(socket, line);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return mailTo(server);
}

function mailTo(server: Server, options: { scheme?: string; query?: string } = {}): SmtpMail {
  const { port } = server.address() as { port: number };
  const { scheme = 'smtp', query = '' } = options;
  const url = `${scheme}://127.0.0.1:${port}${query}`;
  const mail = createSmtpMail({ url, from: 'Cobrança <cobranca@example.com>' });
  opened.push(() => mail.close());
  return mail;
}

describe('a server that takes the message', () => {
  test('gets it whole: accents, both bodies, the file, and our id', async () => {
    const { mail, received, recipients } = await smtpServer();
    await mail.send(message);
    expect(recipients).toEqual(['cliente@example.com']);
    const [parsed] = received;
    expect(parsed).toMatchObject({
      messageId: message.messageId,
      subject: message.subject,
      from: { value: [{ name: 'Cobrança', address: 'cobranca@example.com' }] },
      to: { value: [{ address: 'cliente@example.com' }] },
    });
    expect(parsed!.text).toBe('Olá, João.\n');
    expect(parsed!.html).toBe(message.html);
    expect(parsed!.attachments).toHaveLength(1);
    expect(parsed!.attachments[0]).toMatchObject({
      filename: 'cobrança.pdf',
      contentType: 'application/pdf',
    });
    expect(parsed!.attachments[0]!.content).toEqual(message.attachments[0]!.bytes);
  });

  test('is used again over the same connection', async () => {
    const { mail, received, connections } = await smtpServer();
    for (let count = 0; count < 3; count += 1) {
      await mail.send({ ...message, messageId: `<${count}@cobranca.example>` });
    }
    expect(received).toHaveLength(3);
    expect(connections()).toBe(1);
  });

  test('is told no header and no second recipient that a text tries to smuggle in', async () => {
    const { mail, received, recipients } = await smtpServer();
    await mail.send({ ...message, subject: 'Padaria\r\nBcc: outro@example.com\r\n\r\nTexto' });
    expect(received[0]!.headers.has('bcc')).toBe(false);
    expect(received[0]!.text).toBe('Olá, João.\n');
    const twice = { ...message, to: 'cliente@example.com, outro@example.com' };
    await expect(mail.send(twice)).rejects.toThrow(MailRefused);
    await expect(mail.send({ ...message, to: 'cliente@example.com\r\nRCPT TO:<b@c.de>' })).rejects.toThrow(
      MailRefused,
    );
    expect(recipients).toEqual(['cliente@example.com']);
  });
});

describe('a server that does not take it', () => {
  const answering = (code: number) => ({
    onRcptTo: (_address: unknown, _session: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error('no such person'), { responseCode: code })),
  });

  test('for good (550): refused, with what it said', async () => {
    const { mail, received } = await smtpServer(answering(550));
    await expect(mail.send(message)).rejects.toThrow(MailRefused);
    await expect(mail.send(message)).rejects.toThrow(/550/);
    expect(received).toEqual([]);
  });

  test('for now (451): may be sent again', async () => {
    const { mail } = await smtpServer(answering(451));
    await expect(mail.send(message)).rejects.toThrow(MailUnreachable);
  });

  test('after it was read whole: its answer decides, 554 or 452', async () => {
    for (const [code, kind] of [
      [554, MailRefused],
      [452, MailUnreachable],
    ] as const) {
      const { mail } = await smtpServer({
        onData(stream, _session, done) {
          stream.resume();
          stream.on('end', () => done(Object.assign(new Error('no'), { responseCode: code })));
        },
      });
      await expect(mail.send(message)).rejects.toThrow(kind);
    }
  });

  test('because nobody listens: may be sent again', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const mail = mailTo(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(mail.send(message)).rejects.toThrow(MailUnreachable);
  });

  test('because it hangs up before it asked for the message: may be sent again', async () => {
    const mail = await rawServer((socket, line) => {
      if (line.startsWith('EHLO')) socket.write('250 here\r\n');
      else socket.destroy();
    });
    await expect(mail.send(message)).rejects.toThrow(MailUnreachable);
  });

  test('because our password is wrong: may be sent again once it is right', async () => {
    const server = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: (_auth, _session, done) => done(new Error('no')),
    });
    server.on('error', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.server.address() as { port: number };
    const mail = createSmtpMail({ url: `smtp://me:wrong@127.0.0.1:${port}`, from: 'a@example.com' });
    opened.push(() => mail.close());
    await expect(mail.send(message)).rejects.toThrow(MailUnreachable);
  });
});

describe('a connection that breaks', () => {
  /** Answers everything up to the message, then does what it is told. */
  const untilMessage = (onMessage: (socket: Socket) => void) => {
    let isMessage = false;
    return rawServer((socket, line) => {
      if (isMessage) onMessage(socket);
      else if (line === 'DATA') {
        isMessage = true;
        socket.write('354 go on\r\n');
      } else socket.write('250 fine\r\n');
    });
  };

  test('while the message is on its way: nobody knows', async () => {
    const mail = await untilMessage((socket) => socket.destroy());
    await expect(mail.send(message)).rejects.toThrow(MailOutcomeUnknown);
  });

  test('after the last byte and before the answer: nobody knows', async () => {
    let text = '';
    const mail = await rawServer((socket, line) => {
      if (line === 'DATA') socket.write('354 go on\r\n');
      else if (line === '.') socket.destroy();
      else if (/^(EHLO|MAIL|RCPT)/.test(line)) socket.write('250 fine\r\n');
      else text += line;
    });
    await expect(mail.send(message)).rejects.toThrow(MailOutcomeUnknown);
    expect(text).toContain('Message-ID: <0192@cobranca.example>');
  });
});

describe('the address of the server', () => {
  test('asks for TLS on any other machine, unless told otherwise', async () => {
    const { mail } = await smtpServer();
    await expect(mail.send(message)).resolves.toBeUndefined();
    const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
    server.on('error', () => {});
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    opened.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.server.address() as { port: number };
    for (const [query, kind] of [
      ['', MailUnreachable],
      ['?tls=optional', null],
    ] as const) {
      const other = createSmtpMail({ url: `smtp://0.0.0.0:${port}/${query}`, from: 'a@example.com' });
      opened.push(() => other.close());
      const sending = other.send(message);
      if (kind === null) await expect(sending).resolves.toBeUndefined();
      else await expect(sending).rejects.toThrow(kind);
    }
  });

  test.each(['http://example.com', 'example.com', ''])('is not %j', (url) => {
    expect(() => createSmtpMail({ url, from: 'a@example.com' })).toThrow(TypeError);
  });
});
