/** What every refusal ends with, because it is the one way out that always exists. */
const otherWay = 'Or set DATABASE_URL to a PostgreSQL 15 or newer that you run yourself.';

/**
 * The embedded PostgreSQL cannot be used here. The message says why, what to do about it, and always names
 * DATABASE_URL, the way around it. It is meant for the person who starts the program, never for a model.
 */
export class EmbeddedUnavailable extends Error {
  readonly code = 'database_unavailable';

  constructor(reason: string, options?: ErrorOptions) {
    super(`${reason} ${otherWay}`, options);
    this.name = 'EmbeddedUnavailable';
  }
}
