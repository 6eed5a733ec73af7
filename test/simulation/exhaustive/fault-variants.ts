import {
  type EnvironmentFaultKind,
  type IoFaultKind,
  ioFaultKinds,
  ioFaultOf,
} from '#test/simulation/faults/fault-kinds.ts';
import type { Call } from '#test/simulation/faults/io-behaviour.ts';

/** One way in which an occasion can go wrong: a kind of fault, and what is drawn for it elsewhere. */
export type FaultVariant = {
  readonly kind: IoFaultKind | EnvironmentFaultKind;
  /** From 0 to 1: how it is, where that varies. */
  readonly draw: number;
  /** False of a variation, which is tried by itself, and not in pairs. */
  readonly isMain: boolean;
  /** As it is written in a command line. */
  readonly name: string;
};

/** Where a kind varies: what is drawn for it, one after the other, the main one first. Only one unless given. */
const draws: Partial<Record<IoFaultKind | EnvironmentFaultKind, readonly number[]>> = {
  // Answered once the function has given up, or while it still waits.
  'slow I/O': [0.8, 0.2],
  // Done after it was tried again, or before.
  'late request': [0.9, 0.05],
  'late platform request': [0.9, 0.05],
  'late create': [0.9, 0.05],
  // No answer, or a wrong one.
  'answer to a create lost': [0.1, 0.9],
  // After the first I/O of a batch, or before.
  'function timeout in mid-batch': [0.2, 0.02],
  // One run after the other, or two at a time.
  'schedule starts twice': [0.5, 0.0005],
  'message delivered twice': [0.1, 0.001],
  // Ahead, or behind.
  'clock skew': [1, 0],
};

/** Kinds of faults of the world that have their occasion in the course of a history, and do not make the whole of it. Of all others `notEnumerated` says why. */
const environmentKinds = [
  'message delivered twice',
  'message delayed',
  'visibility timeout runs out during work',
  'deletion of a message lost',
  'batch refused in part',
  'function timeout in mid-batch',
  'cold start',
  'schedule starts twice',
  'schedule starts late',
  'stale read',
  'stale socket after a thaw',
  'repeated cursor',
  'list changing between pages',
  'cursor forgotten',
  'cursor too long',
  'gateway throttling',
  'answer to a delivery lost',
  'webhook lost',
  'webhook without a time',
  'changed while it is read',
  'clock skew',
] as const satisfies readonly EnvironmentFaultKind[];

const isPlanned = 'It is a deed that a workload plans: a small history has the deeds that it has.';

/** Why the others are not: each kind is either here or above, or this does not compile. */
export const notEnumerated: Readonly<Record<Exclude<EnvironmentFaultKind, (typeof environmentKinds)[number]>, string>> =
  {
    'delivery duplicated':
      'The platform draws it. A change is told twice, and "answer to a delivery lost" tells each again.',
    'delivery delayed': 'The platform draws it. "message delayed" has each come late.',
    'delivery reordered': 'The platform draws it. "message delayed" has each come after the next.',
    'delivery lost': 'The platform draws it. "webhook lost" has each get lost.',
    'undelivered record comes to light late':
      'It takes longer than a small history lasts. What comes to light between two pages is "list changing between pages".',
    'message refused three times':
      '"batch refused in part" has a message refused once, and "SQS refusing" the whole batch.',
    'undelivered records of one second': 'It is what the list of a whole history is like.',
    'endpoint down': 'It is a deed of every history of events.',
    'AWS slow for a while': 'It is slow for each I/O by itself: "slow I/O".',
    'token service down': isPlanned,
    'revoked token': isPlanned,
    'secret rotation in between': isPlanned,
    'registration changed by somebody else': isPlanned,
    'malformed record': isPlanned,
    'unknown enum word': isPlanned,
    'unknown event type': isPlanned,
    'malformed webhook': isPlanned,
    'forged webhook': isPlanned,
    'webhook written otherwise': isPlanned,
    'failing for hours': 'It lasts longer than a small history.',
    'undelivered record of another system': isPlanned,
    'restart during an erasure': 'The situation "cancellation" has a request during an erasure.',
    'reports during an erasure': 'The situation "erasure" has reports before and after.',
    'status without a time': isPlanned,
    'statuses of one time': isPlanned,
    'unknown enum word after another': isPlanned,
    'final status left': isPlanned,
    'webhook with a field twice': isPlanned,
    'registration restored during a rotation': isPlanned,
    'order with the externalId of a person': isPlanned,
    'many reports about one entity': isPlanned,
    'half a surrogate pair in a record': isPlanned,
    'marks refused to the end': 'It lasts longer than a small history.',
  };

const variantsOfKind = new Map<IoFaultKind | EnvironmentFaultKind, readonly FaultVariant[]>(
  [...ioFaultKinds, ...environmentKinds].map((kind) => [kind, describe(kind)]),
);

const byName = new Map([...variantsOfKind.values()].flat().map((variant) => [variant.name, variant]));

function describe(kind: IoFaultKind | EnvironmentFaultKind): readonly FaultVariant[] {
  const some = draws[kind] ?? [0.5];
  const name = kind
    .toLowerCase()
    .replaceAll('/', '')
    .replaceAll(/[^a-z0-9]+/g, '-');
  return some.map((draw, index) => ({ kind, draw, isMain: index === 0, name: index === 0 ? name : `${name}@${draw}` }));
}

const variantsOfCall = new Map<string, readonly FaultVariant[]>();

/** All ways in which an I/O can go wrong. */
export function variantsOfIo(call: Call): readonly FaultVariant[] {
  const key = `${call.caller} ${call.service} ${call.operation}`;
  const known = variantsOfCall.get(key);
  if (known !== undefined) return known;
  const variants = ioFaultKinds
    .filter((kind) => ioFaultOf(kind).matches(call))
    .flatMap((kind) => variantsOfKind.get(kind) ?? []);
  variantsOfCall.set(key, variants);
  return variants;
}

/** All ways of a fault of the world; none of a kind that is of a history as a whole. */
export function variantsOfEnvironment(kind: EnvironmentFaultKind): readonly FaultVariant[] {
  return variantsOfKind.get(kind) ?? [];
}

export function variantNamed(name: string): FaultVariant | undefined {
  return byName.get(name);
}
