import { nearestWord } from '#shared/nearest-word.ts';

/** What becomes of a natural person with a magic last name. Everything else of the person follows the settings. */
export type PersonOutcome = {
  /** The result of the checks. */
  readonly checks?: 'INVALID' | 'REJECTED' | 'REVIEW';
  /** The status with which the video call ends; null: the call never ends. */
  readonly videoCall?: 'FAILED' | null;
  /** The status that follows the first ACTIVE. */
  readonly afterActive?: 'SUSPENDED' | 'BLOCKED';
  /** How Create natural person is answered. */
  readonly create?: 'LATE' | 'COMMITTED_500';
  readonly means: string;
};

/** The statuses that an order with a magic externalId has after PENDING, or INVALID in its place. */
export type OrderOutcome = {
  readonly statuses: readonly ('INVALID' | 'REJECTED' | 'CANCELED' | 'FILLED' | 'CORRECTED' | 'SETTLED')[];
  readonly means: string;
};

/** The status that follows RECEIVED, or PENDING, of a transfer with a magic externalId. */
export type TransferOutcome = { readonly status: 'INVALID' | 'REJECTED' | 'PROCESSED'; readonly means: string };

/** Why an order or a transfer is INVALID that asks for it. */
export const magicValidationError = {
  errorType: 'VALIDATION_ERROR',
  description: 'The externalId asks for this outcome.',
} as const;

/** Seconds by the clock of the platform between the statuses of a magic value. */
export const magicStepSeconds = 1;

/** Seconds by the clock of the platform from ACTIVE to SUSPENDED or BLOCKED. */
export const magicSuspensionSeconds = 10;

/** Seconds of real time by which an answer is late. */
export const magicLatenessSeconds = 3;

/** By last name. */
export const magicPersons = {
  'Magic-Invalid': { checks: 'INVALID', means: 'the checks find the data INVALID' },
  'Magic-Rejected': { checks: 'REJECTED', means: 'the checks reject the person' },
  'Magic-Review': { checks: 'REVIEW', means: 'the checks end in REVIEW, which only the control API ends' },
  'Magic-Unidentified': { videoCall: 'FAILED', means: 'the video call ends with FAILED' },
  'Magic-Absent': { videoCall: null, means: 'the video call never ends' },
  'Magic-Suspended': {
    afterActive: 'SUSPENDED',
    means: `the person is SUSPENDED ${magicSuspensionSeconds} seconds after ACTIVE`,
  },
  'Magic-Blocked': {
    afterActive: 'BLOCKED',
    means: `the person is BLOCKED ${magicSuspensionSeconds} seconds after ACTIVE`,
  },
  'Magic-Slow': { create: 'LATE', means: `Create natural person answers after ${magicLatenessSeconds} seconds` },
  'Magic-Committed': {
    create: 'COMMITTED_500',
    means: 'Create natural person answers 500, and has created the person',
  },
} as const satisfies Readonly<Record<string, PersonOutcome>>;

/** By externalId, or by what the externalId begins with, before another hyphen. */
export const magicOrders = {
  'magic-invalid': { statuses: ['INVALID'], means: 'the order is INVALID' },
  'magic-rejected': { statuses: ['REJECTED'], means: 'the exchange rejects the order' },
  'magic-canceled': { statuses: ['CANCELED'], means: 'the system cancels the order' },
  'magic-filled': { statuses: ['FILLED'], means: 'the exchange fills the order, if the account covers it' },
  'magic-settled': { statuses: ['FILLED', 'SETTLED'], means: 'the order is filled, then SETTLED' },
  'magic-corrected': { statuses: ['FILLED', 'CORRECTED'], means: 'the order is filled, then CORRECTED' },
} as const satisfies Readonly<Record<string, OrderOutcome>>;

/** By externalId of a transfer OUT, as for orders. */
export const magicTransfers = {
  'magic-invalid': { status: 'INVALID', means: 'the transfer is INVALID' },
  'magic-rejected': { status: 'REJECTED', means: 'the transfer is REJECTED, regardless of the balance' },
  'magic-processed': { status: 'PROCESSED', means: 'the payment network completes the transfer' },
} as const satisfies Readonly<Record<string, TransferOutcome>>;

const persons: ReadonlyMap<string, PersonOutcome> = new Map(Object.entries(magicPersons));
const orders: ReadonlyMap<string, OrderOutcome> = new Map(Object.entries(magicOrders));
const transfers: ReadonlyMap<string, TransferOutcome> = new Map(Object.entries(magicTransfers));

/** How a magic name begins, in any notation. */
const looksMagic = /^magic[^a-z]/i;

/** A warning about a last name that looks magic and asks for no outcome; undefined for any other name. */
export function personWarning(lastName: string): string | undefined {
  return warning('lastName of a person', lastName, magicPersons);
}

/** A warning about the externalId of an order, as for persons. */
export function orderWarning(externalId: string | undefined): string | undefined {
  return warning('externalId of an order', magicWord(externalId), magicOrders);
}

/** A warning about the externalId of a transfer OUT, as for persons. */
export function transferWarning(externalId: string | undefined): string | undefined {
  return warning('externalId of a transfer', magicWord(externalId), magicTransfers);
}

function warning(field: string, value: string, outcomes: object): string | undefined {
  const known = Object.keys(outcomes);
  if (!looksMagic.test(value) || known.includes(value)) return undefined;
  const nearest = nearestWord(value, known);
  const hint = nearest === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${nearest}?`;
  return `The ${field} looks like a magic value, and asks for no outcome. ${hint}`;
}

/** The outcome of a person with this last name; undefined for any other name. */
export function personOutcomeOf(lastName: string): PersonOutcome | undefined {
  return persons.get(lastName);
}

export function orderOutcomeOf(externalId: string | undefined): OrderOutcome | undefined {
  return orders.get(magicWord(externalId));
}

export function transferOutcomeOf(externalId: string | undefined): TransferOutcome | undefined {
  return transfers.get(magicWord(externalId));
}

/** The first two words: a partner needs another externalId for each order. */
function magicWord(externalId = ''): string {
  return externalId.split('-', 2).join('-');
}
