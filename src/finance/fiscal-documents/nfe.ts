import { isCivilDate } from '../../core/dates.ts';
import { type AccessKey, readAccessKey } from '../../core/documents/nfe-key.ts';
import type { ReadingWarning } from '../../core/documents/reading.ts';
import { normaliseTaxId, parseTaxId } from '../../core/documents/tax-id.ts';
import { parseMoney } from '../../core/money.ts';
import { cleanOutsideText } from '../../core/text.ts';
import { readNfeCancellation } from './nfe-cancellation.ts';
import type {
  FiscalFailure,
  FiscalParty,
  FiscalReading,
  FiscalWarning,
  NfeDocument,
  NfeInstallment,
  NfeWithholdings,
} from './nfe-types.ts';
import { attributeOf, childOf, childrenOf, readXml, textOf, type XmlNode } from './xml.ts';

export type * from './nfe-types.ts';

const NAME_MAX = 120;
const NUMBER_MAX = 60;
/** The layout allows 120 installments. Source: NF-e layout 4.00, group Y07. */
const INSTALLMENTS_MAX = 120;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** cStat of an authorisation: 100 in time, 150 after the deadline. */
const AUTHORIZED = new Set(['100', '150']);

/** Root elements of documents that are recognised and not read here. */
const UNSUPPORTED_ROOTS: Record<string, string> = {
  cteProc: 'a CT-e (transport document)',
  CTe: 'a CT-e (transport document)',
  cteOSProc: 'a CT-e OS (transport document)',
  CTeOS: 'a CT-e OS (transport document)',
  procEventoCTe: 'an event of a CT-e (transport document)',
  eventoCTe: 'an event of a CT-e (transport document)',
  mdfeProc: 'an MDF-e (cargo manifest)',
  MDFe: 'an MDF-e (cargo manifest)',
  NFSe: 'an NFS-e (service invoice)',
  Nfse: 'an NFS-e (service invoice)',
  nfse: 'an NFS-e (service invoice)',
  DPS: 'the declaration behind an NFS-e (service invoice)',
  CompNfse: 'an NFS-e (service invoice)',
  ListaNfse: 'a list of NFS-e (service invoices)',
  ConsultarNfseResposta: 'a list of NFS-e (service invoices)',
  ConsultarNfseRpsResposta: 'an NFS-e (service invoice)',
  ConsultarLoteRpsResposta: 'a list of NFS-e (service invoices)',
  GerarNfseResposta: 'an NFS-e (service invoice)',
  enviNFe: 'a batch of NF-e sent to the tax office',
  resNFe: 'a summary of an NF-e',
  inutNFe: 'a void range of NF-e numbers',
  procInutNFe: 'a void range of NF-e numbers',
};

/**
 * An NF-e or NFC-e (`nfeProc` or bare `NFe`) or the cancellation of one (event 110111), read from the bytes of its XML
 * file. Amounts are in centavos, identifiers are text, names are a stranger's text, cleaned and capped. The digital
 * signature is not verified. Source: NF-e layout 4.00 (taxpayer manual).
 */
export function readFiscalXml(bytes: Uint8Array): FiscalReading {
  const xml = readXml(bytes);
  if (!xml.ok) return xml;
  const { rootName, root } = xml;
  const warnings: ReadingWarning<FiscalWarning>[] = [];
  if (xml.isEncodingWrong) {
    warn(
      warnings,
      'encoding_mismatch',
      'The file is not in UTF-8 as it claims; it was read as windows-1252.',
    );
  }
  if (rootName === 'nfeProc') return readNfe(childOf(root, 'NFe'), childOf(root, 'protNFe'), warnings);
  if (rootName === 'NFe') return readNfe(root, null, warnings);
  if (rootName === 'procEventoNFe') {
    return readNfeCancellation(childOf(root, 'evento'), childOf(root, 'retEvento'), warnings);
  }
  if (rootName === 'evento') return readNfeCancellation(root, null, warnings);
  const kind = Object.hasOwn(UNSUPPORTED_ROOTS, rootName)
    ? UNSUPPORTED_ROOTS[rootName]
    : 'another kind of XML';
  const message = `This file is ${kind}. Only an NF-e, an NFC-e or the cancellation of one is read here.`;
  return { ok: false, code: 'unsupported_file', message };
}

