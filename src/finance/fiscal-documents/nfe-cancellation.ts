import { isCivilDate } from '../../core/dates.ts';
import { readAccessKey } from '../../core/documents/nfe-key.ts';
import type { ReadingWarning } from '../../core/documents/reading.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { FiscalReading, FiscalWarning, NfeCancellation } from './nfe-types.ts';
import { childOf, textOf, type XmlNode } from './xml.ts';

const CANCELLATION = '110111';
const JUSTIFICATION_MAX = 255;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** cStat of a registered event: 135 linked to its document, 136 not yet linked, 155 registered after the deadline. */
const REGISTERED = new Set(['135', '136', '155']);

/**
 * The cancellation of an NF-e from its `evento` and, if there is one, the tax office's `retEvento`. Other events are
 * answered as an unsupported file. Source: NF-e taxpayer manual, event 110111.
 */
export function readNfeCancellation(
  event: XmlNode | null,
  answer: XmlNode | null,
  warnings: ReadingWarning<FiscalWarning>[],
): FiscalReading {
  const info = childOf(event, 'infEvento');
  if (info === null) {
    return { ok: false, code: 'invalid_document', message: 'The event has no single infEvento group.' };
  }
  if (textOf(info, 'tpEvento') !== CANCELLATION) {
    const message = 'This file is another event of an NF-e. Only its cancellation (110111) is read here.';
    return { ok: false, code: 'unsupported_file', message };
  }
  const key = readAccessKey(textOf(info, 'chNFe') ?? '');
  if (!key.ok) return { ok: false, code: 'invalid_access_key', message: key.message };
  const author = textOf(info, 'CNPJ') ?? textOf(info, 'CPF');
  if (author !== key.issuer.number) {
    warnings.push({
      code: 'key_mismatch',
      message: 'The event was not signed by the issuer named in the access key.',
    });
  }
  if (textOf(info, 'tpAmb') === '2') {
    const message = 'The event was issued in the test environment and has no fiscal value.';
    warnings.push({ code: 'test_environment', message });
  }
  const instant = textOf(info, 'dhEvento');
  const isDated = instant !== null && INSTANT.test(instant) && isCivilDate(instant.slice(0, 10));
  const document: NfeCancellation = {
    kind: 'nfe_cancellation',
    accessKey: key.accessKey,
    issuerTaxId: key.issuer.number,
    canceledAt: isDated ? instant : null,
    justification: cleanOutsideText(textOf(info, 'detEvento', 'xJust') ?? '', JUSTIFICATION_MAX),
    authorization: registrationOf(answer, key.accessKey, warnings),
    isSignatureVerified: false,
    warnings,
  };
  return { ok: true, document };
}

function registrationOf(
  answer: XmlNode | null,
  accessKey: string,
  warnings: ReadingWarning<FiscalWarning>[],
): NfeCancellation['authorization'] {
  const info = childOf(answer, 'infEvento');
  if (info === null) {
    warnings.push({
      code: 'no_protocol',
      message: 'The file holds no answer of the tax office to this event.',
    });
    return { protocol: null, status: 'unproven' };
  }
  const answered = textOf(info, 'tpEvento') ?? CANCELLATION;
  if (textOf(info, 'chNFe') !== accessKey || answered !== CANCELLATION) {
    warnings.push({
      code: 'protocol_mismatch',
      message: "The tax office's answer belongs to another document or event.",
    });
    return { protocol: null, status: 'unproven' };
  }
  const printed = textOf(info, 'nProt');
  const protocol = printed === null ? null : cleanOutsideText(printed, 20);
  if (REGISTERED.has(textOf(info, 'cStat') ?? '')) return { protocol, status: 'authorized' };
  warnings.push({ code: 'not_authorized', message: 'The tax office did not register this event.' });
  return { protocol, status: 'denied' };
}
