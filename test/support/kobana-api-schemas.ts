/** The part of Kobana's API (version 2) that the adapter uses, as JSON Schemas: names, types and what is required. */

import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ allowUnionTypes: true });

const string = { type: 'string' };
const text = { type: ['string', 'null'] };
const number = { type: 'number' };
const amount = { type: ['number', 'null'] };
const flag = { type: ['boolean', 'null'] };
const uuid = { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' };
const uuidOrNull = { type: ['string', 'null'], pattern: uuid.pattern };
const day = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
const dayOrNull = { type: ['string', 'null'], pattern: day.pattern };
const instant = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$',
};
const instantOrNull = { type: ['string', 'null'], pattern: instant.pattern };

type Schema = Exclude<AnySchema, boolean>;

/** An object with these fields and no others; a name that ends with "!" is required. */
function record(fields: Record<string, Schema>): Schema {
  const names = Object.keys(fields);
  return {
    type: 'object',
    additionalProperties: false,
    required: names.filter((name) => name.endsWith('!')).map((name) => name.slice(0, -1)),
    properties: Object.fromEntries(names.map((name) => [name.replace('!', ''), fields[name]!])),
  };
}

const list = (items: Schema): Schema => ({ type: 'array', items });
const oneOf = (...values: (string | number)[]): Schema => ({ enum: values });
const page = (items: Schema): Schema =>
  record({
    'status!': { type: 'integer' },
    'data!': list(items),
    'pagination!': record({
      'page!': { type: 'integer' },
      prev_url: text,
      next_url: text,
      next_cursor: text,
    }),
  });
const one = (data: Schema): Schema => record({ 'status!': { type: 'integer' }, 'data!': data });

/* What is sent. */

const common = { scheduled_to: dayOrNull, external_id: text };
const party = record({ 'name!': string, 'document_number!': string });
const place = { agency_number: string, agency_digit: string, account_number: string, account_digit: string };
const bankAccount = record({
  compe_number: { type: 'integer' },
  ispb_number: { type: ['integer', 'null'] },
  ...place,
});
const payments = (item: Record<string, Schema>): Schema =>
  record({ 'financial_account_uid!': uuid, 'payments!': list(record({ ...common, ...item })) });
const transfers = (item: Record<string, Schema>): Schema =>
  record({
    'financial_account_uid!': uuid,
    'transfers!': list(
      record({
        ...common,
        'amount!': number,
        'financial_account_uid!': uuid,
        'beneficiary!': party,
        ...item,
      }),
    ),
  });

const requests: Readonly<Record<string, Schema>> = {
  'POST /v2/payment/bank_billet_batches': payments({ 'amount!': number, 'code!': string }),
  'POST /v2/payment/pix_batches': payments({ amount, 'qrcode!': string }),
  'POST /v2/payment/utility_batches': payments({ 'amount!': number, 'code!': string }),
  'POST /v2/payment/tax_batches': payments({
    'amount!': number,
    'kind!': oneOf('itbi', 'icms', 'iss', 'iptu', 'fgts', 'dare', 'darf', 'gru', 'gps'),
    format: oneOf('code', 'data'),
    code: text,
  }),
  'POST /v2/transfer/pix_batches': transfers({
    'type!': oneOf('key', 'bank_account'),
    key_type: oneOf('cpf', 'cnpj', 'random', 'email', 'phone'),
    key: string,
    bank_account: bankAccount,
  }),
  'POST /v2/transfer/ted_batches': transfers({ 'bank_account!': bankAccount }),
  'POST /v2/transfer/internal_batches': transfers({ 'internal!': record(place) }),
  'POST /v2/charge/pix': record({
    'amount!': { type: 'number', minimum: 0.01 },
    'pix_account_uid!': uuid,
    'expire_at!': instant,
    payer: party,
    external_id: text,
    txid: { type: ['string', 'null'], minLength: 1, maxLength: 35 },
    revoke_days: { type: ['integer', 'null'], minimum: 1, maximum: 365 },
    message: { type: ['string', 'null'], maxLength: 140 },
    registration_kind: oneOf('instant', 'billing'),
    fine_type: oneOf(0, 1, 2),
    fine_amount: number,
    fine_percentage: number,
    interest_type: oneOf(0, 1, 2, 3, 4, 5, 6, 7, 8),
    interest_amount: number,
    interest_percentage: number,
    discount_type: oneOf(1, 2, 3, 4, 5, 6),
    discount_amount: number,
    discount_percentage: number,
    discount_days: { type: 'integer' },
    discount_second_amount: number,
    discount_second_percentage: number,
    discount_second_days: { type: 'integer' },
    discount_third_amount: number,
    discount_third_percentage: number,
    discount_third_days: { type: 'integer' },
  }),
};

/* What is answered. */