function readNfe(
  nfe: XmlNode | null,
  protocol: XmlNode | null,
  warnings: ReadingWarning<FiscalWarning>[],
): FiscalReading {
  const info = childOf(nfe, 'infNFe');
  if (info === null) return invalid('invalid_document', 'The NF-e has no single infNFe group.');
  const key = readAccessKey((attributeOf(info, 'Id') ?? '').replace(/^NFe/, ''));
  if (!key.ok) return invalid('invalid_access_key', key.message);
  if (key.model !== '55' && key.model !== '65') {
    return invalid('invalid_document', 'The access key of this NF-e belongs to another kind of document.');
  }
  const number = textOf(info, 'ide', 'nNF');
  const series = textOf(info, 'ide', 'serie');
  const issuedAt = issuedAtOf(info);
  const totalCents = amountOf(info, 'total', 'ICMSTot', 'vNF');
  const issuer = partyOf(childOf(info, 'emit'), warnings);
  if (!isShortNumber(number, 9) || !isShortNumber(series, 3) || issuedAt === null) {
    return invalid('invalid_document', 'The NF-e lacks a number, a series or a moment of issue.');
  }
  if (totalCents === null)
    return invalid('invalid_document', 'The NF-e lacks a single total (vNF) in reais.');
  if (issuer === null || issuer.taxId === null)
    return invalid('invalid_document', 'The NF-e lacks the tax id of its issuer.');
  const invoice = childOf(info, 'cobr', 'fat');
  const netCents = amountOf(invoice, 'vLiq') ?? totalCents;
  const installments = installmentsOf(childrenOf(childOf(info, 'cobr'), 'dup'), warnings);
  if (installments === null) {
    return invalid(
      'invalid_document',
      `The NF-e has an installment without amount or more than ${INSTALLMENTS_MAX}.`,
    );
  }
  warnOfSum(installments, netCents, warnings);
  warnOfKey(key, { number, series, issuedAt, issuer, model: textOf(info, 'ide', 'mod') }, warnings);
  warnOfUse(info, warnings);
  const document: NfeDocument = {
    kind: 'nfe',
    accessKey: key.accessKey,
    model: key.model,
    number,
    series,
    issuedAt,
    issuer: { taxId: issuer.taxId, name: issuer.name },
    recipient: partyOf(childOf(info, 'dest'), warnings),
    totalCents,
    netCents,
    installments,
    withholdings: withholdingsOf(info),
    authorization: authorizationOf(protocol, key.accessKey, warnings),
    isSignatureVerified: false,
    warnings,
  };
  return { ok: true, document };
}

function issuedAtOf(info: XmlNode): string | null {
  const instant = textOf(info, 'ide', 'dhEmi');
  return instant !== null && INSTANT.test(instant) && isCivilDate(instant.slice(0, 10)) ? instant : null;
}

function isShortNumber(text: string | null, digitsMax: number): text is string {
  return text !== null && text.length <= digitsMax && /^\d+$/.test(text);
}

/** Issuer or recipient; a foreign recipient has no tax id. */
function partyOf(node: XmlNode | null, warnings: ReadingWarning<FiscalWarning>[]): FiscalParty | null {
  if (node === null) return null;
  const written = textOf(node, 'CNPJ') ?? textOf(node, 'CPF');
  const taxId = written === null ? null : parseTaxId(written);
  if (written !== null && taxId === null) {
    warn(warnings, 'invalid_tax_id', 'A CNPJ or CPF in the document has wrong check digits.');
  }
  const fallback = written === null ? null : cleanOutsideText(normaliseTaxId(written), 14);
  return { taxId: taxId?.number ?? fallback, name: cleanOutsideText(textOf(node, 'xNome') ?? '', NAME_MAX) };
}

/** Null when one has no amount or there are too many. */
function installmentsOf(
  nodes: XmlNode[],
  warnings: ReadingWarning<FiscalWarning>[],
): NfeInstallment[] | null {
  if (nodes.length > INSTALLMENTS_MAX) return null;
  const installments: NfeInstallment[] = [];
  for (const [index, node] of nodes.entries()) {
    const amountCents = amountOf(node, 'vDup');
    if (amountCents === null) return null;
    const dueDate = textOf(node, 'dVenc');
    const isDated = dueDate !== null && isCivilDate(dueDate);
    if (!isDated) {
      warn(warnings, 'installment_without_due_date', `Installment ${index + 1} has no due date.`);
    }
    const number = cleanOutsideText(textOf(node, 'nDup') ?? String(index + 1).padStart(3, '0'), NUMBER_MAX);
    installments.push({ number, dueDate: isDated ? dueDate : null, amountCents });
  }
  return installments;
}

