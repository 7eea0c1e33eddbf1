/** Notary offices as jobs see them. */

export interface NotaryPort {
  readonly name: string;
}
