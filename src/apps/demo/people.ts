/** Suppliers and customers with their bank accounts and Pix keys. All of them are invented. */

import { addDays } from '../../core/dates.ts';
import { cnpjCheckDigits, cpfCheckDigits } from '../../core/documents/tax-id.ts';
import { searchTextOf } from '../../db/listing.ts';
import { FOUNDED_DAYS_AGO } from './companies.ts';
import type { Random } from './random.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';
import { firstNames, inventedNames, personalTrades, streetTrade, type Trade, trades } from './trades.ts';

const SUPPLIERS = 60;
const CUSTOMERS = 24;
/** So many customers from the end of the list are persons. */
const NATURAL_CUSTOMERS = 6;
/** So many suppliers from the end of the list are persons, and the last of them without a document. */
const NATURAL_SUPPLIERS = 10;
const UNDOCUMENTED_SUPPLIERS = 3;
const NEW_DETAILS_DAYS_AGO = 3;
/** Codes of banks, as bank accounts and boletos hold them. */
const bankCodes = ['001', '033', '104', '237', '341'] as const;

export interface BankAccount {
  readonly bank_code: string;
  readonly ispb: string | null;
  readonly agency: string;
  readonly agency_digit: string | null;
  readonly number: string;
  readonly digit: string;
  readonly kind: 'checking' | 'savings' | 'payment';
  readonly holder_document: string;
}

export interface PixKey {
  readonly type: 'cpf' | 'cnpj' | 'phone' | 'email' | 'random';
  readonly key: string;
}

export type PersonRow = NewRow<'people'> & { bank_accounts: BankAccount[]; pix_keys: PixKey[] };

export interface Supplier {
  readonly person: PersonRow;
  readonly trade: Trade;
}

export interface People {
  readonly suppliers: readonly Supplier[];
  readonly customers: readonly PersonRow[];
  /** Its bank details are three days old: a payment to it deserves a second look. */
  readonly withNewDetails: Supplier;
}

/** `firstCnpj` lets a workspace know the issuer of a document by its number. */
export function buildPeople(setting: Setting, firstCnpj?: string): People {
  const suppliers = Array.from({ length: SUPPLIERS }, (_, place) => buildSupplier(setting, place, firstCnpj));
  const customers = Array.from({ length: CUSTOMERS }, (_, place) => buildCustomer(setting, place));
  const withNewDetails = suppliers.find(({ trade }) => trade.paidBy === 'pix_key')!;
  const changedAt = instantOn(addDays(setting.today, -NEW_DETAILS_DAYS_AGO), setting.random);
  Object.assign(withNewDetails.person, {
    bank_details_changed_at: changedAt,
    updated_at: changedAt,
    version: 2,
  });
  return { suppliers, customers, withNewDetails };
}

/** A CNPJ no company has: numeric roots from 90,000,000 on are not given out, and letters only begin to be. */
export function cnpjOf(random: Random, isAlphanumeric: boolean): string {
  const letters = () => random.pick([...'ABCDEFGHJKLMNPRSTUVWXYZ']);
  const root = isAlphanumeric ? `${letters()}${letters()}${random.digits(6)}` : `9${random.digits(7)}`;
  return `${root}0001${cnpjCheckDigits(`${root}0001`)}`;
}

function buildSupplier(setting: Setting, place: number, firstCnpj: string | undefined): Supplier {
  const { random } = setting;
  const round = Math.floor(place / trades.length);
  if (place >= SUPPLIERS - NATURAL_SUPPLIERS) {
    const isDocumented = place < SUPPLIERS - UNDOCUMENTED_SUPPLIERS;
    const trade = isDocumented ? personalTrades[place % personalTrades.length]! : streetTrade;
    const first = firstNames[place % firstNames.length]!;
    const name = `${first} ${inventedNames[(place * 5) % inventedNames.length]!} (${trade.name.toLowerCase()})`;
    const base = `9990${random.digits(5)}`;
    const documentNumber = isDocumented ? base + cpfCheckDigits(base) : null;
    return {
      trade,
      person: buildPerson(setting, { name, kind: 'natural', documentNumber, role: 'supplier' }),
    };
  }
  const trade = trades[place % trades.length]!;
  const name = `${inventedNames[(place + round) % inventedNames.length]} ${trade.name} Ltda`;
  const documentNumber = place === 0 && firstCnpj !== undefined ? firstCnpj : cnpjOf(random, place % 4 === 1);
  return { trade, person: buildPerson(setting, { name, kind: 'legal', documentNumber, role: 'supplier' }) };
}

function buildCustomer(setting: Setting, place: number): PersonRow {
  const { random } = setting;
  if (place >= CUSTOMERS - NATURAL_CUSTOMERS) {
    const name = `${firstNames[place % firstNames.length]!} ${inventedNames[(place * 5 + 2) % inventedNames.length]!}`;
    const base = `9980${random.digits(5)}`;
    const documentNumber = base + cpfCheckDigits(base);
    return buildPerson(setting, { name, kind: 'natural', documentNumber, role: 'customer' });
  }
  const word = inventedNames[place % inventedNames.length]!;
  const name = place < inventedNames.length ? `Mercado ${word} Ltda` : `Restaurante ${word} Ltda`;
  return buildPerson(setting, {
    name,
    kind: 'legal',
    documentNumber: cnpjOf(random, place % 3 === 0),
    role: 'customer',
  });
}

function buildPerson(
  setting: Setting,
  identity: {
    name: string;
    kind: 'natural' | 'legal';
    documentNumber: string | null;
    role: 'supplier' | 'customer';
  },
): PersonRow {
  const { random, today } = setting;
  const { name, kind, documentNumber, role } = identity;
  const createdAt = instantOn(addDays(today, -FOUNDED_DAYS_AGO), random);
  const email = `${searchTextOf(name)
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/\.$/, '')}@example.com`;
  return {
    ...bornAt(setting, createdAt),
    name,
    kind,
    document_number: documentNumber,
    roles: [role],
    emails: documentNumber === null ? [] : [email],
    phones: [phoneOf(random)],
    address: { street: 'Avenida dos Ipês', number: random.digits(3), city: 'São Paulo', state: 'SP' },
    bank_accounts: documentNumber === null ? [] : [bankAccountOf(random, documentNumber)],
    pix_keys: documentNumber === null ? [] : pixKeysOf(random, documentNumber, email),
    bank_details_changed_at: null,
    search_text: searchTextOf(name, documentNumber, documentNumber === null ? null : email),
    active: true,
    updated_at: createdAt,
    version: 1,
  };
}

function bankAccountOf(random: Random, holder: string): BankAccount {
  return {
    bank_code: random.pick(bankCodes),
    ispb: null,
    agency: random.digits(4),
    agency_digit: null,
    number: random.digits(6),
    digit: random.digits(1),
    kind: 'checking',
    holder_document: holder,
  };
}

/** One key of a kind, and for some a second one. */
function pixKeysOf(random: Random, document: string, email: string): PixKey[] {
  const all: PixKey[] = [
    { type: document.length === 11 ? 'cpf' : 'cnpj', key: document },
    { type: 'email', key: email },
    { type: 'phone', key: phoneOf(random) },
    { type: 'random', key: randomKeyOf(random) },
  ];
  const start = random.integer(0, all.length - 1);
  return [...all.slice(start), ...all.slice(0, start)].slice(0, random.integer(1, 2));
}

/** No mobile number begins with 90000. */
function phoneOf(random: Random): string {
  return `+551190000${random.digits(4)}`;
}

function randomKeyOf(random: Random): string {
  const hex = Array.from({ length: 4 }, () => random.bits().toString(16).padStart(8, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
}