function warnOfSum(
  installments: NfeInstallment[],
  netCents: number,
  warnings: ReadingWarning<FiscalWarning>[],
): void {
  const sum = installments.reduce((total, { amountCents }) => total + amountCents, 0);
  if (installments.length === 0 || sum === netCents) return;
  warn(
    warnings,
    'installments_do_not_add_up',
    'The installments do not add up to the net amount of the document.',
  );
}

function warnOfKey(
  key: AccessKey,
  written: { number: string; series: string; issuedAt: string; issuer: FiscalParty; model: string | null },
  warnings: ReadingWarning<FiscalWarning>[],
): void {
  const isSame =
    Number(key.number) === Number(written.number) &&
    Number(key.series) === Number(written.series) &&
    key.issuedMonth === written.issuedAt.slice(0, 7) &&
    key.issuer.number === written.issuer.taxId &&
    key.model === written.model;
  if (!isSame)
    warn(warnings, 'key_mismatch', 'The access key tells another issuer, number, series, model or month.');
}

function warnOfUse(info: XmlNode, warnings: ReadingWarning<FiscalWarning>[]): void {
  if (textOf(info, 'ide', 'tpAmb') === '2') {
    warn(
      warnings,
      'test_environment',
      'The document was issued in the test environment and has no fiscal value.',
    );
  }
  if (textOf(info, 'ide', 'tpNF') === '0') {
    warn(warnings, 'inbound_document', 'The issuer registers an entry with this document, not a sale.');
  }
  if (textOf(info, 'ide', 'finNFe') === '4') {
    warn(warnings, 'goods_return', 'The document is a return of goods, not a sale.');
  }
}

function withholdingsOf(info: XmlNode): NfeWithholdings | null {
  const federal = childOf(info, 'total', 'retTrib');
  const withholdings: NfeWithholdings = {
    pisCents: amountOf(federal, 'vRetPIS'),
    cofinsCents: amountOf(federal, 'vRetCOFINS'),
    csllCents: amountOf(federal, 'vRetCSLL'),
    incomeTaxCents: amountOf(federal, 'vIRRF'),
    socialSecurityCents: amountOf(federal, 'vRetPrev'),
    serviceTaxCents: amountOf(info, 'total', 'ISSQNtot', 'vISSRet'),
  };
  return Object.values(withholdings).some((cents) => cents !== null) ? withholdings : null;
}

function authorizationOf(
  protocol: XmlNode | null,
  accessKey: string,
  warnings: ReadingWarning<FiscalWarning>[],
): NfeDocument['authorization'] {
  const info = childOf(protocol, 'infProt');
  if (info === null) {
    warn(
      warnings,
      'no_protocol',
      'The file holds no authorisation protocol: ask the issuer for the authorised XML.',
    );
    return { protocol: null, status: 'unproven' };
  }
  const printed = textOf(info, 'nProt');
  const number = printed === null ? null : cleanOutsideText(printed, 20);
  if (textOf(info, 'chNFe') !== accessKey) {
    warn(
      warnings,
      'protocol_mismatch',
      'The authorisation protocol in the file belongs to another document.',
    );
    return { protocol: null, status: 'unproven' };
  }
  if (AUTHORIZED.has(textOf(info, 'cStat') ?? '')) return { protocol: number, status: 'authorized' };
  warn(warnings, 'not_authorized', 'The tax office did not authorise this document.');
  return { protocol: number, status: 'denied' };
}

function amountOf(node: XmlNode | null, ...path: string[]): number | null {
  const text = textOf(node, ...path);
  const cents = text === null ? null : parseMoney(text);
  return cents === null || cents < 0 ? null : cents;
}

function warn(warnings: ReadingWarning<FiscalWarning>[], code: FiscalWarning, message: string): void {
  warnings.push({ code, message });
}

function invalid(code: FiscalFailure['code'], message: string): FiscalFailure {
  return { ok: false, code, message };
}
