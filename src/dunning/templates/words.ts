import type { Words } from '../../core/facts.ts';
import type { TemplateChannel } from './schema.ts';

/** Channels as people are asked about them. */
export const channelWords: Readonly<Record<TemplateChannel, Words>> = {
  email: { 'pt-BR': 'e-mail', en: 'e-mail' },
  sms: { 'pt-BR': 'SMS', en: 'SMS' },
  whatsapp: { 'pt-BR': 'WhatsApp', en: 'WhatsApp' },
  letter: { 'pt-BR': 'carta', en: 'letter' },
};
