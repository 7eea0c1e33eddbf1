/** Debtors of every state and kind, and how to reach them. All of them are invented. */

import { addDays } from '../../../core/dates.ts';
import { cpfCheckDigits } from '../../../core/documents/tax-id.ts';
import { searchTextOf } from '../../../db/listing.ts';
import { STATES } from '../../../dunning/contact-law/index.ts';
import { type Channel, normaliseContact, searchedTexts } from '../../../dunning/people/index.ts';
import { cnpjOf } from '../people.ts';
import { instantOn, type NewRow } from '../setting.ts';
import { firstNames, inventedNames } from '../trades.ts';
import { bornIn, type Draft, type DunningSetting, touch } from './setting.ts';

export type PersonRow = Draft<'dunning_people'>;
export type ContactRow = Draft<'dunning_contacts'>;

export interface Debtor {
  readonly person: PersonRow;
  readonly contacts: ContactRow[];
  /** E-mail addresses and numbers that turn out to be none when the first message comes back. */
  readonly bouncing: ReadonlySet<string>;
}

const DEBTORS = 300;
const COMPANIES = 96;
const UNDOCUMENTED_EVERY = 29;
/** Two of whom nobody knows an address or a number. */
const UNREACHABLE: readonly number[] = [120, 200];
const HISTORY_DAYS = 720;

/** What companies in debt do. */
const businesses = [
  'Comércio',
  'Restaurante',
  'Padaria',
  'Mercado',
  'Transportes',
  'Construções',
  'Farmácia',
  'Hotel',
];

/** Capital, area code and the first digits of its postal codes. */
const capitals: Readonly<Record<string, readonly [city: string, area: string, postal: string]>> = {
  AC: ['Rio Branco', '68', '699'],
  AL: ['Maceió', '82', '570'],
  AM: ['Manaus', '92', '690'],
  AP: ['Macapá', '96', '689'],
  BA: ['Salvador', '71', '401'],
  CE: ['Fortaleza', '85', '601'],
  DF: ['Brasília', '61', '701'],
  ES: ['Vitória', '27', '290'],
  GO: ['Goiânia', '62', '741'],
  MA: ['São Luís', '98', '650'],
  MG: ['Belo Horizonte', '31', '301'],
  MS: ['Campo Grande', '67', '790'],
  MT: ['Cuiabá', '65', '780'],
  PA: ['Belém', '91', '660'],
  PB: ['João Pessoa', '83', '580'],
  PE: ['Recife', '81', '501'],
  PI: ['Teresina', '86', '640'],
  PR: ['Curitiba', '41', '801'],
  RJ: ['Rio de Janeiro', '21', '201'],
  RN: ['Natal', '84', '590'],
  RO: ['Porto Velho', '69', '768'],
  RR: ['Boa Vista', '95', '693'],
  RS: ['Porto Alegre', '51', '901'],
  SC: ['Florianópolis', '48', '880'],
  SE: ['Aracaju', '79', '490'],
  SP: ['São Paulo', '11', '010'],
  TO: ['Palmas', '63', '770'],
};

/** Beside those whom finance knows already. */
export function buildDebtors(setting: DunningSetting, linked: readonly Debtor[]): Debtor[] {
  const known = new Set(linked.map(({ person }) => person.document_number));
  const debtors = [...linked];
  for (let place = 0; debtors.length < DEBTORS; place += 1) debtors.push(buildDebtor(setting, place, known));
  return debtors;
}

/** The customer of finance as taking its receivable over registers it. */
export function debtorOfCustomer(
  setting: DunningSetting,
  customer: NewRow<'people'>,
  createdAt: string,
): Debtor {
  const { kind, document_number, name } = customer;
  const person = personRow(setting, createdAt, {
    name,
    kind: kind as 'natural' | 'legal',
    documentNumber: document_number,
    address: customer.address as PersonRow['address'],
    state: (customer.address as { state?: string } | null)?.state ?? null,
    externalId: null,
    tags: [],
  });
  const drafts = [
    ...customer.emails.map((value) => ['email', value] as const),
    ...customer.phones.flatMap((value) =>
      (['sms', 'whatsapp', 'phone'] as const).map((channel) => [channel, value] as const),
    ),
  ];
  const contacts = drafts.map(([channel, value]) => contactRow(setting, person, channel, value, false));
  return { person, contacts, bouncing: new Set() };
}

function buildDebtor(setting: DunningSetting, place: number, known: Set<string | null>): Debtor {
  const { random, today } = setting;
  const createdAt = instantOn(addDays(today, -HISTORY_DAYS), random);
  const isCompany = place < COMPANIES;
  const documentNumber =
    place % UNDOCUMENTED_EVERY === 28 ? null : newDocument(setting, place, isCompany, known);
  const state = place % 3 === 0 ? 'SP' : STATES[(place + Math.floor(place / STATES.length)) % STATES.length]!;
  const [city, area, postal] = capitals[state]!;
  const person = personRow(setting, createdAt, {
    name: isCompany ? companyName(place) : personName(place),
    kind: isCompany ? 'legal' : 'natural',
    documentNumber,
    address:
      place % 19 === 18 || UNREACHABLE.includes(place)
        ? null
        : {
            street: random.pick([
              'Rua das Acácias',
              'Avenida dos Ipês',
              'Rua do Horizonte',
              'Travessa das Flores',
            ]),
            number: String(random.integer(10, 2_900)),
            district: 'Centro',
            city,
            state,
            postal_code: `${postal}${random.digits(5)}`,
          },
    state,
    externalId: place % 2 === 0 ? `CLI-${String(10_000 + place)}` : null,
    tags: place % 11 === 0 ? ['parceiro'] : [],
  });
  const contacts = contactsOf(setting, person, place, area);
  const [mailbox, number] = [contacts.at(0), contacts.find(({ channel }) => channel === 'sms')];
  const wrong = place % 23 === 7 ? mailbox : place % 37 === 5 ? number : undefined;
  const bouncing = new Set(wrong === undefined ? [] : [wrong.identity]);
  block(setting, person, contacts, place);
  return { person, contacts, bouncing };
}

