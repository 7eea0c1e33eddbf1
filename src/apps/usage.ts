/** A mistake of whoever starts the program: told in one line, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
