/** What every builder of the dunning sample is given, and the small things they all need. */

import type { CivilDate } from '../../../core/dates.ts';
import type { Tables } from '../../../db/rows.ts';
import type { Ways } from '../../../dunning/charges/index.ts';
import type { ContactPolicy } from '../../../dunning/contact-law/index.ts';
import type { MessageCreditor } from '../../../dunning/templates/index.ts';
import type { Random } from '../random.ts';
import { idAt } from '../setting.ts';

export interface DunningSetting {
  readonly organizationId: string;
  readonly now: Date;
  /** The civil date now in the zone of the organization. */
  readonly today: CivilDate;
  readonly random: Random;
  readonly users: { readonly owner: string; readonly collector: string };
  readonly policy: ContactPolicy;
  readonly creditor: MessageCreditor;
  readonly ways: Ways;
}

export type Row<Table extends keyof Tables> = Tables[Table];

/** A row that may still change while its story is told. */
export type Draft<Table extends keyof Tables> = {
  -readonly [Column in keyof Tables[Table]]: Tables[Table][Column];
};

/** The fields that every record has from its creation on. */
export function bornIn(setting: DunningSetting, createdAt: string, createdBy = setting.users.collector) {
  return {
    organization_id: setting.organizationId,
    id: idAt(createdAt, setting.random),
    created_by: createdBy,
    created_at: createdAt,
    updated_at: createdAt,
    version: 1,
  };
}

/** The record changed at that instant. */
export function touch(row: { updated_at: string; version: number }, at: string): void {
  row.version += 1;
  if (Date.parse(at) > Date.parse(row.updated_at)) row.updated_at = at;
}

/** An instant of the day by the clock of São Paulo. */
export function atTime(date: CivilDate, time: string): string {
  return `${date}T${time}:00.000-03:00`;
}

/** The civil date of an instant in São Paulo, which has kept to UTC−3 since 2019. */
export function dayOf(instant: string | number): CivilDate {
  const ms = typeof instant === 'number' ? instant : Date.parse(instant);
  return new Date(ms - 3 * 3_600_000).toISOString().slice(0, 10);
}

export const msOf = (instant: string): number => Date.parse(instant);
export const isoOf = (ms: number): string => new Date(ms).toISOString();
