import { v7 } from 'uuid';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A new UUIDv7: sorts by creation, so "most recent" is one index scan. */
export function newId(): string {
  return v7();
}

/** The lower-case UUID in `text`, or null. Any version; no braces, no `urn:uuid:` (PROTOCOL C-48). */
export function parseId(text: string): string | null {
  const lower = text.toLowerCase();
  return uuid.test(lower) ? lower : null;
}