const order = {
  'uid!': uuid,
  'kind!': string,
  'status!': string,
  registration_status: string,
  amount: number,
  scheduled_to: dayOrNull,
  external_id: text,
  financial_account_uid: uuid,
  confirmed_at: instantOrNull,
  rejected_at: instantOrNull,
  rejected_error: text,
  transaction_code: text,
  transaction_date: instantOrNull,
  financial_provider_external_id: text,
  created_at: instant,
  updated_at: instant,
};
const codeOf = record({ code: string, format: string, kind: string });
const payment = record({
  ...order,
  batch_uid: uuidOrNull,
  bank_billet: codeOf,
  utility: codeOf,
  tax: codeOf,
  pix: record({ qrcode: string }),
});
const transfer = record({
  ...order,
  beneficiary: party,
  target: record({ transfer_kind: oneOf('pix', 'ted', 'internal') }),
});
const batch = {
  'uid!': uuid,
  'status!': string,
  registration_status: string,
  'financial_account_uid!': uuid,
};
const command = record({ 'id!': { type: 'integer' }, 'uid!': uuid, 'status!': string, 'operation!': string });
const pix = record({
  'uid!': uuid,
  'status!': oneOf('opened', 'paid', 'overdue', 'canceled', 'generation_failed'),
  registration_status: oneOf('pending', 'skipped', 'requested', 'confirmed', 'rejected', 'failed'),
  'amount!': number,
  'pix_account_uid!': uuid,
  'expire_at!': instant,
  txid: text,
  external_id: text,
  paid_at: instantOrNull,
  paid_amount: amount,
  end_to_end_id: text,
  qrcode: record({ emv: text, png: text }),
  created_at: instantOrNull,
});
const announced = record({
  'uid!': string,
  'status!': oneOf('pending', 'released', 'rejected', 'paid'),
  external_status: { enum: ['open', 'overdue', 'paid', 'canceled', 'downloaded', 'blocked', null] },
  barcode: text,
  line: text,
  our_number: text,
  nominal_amount: amount,
  amount,
  min_payment_amount: amount,
  max_payment_amount: amount,
  allow_parcial_payment: flag,
  expire_at: dayOrNull,
  issue_date: dayOrNull,
  beneficiary_name: text,
  beneficiary_cnpj_cpf: text,
  owner_cnpj_cpf: text,
  fine_amount: amount,
  fine_percentage: amount,
  fine_date: dayOrNull,
  interest_amount: amount,
  interest_percentage: amount,
  interest_date: dayOrNull,
  discount_amount: amount,
  discount_date: dayOrNull,
});

const answers: Readonly<Record<string, Schema>> = {
  'POST /v2/payment/*': one(record({ ...batch, 'payments!': list(payment) })),
  'POST /v2/transfer/*': one(record({ ...batch, 'transfers!': list(transfer) })),
  'GET /v2/payments': page(payment),
  'GET /v2/payments/*': one(payment),
  'PUT /v2/payments/*/cancel': one(command),
  'GET /v2/transfers': page(transfer),
  'GET /v2/transfers/*': one(transfer),
  'PUT /v2/transfers/*/cancel': one(command),
  'POST /v2/charge/pix': one(pix),
  'GET /v2/charge/pix': page(pix),
  'PUT /v2/charge/pix/*/cancel': one(command),
  'GET /v2/charge/pix_accounts': page(
    record({
      'uid!': string,
      financial_account_uid: text,
      status: oneOf('active', 'inactive', 'pending'),
      default: flag,
    }),
  ),
  'GET /v2/charge/payments': page(
    record({
      'uid!': uuid,
      'amount!': number,
      'kind!': oneOf('direct', 'bank_billet', 'pix'),
      'paid_at!': day,
      'payable!': record({ uid: string, type: oneOf('BankBillet', 'Pix') }),
      bank: record({ rate: number }),
      duplicated: { anyOf: [record({ uid: uuidOrNull }), { type: 'null' }] },
    }),
  ),
  'GET /v2/payment/dda_bank_billets': page(announced),
  'GET /v2/payment/dda_bank_billets/*': one(announced),
  'PUT /v2/payment/dda_bank_billets/*/reject': one(announced),
  'GET /v2/financial/accounts/*/statement_transactions': page(
    record({
      'id!': { type: 'integer' },
      'amount!': number,
      'occurrence_date!': day,
      'kind!': oneOf('credit', 'debit'),
      description: text,
      document_number: text,
      person: { anyOf: [record({ name: text, document_number: text }), { type: 'null' }] },
    }),
  ),
};

const errors = record({
  'status!': { type: 'integer', minimum: 100, maximum: 599 },
  'errors!': {
    ...list(record({ title: text, code: text, param: text, detail: text })),
    minItems: 1,
  },
});

const checks = new Map<Schema, (value: unknown) => string | null>();

/** What is wrong with the body of a request; null when nothing is. */
export function problemOfRequest(route: string, body: unknown): string | null {
  const schema = requests[route];
  if (schema === undefined) return body === undefined ? null : `${route} takes no body`;
  return check(schema, body);
}

/** What is wrong with an answer of ours; null when nothing is. `route` has a star for each id. */
export function problemOfAnswer(route: string, status: number, body: unknown): string | null {
  if (status >= 400) return check(errors, body);
  const schema = answers[route] ?? answers[route.replace(/[^/]+$/, '*')];
  return schema === undefined ? `${route} is not described` : check(schema, body);
}

function check(schema: Schema, value: unknown): string | null {
  let known = checks.get(schema);
  if (known === undefined) {
    const validate = ajv.compile(schema);
    known = (given) => (validate(given) ? null : ajv.errorsText(validate.errors));
    checks.set(schema, known);
  }
  return known(value);
}
