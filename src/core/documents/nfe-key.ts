import { modulo11Digit } from './check-digits.ts';
import { isCnpj, isCpf, type TaxIdKind } from './tax-id.ts';

/** Six digits, twelve of the CNPJ that may be letters, twenty-six digits. Source: NF-e layout, alphanumeric CNPJ. */
const ACCESS_KEY = /^\d{6}[A-Z0-9]{12}\d{26}$/;
const ACCESS_KEY_LENGTH = 44;

const MODEL_NAMES: Record<string, string> = {
  '55': 'NF-e',
  '57': 'CT-e',
  '58': 'MDF-e',
  '62': 'NFCom',
  '63': 'BP-e',
  '65': 'NFC-e',
  '66': 'NF3e',
  '67': 'CT-e OS',
};

/** IBGE codes of the states. */
const STATES: Record<string, string> = {
  '11': 'RO',
  '12': 'AC',
  '13': 'AM',
  '14': 'RR',
  '15': 'PA',
  '16': 'AP',
  '17': 'TO',
  '21': 'MA',
  '22': 'PI',
  '23': 'CE',
  '24': 'RN',
  '25': 'PB',
  '26': 'PE',
  '27': 'AL',
  '28': 'SE',
  '29': 'BA',
  '31': 'MG',
  '32': 'ES',
  '33': 'RJ',
  '35': 'SP',
  '41': 'PR',
  '42': 'SC',
  '43': 'RS',
  '50': 'MS',
  '51': 'MT',
  '52': 'GO',
  '53': 'DF',
};

export type AccessKeyReason = 'length' | 'characters' | 'check_digit' | 'state' | 'month' | 'issuer';

export type AccessKey = {
  ok: true;
  accessKey: string;
  stateCode: string;
  state: string;
  /** Month of issue, YYYY-MM. */
  issuedMonth: string;
  issuer: { kind: TaxIdKind; number: string };
  model: string;
  /** Null for a model we do not know. */
  modelName: string | null;
  /** Series and number without leading zeros. */
  series: string;
  number: string;
  emissionType: string;
  code: string;
  checkDigit: string;
};
export type AccessKeyFailure = { ok: false; reason: AccessKeyReason; message: string };

/**
 * The parts of a 44-character access key (NF-e, NFC-e, CT-e and kin), always text. Spaces between groups are ignored
 * and ASCII letters upper-cased. A failure tells why it is no key. Source: NF-e taxpayer manual, access key.
 */
export function readAccessKey(text: string): AccessKey | AccessKeyFailure {
  const accessKey = text.replace(/ /g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
  if (accessKey.length !== ACCESS_KEY_LENGTH) {
    return failure('length', `An access key has 44 characters; this one has ${accessKey.length}.`);
  }
  if (!ACCESS_KEY.test(accessKey)) {
    return failure('characters', 'An access key has digits only, besides letters in positions 7 to 18.');
  }
  if (accessKeyCheckDigit(accessKey.slice(0, 43)) !== accessKey[43]) {
    return failure(
      'check_digit',
      'The check digit of the access key does not match: look for a typing mistake.',
    );
  }
  const state = STATES[accessKey.slice(0, 2)];
  if (state === undefined) return failure('state', 'The access key begins with no state code.');
  const month = accessKey.slice(4, 6);
  if (month < '01' || month > '12')
    return failure('month', 'The access key holds no month between 01 and 12.');
  const issuer = issuerOf(accessKey.slice(6, 20));
  if (issuer === null) return failure('issuer', 'The access key holds no valid CNPJ or CPF of an issuer.');
  const model = accessKey.slice(20, 22);
  return {
    ok: true,
    accessKey,
    stateCode: accessKey.slice(0, 2),
    state,
    issuedMonth: `20${accessKey.slice(2, 4)}-${month}`,
    issuer,
    model,
    modelName: accessKeyModelName(model),
    series: withoutLeadingZeros(accessKey.slice(22, 25)),
    number: withoutLeadingZeros(accessKey.slice(25, 34)),
    emissionType: accessKey.slice(34, 35),
    code: accessKey.slice(35, 43),
    checkDigit: accessKey.slice(43),
  };
}

/** The check digit of the first 43 characters: modulo 11, weights 2 to 9 from the right, 0 for remainders 0 and 1. */
export function accessKeyCheckDigit(first43: string): string {
  return modulo11Digit(first43);
}

/** What people call a document model ("55" is an NF-e), or null when it is not known. */
export function accessKeyModelName(model: string): string | null {
  return Object.hasOwn(MODEL_NAMES, model) ? MODEL_NAMES[model]! : null;
}

/** A person issues with "000" before the CPF. */
function issuerOf(text: string): AccessKey['issuer'] | null {
  if (isCnpj(text)) return { kind: 'cnpj', number: text };
  if (text.startsWith('000') && isCpf(text.slice(3))) return { kind: 'cpf', number: text.slice(3) };
  return null;
}

function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

function failure(reason: AccessKeyReason, message: string): AccessKeyFailure {
  return { ok: false, reason, message };
}