function newDocument(
  setting: DunningSetting,
  place: number,
  isCompany: boolean,
  known: Set<string | null>,
): string {
  for (;;) {
    const base = `9970${setting.random.digits(5)}`;
    const number = isCompany ? cnpjOf(setting.random, place % 4 === 1) : base + cpfCheckDigits(base);
    if (known.has(number)) continue;
    known.add(number);
    return number;
  }
}

function companyName(place: number): string {
  const word = inventedNames[place % inventedNames.length]!;
  return `${businesses[Math.floor(place / inventedNames.length)]!} ${word} do Vale Ltda`;
}

/** No two alike. */
function personName(place: number): string {
  const first = firstNames[place % firstNames.length]!;
  const round = Math.floor(place / firstNames.length);
  const middle = inventedNames[round % inventedNames.length]!;
  const shift = 1 + Math.floor(round / inventedNames.length);
  return `${first} ${middle} ${inventedNames[(round + shift * 5) % inventedNames.length]!}`;
}

function personRow(
  setting: DunningSetting,
  createdAt: string,
  given: {
    name: string;
    kind: 'natural' | 'legal';
    documentNumber: string | null;
    address: PersonRow['address'];
    state: string | null;
    externalId: string | null;
    tags: string[];
  },
): PersonRow {
  const named = { name: given.name, document_number: given.documentNumber, external_id: given.externalId };
  return {
    ...bornIn(setting, createdAt),
    ...named,
    kind: given.kind,
    address: given.address,
    state: given.state,
    is_consumer: given.kind === 'natural',
    do_not_contact: false,
    deceased: false,
    language: 'pt-BR',
    tags: given.tags,
    archived_at: null,
    anonymized_at: null,
    anonymized_basis: null,
    search_text: searchTextOf(...searchedTexts(named)),
  };
}

/** E-mail, a mobile number for three channels, and for some the address as a contact or a second e-mail. */
function contactsOf(setting: DunningSetting, person: PersonRow, place: number, area: string): ContactRow[] {
  const { random } = setting;
  if (place % 41 === 40 || UNREACHABLE.includes(place)) return [];
  const mailbox = `${searchTextOf(person.name).replace(/[^a-z0-9]+/g, '.')}.${place}`;
  // No mobile number begins with 90000.
  const phone = `+55${area}90000${random.digits(4)}`;
  const contacts: ContactRow[] = [contactRow(setting, person, 'email', `${mailbox}@example.com`, true)];
  if (place % 9 === 4)
    contacts.push(contactRow(setting, person, 'email', `financeiro.${mailbox}@example.com`, false));
  const address = person.address as { street: string; number: string; city: string; state: string } | null;
  if (place % 6 === 2 && address !== null) {
    const line = `${address.street}, ${address.number}, ${address.city}, ${address.state}`;
    contacts.push(contactRow(setting, person, 'letter', line, true));
  }
  if (place % 13 !== 12) {
    for (const channel of ['whatsapp', 'phone', 'sms'] as const) {
      contacts.push(contactRow(setting, person, channel, phone, true));
    }
  }
  return contacts;
}

function contactRow(
  setting: DunningSetting,
  person: PersonRow,
  channel: Channel,
  text: string,
  isPrimary: boolean,
): ContactRow {
  const kept = normaliseContact(channel, text);
  if (kept === null) throw new RangeError(`no contact of the channel ${channel}: ${text}`);
  return {
    ...bornIn(setting, person.created_at),
    person_id: person.id,
    channel,
    value: kept.value,
    identity: kept.identity,
    label: null,
    is_primary: isPrimary,
    consent: 'unknown',
    consent_changed_at: null,
    validity: 'unknown',
    last_delivered_at: null,
  };
}

/** What stands against writing to some of them; what is said of a number holds wherever it is used. */
function block(
  setting: DunningSetting,
  person: PersonRow,
  contacts: readonly ContactRow[],
  place: number,
): void {
  const { random, today } = setting;
  const at = instantOn(addDays(today, -random.integer(260, 600)), random);
  const number = contacts.find(({ channel }) => channel === 'sms')?.identity;
  const mark = (identity: string | undefined, change: Partial<ContactRow>) => {
    for (const contact of contacts.filter((one) => one.identity === identity)) {
      Object.assign(contact, change);
      touch(contact, at);
    }
  };
  if (place % 16 === 9) mark(number, { consent: 'opted_out', consent_changed_at: at });
  if (place % 31 === 17) mark(contacts[0]?.identity, { consent: 'opted_out', consent_changed_at: at });
  if (place % 27 === 20) mark(number, { validity: 'wrong_person' });
  if (place % 10 === 3) mark(contacts[0]?.identity, { consent: 'given', consent_changed_at: at });
  if (place % 71 === 33) person.do_not_contact = true;
  if (place === 150 || place === 231) person.deceased = true;
  if (place % 53 === 50) person.language = 'en';
  if (person.do_not_contact || person.deceased) touch(person, at);
}
