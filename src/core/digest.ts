import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** SHA-256 (hex) of a value in RFC 8785 form: equal exactly when two JSON values are equal (PROTOCOL C-01). */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(value) as string)
    .digest('hex');
}
