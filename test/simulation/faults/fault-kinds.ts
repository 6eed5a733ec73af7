import { type IoFault, ioFaults } from './io-faults.ts';

/** Kinds of faults of the world around the functions, and the share of occasions at which each happens. */
export const environmentFaults = {
  // SQS and Lambda
  'message delivered twice': 0.05,
  'message delayed': 0.05,
  'visibility timeout runs out during work': 0.05,
  'deletion of a message lost': 0.05,
  'batch refused in part': 0.9,
  'message refused three times': 0.3,
  'function timeout in mid-batch': 0.03,
  'cold start': 0.2,
  'schedule starts twice': 0.1,
  'schedule starts late': 0.1,
  // Reads
  'stale read': 0.5,
  // The platform, and the way to it
  'stale socket after a thaw': 0.3,
  'repeated cursor': 0.5,
  'list changing between pages': 0.2,
  'cursor forgotten': 0.1,
  'undelivered record comes to light late': 0.35,
  'undelivered records of one second': 0.5,
  'gateway throttling': 0.1,
  'answer to a delivery lost': 0.1,
  'delivery duplicated': 1,
  'delivery delayed': 1,
  'delivery reordered': 1,
  // Of persons that the platform really has, so that what was lost can be asked for
  'webhook lost': 0.4,
  'webhook without a time': 0.5,
  'changed while it is read': 0.7,
  'delivery lost': 1,
  // Of a history as a whole
  'clock skew': 1,
  'endpoint down': 1,
  'token service down': 1,
  'revoked token': 1,
  'secret rotation in between': 1,
  'registration changed by somebody else': 1,
  'malformed record': 1,
  'AWS slow for a while': 1,
  'unknown enum word': 0.2,
  'unknown event type': 0.1,
  'malformed webhook': 0.1,
  'forged webhook': 0.3,
  'webhook written otherwise': 0.5,
  'failing for hours': 0.12,
  'undelivered record of another system': 0.15,
  'restart during an erasure': 0.5,
  'status without a time': 0.4,
  'statuses of one time': 0.4,
  'unknown enum word after another': 0.7,
  'final status left': 0.5,
  'webhook with a field twice': 0.1,
  'registration restored during a rotation': 0.3,
  'order with the externalId of a person': 0.5,
  'many reports about one entity': 0.3,
  'marks refused to the end': 0.15,
  'half a surrogate pair in a record': 1,
  'cursor too long': 0.1,
  'reports during an erasure': 0.5,
} as const;

/** Kinds that are not made, but come of others and of the interleaving: they are counted where they are seen. */
export const observedFaults = [
  'conditional write conflict',
  'partial batch failure',
  'reordered messages',
  'call failing for hours',
] as const;

export type IoFaultKind = keyof typeof ioFaults;
export type EnvironmentFaultKind = keyof typeof environmentFaults;
export type FaultKind = IoFaultKind | EnvironmentFaultKind | (typeof observedFaults)[number];

const namesOf = <Name extends string>(record: Readonly<Record<Name, unknown>>) => Object.keys(record) as Name[];

export const ioFaultKinds: readonly IoFaultKind[] = namesOf(ioFaults);

/** What can befall nothing but persons that the platform really has, and questions about them. */
export const personFaultKinds: readonly FaultKind[] = [
  'webhook lost',
  'webhook without a time',
  'changed while it is read',
  'refused cursor of persons',
  'lying 404 to a read',
];

/**
 * Kinds that came later are chosen by random numbers of their own: the histories of before stay as they were. Add a kind at
 * the end: in the middle it changes which of the kinds after it a seed has.
 */
export const addedFaultKinds: readonly FaultKind[] = [
  'undelivered record comes to light late',
  'late mark',
  'SQS refusing repairs',
  'message refused three times',
  'undelivered records of one second',
  'sleep after an intent',
  'webhook written otherwise',
  'failing for hours',
  'undelivered record of another system',
  'restart during an erasure',
  'status without a time',
  'statuses of one time',
  'unknown enum word after another',
  'final status left',
  'webhook with a field twice',
  'registration restored during a rotation',
  'order with the externalId of a person',
  'many reports about one entity',
  'marks refused to the end',
  'half a surrogate pair in a record',
  'cursor too long',
  'reports during an erasure',
];

/** Those that a history may be told to have, or not. */
export const chosenFaultKinds: readonly (IoFaultKind | EnvironmentFaultKind)[] = [
  ...ioFaultKinds,
  ...namesOf(environmentFaults),
];

export const faultKinds: readonly FaultKind[] = [...chosenFaultKinds, ...observedFaults];

export const ioFaultOf = (kind: IoFaultKind): IoFault => ioFaults[kind];
