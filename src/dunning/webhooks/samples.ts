/** Sample bodies, made of the schemas of the tools that give the records, so that they do not fall behind them. */

import { z } from 'zod';
import type { Catalogue } from '../../core/operation.ts';
import { type EventCode, kindOf } from './codes.ts';
import { bodyOf } from './rules.ts';

/** The tool that gives the records of a kind, alone or in a list, and what it gives beside them. */
const sources: Readonly<Record<string, readonly [tool: string, ...beside: string[]]>> = {
  person: ['dunning_people_get', 'contacts', 'totals', 'blocks'],
  contact: ['dunning_person_contacts_list'],
  charge: ['dunning_charges_update', 'amount_due', 'days_overdue', 'warnings'],
  payment: ['dunning_payments_get'],
  notification: ['dunning_notifications_get', 'to', 'rendered', 'trail'],
  interaction: ['dunning_interactions_get'],
  promise: ['dunning_payment_promises_get'],
  agreement: ['dunning_agreements_get', 'charges', 'schedule'],
  installment: ['dunning_agreement_installments_list', 'payments'],
  dispute: ['dunning_disputes_get'],
  negativation: ['dunning_negativations_get', 'events'],
  protest: ['dunning_protests_get', 'events'],
  campaign: ['dunning_discount_campaigns_get', 'results', 'currency'],
};

const SAMPLE_ID = '01999999-0000-7000-8000-000000000001';
const ORGANIZATION_ID = '01999999-0000-7000-8000-000000000000';
const SAMPLE_AT = '2026-10-01T12:00:00Z';
const DEPTH_MAX = 6;

type JsonSchema = Readonly<Record<string, unknown>>;

/** A body as the webhook gets it; texts and figures are examples. */
export function sampleBody(catalogue: Catalogue, code: EventCode): string {
  const record = sampleRecord(catalogue, kindOf(code));
  const status = code.slice(code.indexOf('.') + 1);
  const { properties } = record.schema;
  const statuses = (properties as Record<string, JsonSchema> | undefined)?.['status']?.['enum'];
  const isStatus = Array.isArray(statuses) && statuses.includes(status);
  return bodyOf({
    id: `${SAMPLE_ID}.0.${code}`,
    event: code,
    at: SAMPLE_AT,
    organizationId: ORGANIZATION_ID,
    resource: { type: kindOf(code), id: SAMPLE_ID },
    data: { ...record.value, ...(isStatus && { status }) },
  });
}

interface SampleRecord {
  readonly schema: JsonSchema;
  readonly value: Record<string, unknown>;
}

const catalogues = new WeakMap<Catalogue, Map<string, SampleRecord>>();

function sampleRecord(catalogue: Catalogue, kind: string): SampleRecord {
  const known = catalogues.get(catalogue) ?? new Map<string, SampleRecord>();
  catalogues.set(catalogue, known);
  const record = known.get(kind) ?? makeRecord(catalogue, kind);
  known.set(kind, record);
  return record;
}

function makeRecord(catalogue: Catalogue, kind: string): SampleRecord {
  const [tool, ...beside] = sources[kind] ?? [''];
  const operation = catalogue.byName.get(tool);
  if (operation === undefined) return { schema: {}, value: { id: SAMPLE_ID } };
  const root = z.toJSONSchema(operation.output, { io: 'output' }) as JsonSchema;
  const definitions = (root['$defs'] ?? {}) as Record<string, JsonSchema>;
  const items = (root['properties'] as Record<string, JsonSchema> | undefined)?.['items'];
  const own = items === undefined ? root : (items['items'] as JsonSchema);
  const schema = resolved(own, definitions);
  const value = sampleOf('', schema, definitions, 0) as Record<string, unknown>;
  return {
    schema,
    value: Object.fromEntries(Object.entries(value).filter(([name]) => !beside.includes(name))),
  };
}

function sampleOf(
  name: string,
  given: JsonSchema,
  definitions: Record<string, JsonSchema>,
  depth: number,
): unknown {
  const schema = resolved(given, definitions);
  if (depth > DEPTH_MAX) return null;
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const choices = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (choices !== undefined) return sampleOf(name, choices[0]!, definitions, depth);
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(([key, inner]) => [
          key,
          sampleOf(key, inner, definitions, depth + 1),
        ]),
      );
    case 'array':
      return [sampleOf(name, (schema['items'] ?? {}) as JsonSchema, definitions, depth + 1)];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return false;
    case 'string':
      return sampleText(name);
    default:
      return null;
  }
}

function resolved(schema: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  return definitions[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
}

/** By the names that fields have throughout. */
const texts: readonly (readonly [name: RegExp, sample: string])[] = [
  [/^id$|_id$|_ids$|_by$/, SAMPLE_ID],
  [/^(paid|credited)_at$|_on$|_date$|_until$|^promised_for$|^as_of$|^deadline$/, SAMPLE_AT.slice(0, 10)],
  [/_at$|^at$|^scheduled_for$/, SAMPLE_AT],
  [/percent/, '5'],
  [/amount|principal|total|discount|interest|fine|fee|excess|paid|open|abatement|negotiated/, '100.00'],
];

function sampleText(name: string): string {
  return texts.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';
}
