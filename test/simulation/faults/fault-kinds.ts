import { type IoFault, ioFaults } from './io-faults.ts';

/** Kinds of faults of the environment of the functions, and the share of fault points at which each happens. */
export const environmentFaults = {
  // SQS and Lambda
  'message delivered twice': 0.05,
  'message delayed': 0.05,
  'visibility timeout expires during work': 0.05,
  'message deletion lost': 0.05,
  'batch partially refused': 0.9,
  'message refused three times': 0.3,
  'function timeout during a batch': 0.03,
  'cold start': 0.2,
  'schedule starts twice': 0.1,
  'schedule starts late': 0.1,
  // Reads
  'stale read': 0.5,
  // The platform, and the network
  'stale socket after a thaw': 0.3,
  'repeated cursor': 0.5,
  'list changing between pages': 0.2,
  'cursor expired': 0.1,
  'undelivered record listed late': 0.35,
  'undelivered records with equal times': 0.5,
  'gateway throttling': 0.1,
  'response to a delivery lost': 0.1,
  'delivery duplicated': 1,
  'delivery delayed': 1,
  'delivery reordered': 1,
  // For persons that the platform stores, so that reconciliation can query lost reports
  'webhook lost': 0.4,
  'webhook without a timestamp': 0.5,
  'entity changed during a read': 0.7,
  'delivery lost': 1,
  // For a whole history
  'clock skew': 1,
  'endpoint down': 1,
  'token service down': 1,
  'revoked token': 1,
  'secret rotation': 1,
  'registration changed by another system': 1,
  'malformed record': 1,
  'AWS slow for minutes': 1,
  'unknown enum value': 0.2,
  'unknown event type': 0.1,
  'malformed webhook': 0.1,
  'forged webhook': 0.3,
  'webhook with reordered fields': 0.5,
  'failure for hours': 0.12,
  'undelivered record of another system': 0.15,
  'restart during an erasure': 0.5,
  'status without a timestamp': 0.4,
  'statuses with equal times': 0.4,
  'several unknown enum values': 0.7,
  'final status left': 0.5,
  'webhook with a duplicate field': 0.1,
  'registration restored during a rotation': 0.3,
  'order with the externalId of a person': 0.5,
  'many reports about one entity': 0.3,
  'marks always refused': 0.15,
  'lone surrogate in a record': 1,
  'cursor too long': 0.1,
  'reports during an erasure': 0.5,
  'token rolled back': 0.5,
  'AWS service down for hours': 0.1,
  // In calls for several records
  'key left unprocessed': 0.3,
  'batch of events partially rejected': 0.3,
} as const;

/** Kinds that are not injected. Other faults and the interleaving cause them, and the simulation counts them. */
export const observedFaults = [
  'conditional write conflict',
  'partial batch failure',
  'reordered messages',
  'call during a failure for hours',
] as const;

export type IoFaultKind = keyof typeof ioFaults;
export type EnvironmentFaultKind = keyof typeof environmentFaults;
export type FaultKind = IoFaultKind | EnvironmentFaultKind | (typeof observedFaults)[number];

const namesOf = <Name extends string>(record: Readonly<Record<Name, unknown>>) => Object.keys(record) as Name[];

export const ioFaultKinds: readonly IoFaultKind[] = namesOf(ioFaults);

/** Kinds that only happen to persons that the platform stores, and to queries about them. */
export const personFaultKinds: readonly FaultKind[] = [
  'webhook lost',
  'webhook without a timestamp',
  'entity changed during a read',
  'rejected cursor of persons',
  'false 404 to a read',
];

/**
 * Kinds that were added later. A random stream of their own chooses them, so that earlier histories stay the same. Add a
 * kind at the end: in the middle, a new kind changes the choice of all kinds after it.
 */
export const addedFaultKinds: readonly FaultKind[] = [
  'undelivered record listed late',
  'late mark',
  'SQS refuses repairs',
  'message refused three times',
  'undelivered records with equal times',
  'process pause after a save',
  'webhook with reordered fields',
  'failure for hours',
  'undelivered record of another system',
  'restart during an erasure',
  'status without a timestamp',
  'statuses with equal times',
  'several unknown enum values',
  'final status left',
  'webhook with a duplicate field',
  'registration restored during a rotation',
  'order with the externalId of a person',
  'many reports about one entity',
  'marks always refused',
  'lone surrogate in a record',
  'cursor too long',
  'reports during an erasure',
  'key left unprocessed',
  'batch of events partially rejected',
  'token rolled back',
  'AWS service down for hours',
];

/** The kinds that the options of a history can choose. */
export const chosenFaultKinds: readonly (IoFaultKind | EnvironmentFaultKind)[] = [
  ...ioFaultKinds,
  ...namesOf(environmentFaults),
];

export const faultKinds: readonly FaultKind[] = [...chosenFaultKinds, ...observedFaults];

export const ioFaultOf = (kind: IoFaultKind): IoFault => ioFaults[kind];
