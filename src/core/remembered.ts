/**
 * Remembers computed answers for as long as the books they were computed from stay at one version. A version is
 * the position of the tenant's audit chain: every write moves it in its own transaction, so an answer of the
 * same version is the answer, in every process, without a clock or an invalidation message.
 */
export interface Remembered<Value> {
  /** The value for this key at this version, computed at most once while it stays. */
  at(key: string, version: number | null, compute: () => Promise<Versioned<Value>>): Promise<Value>;
}

/** A value with the version its own statement saw. */
export interface Versioned<Value> {
  readonly value: Value;
  readonly version: number | null;
}

/** Keeps at most `entriesMax` answers, the least recently used go first. A null version is never remembered. */
export function rememberByVersion<Value>(entriesMax: number): Remembered<Value> {
  const entries = new Map<string, Versioned<Value>>();
  return {
    async at(key, version, compute) {
      const known = entries.get(key);
      if (known !== undefined && version !== null && known.version === version) {
        entries.delete(key);
        entries.set(key, known);
        return known.value;
      }
      const computed = await compute();
      if (computed.version !== null) entries.set(key, computed);
      if (entries.size > entriesMax) entries.delete(entries.keys().next().value!);
      return computed.value;
    },
  };
}
