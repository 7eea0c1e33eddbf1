/** Credit bureaus as jobs see them. */

import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type {
  Collected,
  CollectQuery,
  Creditor,
  Debtor,
  FoundRequest,
  OfficeAnswer,
  OfficeRequest,
  TakenRequest,
} from '../office/port.ts';

export type Bureau = 'serasa' | 'spc' | 'quod' | 'boavista';

/** A debt to be shown under the debtor's document. */
export interface RegistrationRequest extends OfficeRequest {
  readonly bureau: Bureau;
  readonly amount: Cents;
  readonly debtDueDate: CivilDate;
  /** The document number of the charge. */
  readonly contractNumber: string | null;
  /** The last day on which it may be shown. */
  readonly expiresOn: CivilDate;
  /** How the debtor was told before, and the last of the waiting days. */
  readonly notice: { readonly channel: string; readonly endsOn: CivilDate };
  readonly creditor: Creditor;
  readonly debtor: Debtor;
}

export interface RemovalRequest extends OfficeRequest {
  readonly bureau: Bureau;
  readonly reference: string | null;
  /** Null when it is no longer kept. */
  readonly debtorDocument: string | null;
  readonly creditor: Creditor | null;
  readonly reason: string;
}

export interface BureauAnswer extends OfficeAnswer {
  readonly status: 'registered' | 'removed' | 'refused';
}

export interface BureauPort {
  /** For example `simulator` or `files`. */
  readonly name: string;
  /** Resolves when the bureau took it. Throws `OfficeRefused`, `OfficeUnreachable` or `OfficeOutcomeUnknown`. */
  register(request: RegistrationRequest, now: Date): Promise<TakenRequest>;
  /** Like `register`. */
  remove(request: RemovalRequest, now: Date): Promise<TakenRequest>;
  find(request: { organizationId: string; key: string }): Promise<FoundRequest>;
  /** Answers that wait for this organization, oldest first. */
  collect(query: CollectQuery): Promise<Collected<BureauAnswer>>;
}
