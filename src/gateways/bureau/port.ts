/** Credit bureaus as jobs see them. */

export interface BureauPort {
  readonly name: string;
}
