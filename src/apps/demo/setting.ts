/** What every builder of sample rows is given, and the small things they all need. */

import { v7 } from 'uuid';
import type { CivilDate } from '../../core/dates.ts';
import type { Tables } from '../../db/rows.ts';
import type { Random } from './random.ts';

/** A row as it is inserted: what the database computes is left out. */
export type NewRow<Table extends keyof Tables> = Omit<Tables[Table], 'open_cents'>;

export interface Authors {
  readonly owner: string;
  readonly approver: string;
  /** Registers most of the bills, so that owner and approver may approve them. */
  readonly assistant: string;
}

export interface Setting {
  readonly workspaceId: string;
  /** The civil date now in the zone of the organization; every date of the sample counts from it. */
  readonly today: CivilDate;
  readonly random: Random;
  readonly authors: Authors;
}

/** An instant of that day by the clock of São Paulo, which has kept to UTC−3 since 2019. */
export function instantOn(date: CivilDate, random: Random): string {
  const [hour, minute, second] = [random.integer(8, 18), random.integer(0, 59), random.integer(0, 59)];
  const time = [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':');
  return `${date}T${time}.${String(random.integer(0, 999)).padStart(3, '0')}-03:00`;
}

/** So many milliseconds later. */
export function laterThan(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}

/** A new id that sorts as if it had been made at that instant. */
export function idAt(instant: string, random: Random): string {
  const words = Uint32Array.of(random.bits(), random.bits(), random.bits(), random.bits());
  return v7({ msecs: Date.parse(instant), random: new Uint8Array(words.buffer) });
}

/** The fields that every record has from its creation on. */
export function bornAt(setting: Setting, createdAt: string, createdBy = setting.authors.owner) {
  return {
    workspace_id: setting.workspaceId,
    id: idAt(createdAt, setting.random),
    created_by: createdBy,
    created_at: createdAt,
  };
}
