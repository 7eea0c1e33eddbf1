/**
 * The registry of error codes: the only texts about failures that may leave the system.
 * `docs/errors.md` is generated from it.
 */

interface ErrorEntry {
  /** HTTP status on REST and for floods; MCP tool errors are results with status 200. */
  readonly status: number;
  /** What went wrong, without record text. */
  readonly message: string;
  /** What the caller does next. */
  readonly next: string;
}

const entry = (status: number, message: string, next: string): ErrorEntry => ({ status, message, next });

export const errorRegistry = {
  // Access
  unauthenticated: entry(
    401,
    'The access token is missing, unknown, expired or revoked.',
    'Connect again or create a new token.',
  ),
  insufficient_scope: entry(
    403,
    'This connection does not have the access this tool needs.',
    'Connect again with the access level named in `required`.',
  ),
  forbidden: entry(
    403,
    'Your role in this workspace does not allow this.',
    'Ask an owner or administrator of the organization for a role that does.',
  ),
  workspace_required: entry(
    422,
    'You reach several workspaces and this connection has no default one.',
    'Repeat the call with `workspace_id` set to one of `workspaces`.',
  ),
  session_required: entry(
    403,
    'Only a person signed in to the console may do this.',
    'Open the console and do it there.',
  ),
  verification_required: entry(
    403,
    'This needs a fresh proof that it is you.',
    'Enter your password or use your passkey again, then repeat.',
  ),
  client_view_refused: entry(
    400,
    'The address or a header narrows the connection in a way that does not exist.',
    'Correct what `name` names as `expected` says.',
  ),
  tool_not_offered: entry(
    403,
    'This connection leaves this tool out.',
    'Connect with a wider `toolsets`, or without `readonly`.',
  ),
  rate_limited: entry(429, 'Too many calls in a short time.', 'Wait `retry_after` seconds and try again.'),
  // Confirmation
  confirmation_required: entry(
    403,
    'This action only runs after the person confirms it, and this client cannot ask on this connection.',
    'Use a client that speaks protocol 2026-07-28 and declares form elicitation; nothing was changed.',
  ),
  confirmation_unavailable: entry(
    503,
    'The confirmation cannot be recorded right now, so nothing was run.',
    'Try again later; before repeating, read the record to see its state.',
  ),
  confirmation_replayed: entry(
    409,
    'This confirmation was already used, so nothing was run again.',
    'Read the record first. To repeat the action, call the tool again without requestState and confirm again.',
  ),
  USER_DECLINED: entry(
    403,
    'The person did not confirm the action. Nothing was changed.',
    'Do not repeat the call unless the person asks for it.',
  ),
  idempotency_key_required: entry(
    422,
    'A program that acts without a question needs an idempotency key.',
    'Send the header Idempotency-Key, new for each action.',
  ),
  second_person_required: entry(
    403,
    'From this amount on a second person has to say yes, so nothing was run.',
    'Another person opens the approval named in `approval` in the console; read its outcome with the approvals tool.',
  ),
  workspace_frozen: entry(
    403,
    'Nothing destructive runs here at the moment: the switch is set to frozen.',
    'Ask an owner or administrator; they set and lift it in the console.',
  ),
  approval_not_pending: entry(
    409,
    'This approval was decided already, or its time is over.',
    'Read it again; to act, let the call be made again.',
  ),
  approval_changed: entry(
    409,
    'What the question said has changed since it was shown.',
    'Read the new question and decide again.',
  ),
  requester_not_allowed: entry(
    409,
    'Whoever asked for this may not do it any more, so nothing was run.',
    'Decline it; somebody who may can ask for it again.',
  ),
  last_owner: entry(
    409,
    'An organization keeps at least one owner.',
    'Make another person an owner first; they have to have accepted.',
  ),
  // Arguments
  invalid_argument: entry(
    422,
    'An argument is missing, unknown or not in the right form.',
    'Correct the argument named in `path` as `expected` says.',
  ),
  invalid_document_number: entry(
    422,
    'The document number is not a valid CPF or CNPJ.',
    'Check the number with its owner; letters in a CNPJ are kept, the last two places are digits.',
  ),
  invalid_barcode: entry(
    422,
    'The boleto or bill code is not valid.',
    'Compare the part named in `field` with the printed bill.',
  ),
  invalid_pix_code: entry(
    422,
    'The Pix code or key is not valid.',
    'Copy the whole code again; `reason` says what is wrong.',
  ),
  file_too_large: entry(413, 'The file is larger than 10 MiB.', 'Send a smaller file.'),
  unsupported_file: entry(
    415,
    'This kind of file cannot be read here.',
    'Send one of the kinds named in `expected`.',
  ),
  // Records
  not_found: entry(404, 'There is no such record here.', 'Look it up with the matching list tool.'),
  invalid_state: entry(
    409,
    'The record is in a state that does not allow this.',
    'Read the record again; `from` is its state, `allowed` the states that permit the action.',
  ),
  in_use: entry(
    409,
    'Other records depend on this one.',
    'Remove or change the records named in `by` first.',
  ),
  duplicate: entry(
    409,
    'A record like this one exists already.',
    'Look at the record in `of`; if both are meant, repeat with `allow_duplicate_of` where the tool has it.',
  ),
  idempotency_key_reused: entry(
    409,
    'This idempotency key was used with other arguments.',
    'Use a new key for a new action.',
  ),
  version_conflict: entry(
    409,
    'The record changed since it was read.',
    'Read the record again and repeat the change.',
  ),
  // Money
  amount_changed: entry(
    409,
    'The amount is not the expected one.',
    'Show the person the amount in `actual` before going on.',
  ),
  exceeds_open_amount: entry(
    422,
    'The amount is more than what is open.',
    'Use at most the amount in `open`.',
  ),
  unbalanced: entry(
    422,
    'The two sides do not add up.',
    'Correct the amounts so that `left` equals `right`.',
  ),
  installments_mismatch: entry(
    422,
    'The installments do not add up to the total.',
    'Correct the installments so that `sum` equals `total`.',
  ),
  insufficient_balance: entry(409, 'The account has not enough balance.', 'Choose another account or date.'),
  already_reconciled: entry(409, 'The entry is reconciled already.', 'Undo that reconciliation first.'),
  books_closed: entry(
    409,
    'The books are closed for that date.',
    'Use a date after `until`, or ask for the month to be opened again.',
  ),
  approval_required: entry(
    409,
    'This payable has to be approved before it is paid.',
    'Ask an approver to approve it.',
  ),
  payment_blocked: entry(
    409,
    'A safety setting of the workspace refuses this payment.',
    'Show the person `reasons`; whoever manages the settings can change them.',
  ),
  not_an_approver: entry(
    403,
    'Bills of this amount are approved by certain people only.',
    'Ask one of the users in `approvers` to approve it.',
  ),
  same_person_approval: entry(
    403,
    'Whoever registered or asked for this may not approve it.',
    'Ask another person to approve it.',
  ),
  // Files and statements
  duplicate_file: entry(409, 'This file was imported already.', 'Look at the import in `import_id`.'),
  attachment_unavailable: entry(409, 'The file cannot be served.', 'Upload it again.'),
  resource_too_large: entry(413, 'The document is larger than 10 MiB.', 'Fetch it in the console.'),
  // Dunning
  charge_in_agreement: entry(409, 'The charge is part of an agreement.', 'Work on the agreement instead.'),
  charge_disputed: entry(409, 'The charge is disputed.', 'Resolve the dispute first.'),
  legal_action_exists: entry(
    409,
    'The charge has a live legal action.',
    'Finish or cancel the action in `id` first.',
  ),
  prior_notice_missing: entry(
    409,
    'The prior notice has not been delivered or its time has not passed.',
    'Wait for the delivery and the waiting days.',
  ),
  debt_too_old: entry(
    409,
    'The debt is more than five years past its due date.',
    'It may no longer be reported.',
  ),
  contact_window_closed: entry(409, 'The debtor may not be contacted at this time.', 'Try again at `next`.'),
  contact_opted_out: entry(
    409,
    'The debtor does not accept contact on this channel.',
    'Choose another channel.',
  ),
  contact_blocked: entry(
    409,
    'The debtor may not be contacted.',
    '`reason` says why; the record of the debtor or of the contact shows more.',
  ),
  contact_limit_reached: entry(
    409,
    'The debtor has had the messages a day may bring.',
    'Try again at `next`.',
  ),
  contact_missing: entry(
    409,
    'There is no usable contact for this channel.',
    'Add a contact of the channel, or choose another one.',
  ),
  invalid_contact: entry(
    422,
    'The contact is not in the form of its channel.',
    'Give it as `expected` says.',
  ),
  charge_paused: entry(
    409,
    'Collection of the charge is paused.',
    '`reason` says why; wait, or let it resume first.',
  ),
  unknown_variable: entry(
    422,
    'The template names variables that do not exist.',
    'Use those of dunning_template_variables_list; `variables` names the unknown ones.',
  ),
  unsafe_template: entry(
    422,
    'The text may not be sent to a debtor.',
    'Take out what `findings` names: threats, or details of the debt where others may read them.',
  ),
  steps_collide: entry(
    409,
    'Another step of the rule does the same at the same time.',
    'Change the day, the time or the channel; `with` is the other step.',
  ),
  legal_check_failed: entry(
    409,
    'The charge may not be reported or protested.',
    '`failed` names the rules that stand against it; the matching check tool says more of each.',
  ),
  discount_not_allowed: entry(
    422,
    'The campaign does not allow this discount.',
    'Use at most what `allowed` says, or no campaign.',
  ),
  webhook_address_refused: entry(
    422,
    'The address cannot be called.',
    'Use https and a public host; `reason` says what is wrong.',
  ),
  // System
  internal: entry(
    500,
    'Something went wrong on our side; nothing was changed.',
    'Try again; if it stays, give support the `id`.',
  ),
  unavailable: entry(
    503,
    'The system cannot answer right now; nothing was changed.',
    'Try again in a moment.',
  ),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorRegistry;

export type ErrorDetails = Readonly<Record<string, unknown>>;

/** A failure with a code of the registry. `details` holds only values we computed or the caller sent. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, details?: ErrorDetails) {
    super(`${errorRegistry[code].message} ${errorRegistry[code].next}`);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorRegistry[this.code].status;
  }

  /** The envelope every surface sends: `{ error: { code, message, details? } }`. */
  toEnvelope(): { error: { code: ErrorCode; message: string; details?: ErrorDetails } } {
    const { code, message, details } = this;
    return { error: details === undefined ? { code, message } : { code, message, details } };
  }
}

/** Throws the error with this code. */
export function fail(code: ErrorCode, details?: ErrorDetails): never {
  throw new AppError(code, details);
}

/** Throws `invalid_argument` for one field: where it is and what its right form is. */
export function failArgument(path: string, expected: string): never {
  throw new AppError('invalid_argument', { path, expected });
}
