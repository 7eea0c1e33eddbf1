/** Who carries the messages of each channel in a process: real providers where there is access, else simulators. */

import type { MessageChannel, MessagePort } from './port.ts';
import { createSimulatedMessages } from './simulator.ts';

/** A provider of the protocol in docs/messages.md. */
export interface HttpAccess {
  readonly url: string;
  readonly token: string;
}

export interface WhatsAppAccess extends HttpAccess {
  readonly phoneNumberId: string;
  readonly template: string | null;
}

/** Undefined: the channel is simulated and nothing leaves. */
export interface MessagesAccess {
  readonly email:
    | { readonly url: string; readonly from: string; readonly bounces?: string | undefined }
    | undefined;
  readonly whatsapp: WhatsAppAccess | undefined;
  readonly sms: HttpAccess | undefined;
  readonly letter: HttpAccess | undefined;
}

export interface Messages {
  readonly ports: Readonly<Record<MessageChannel, MessagePort>>;
  /** Ends the connections that are kept for the next message. */
  close(): void;
}

/** Loads only the providers that are used. */
export async function createMessages(access: MessagesAccess): Promise<Messages> {
  const { sent: _sent, ...simulated } = createSimulatedMessages();
  const { email, whatsapp, sms, letter } = access;
  const mail = email && (await import('./smtp.ts')).createSmtpMessages(email);
  const cloud = whatsapp && (await import('./whatsapp-cloud.ts')).createWhatsAppCloud(whatsapp);
  const http = async (channel: 'sms' | 'letter', given: HttpAccess | undefined) =>
    given && (await import('./http-messages.ts')).createHttpMessages({ channel, ...given });
  return {
    ports: {
      email: mail ?? simulated.email,
      whatsapp: cloud ?? simulated.whatsapp,
      sms: (await http('sms', sms)) ?? simulated.sms,
      letter: (await http('letter', letter)) ?? simulated.letter,
    },
    close: () => mail?.close(),
  };
}
