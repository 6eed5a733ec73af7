import {
  type EnvironmentFaultKind,
  type IoFaultKind,
  ioFaultKinds,
  ioFaultOf,
} from '#test/simulation/faults/fault-kinds.ts';
import type { Call } from '#test/simulation/faults/io-behaviour.ts';

/** A kind of fault with a fixed value in place of a random draw. */
export type FaultVariant = {
  readonly kind: IoFaultKind | EnvironmentFaultKind;
  /** From 0 to 1: the parameter of the fault, such as its delay. */
  readonly draw: number;
  /** Whether the variant is also used in pairs of faults. Other variants are only run separately. */
  readonly isMain: boolean;
  /** The name on the command line. */
  readonly name: string;
};

/** The draws of kinds with several variants, the main one first. Other kinds have one variant. */
const draws: Partial<Record<IoFaultKind | EnvironmentFaultKind, readonly number[]>> = {
  // Answered after the function has timed out, or while the function still waits.
  'slow I/O': [0.8, 0.2],
  // Performed after the retry, or before.
  'late request': [0.9, 0.05],
  'late platform request': [0.9, 0.05],
  'late create': [0.9, 0.05],
  // No response, or a wrong one.
  'response to a create lost': [0.1, 0.9],
  // After the first I/O of a batch, or before.
  'function timeout during a batch': [0.2, 0.02],
  // One run after the other, or two concurrent runs.
  'schedule starts twice': [0.5, 0.0005],
  'message delivered twice': [0.1, 0.001],
  // A clock that is ahead, or behind.
  'clock skew': [1, 0],
};

/** These differ from 'lost request' in the name of the error, which the product does not ask for, and in its time. Pairs take the latter. */
const runAlone: ReadonlySet<string> = new Set<IoFaultKind>(['throttling', 'SQS refuses a send', 'SQS refuses repairs']);

/** Kinds of the environment with fault points during a history. `notEnumerated` has the reason for each other kind. */
const environmentKinds = [
  'message delivered twice',
  'message delayed',
  'visibility timeout expires during work',
  'message deletion lost',
  'batch partially refused',
  'function timeout during a batch',
  'cold start',
  'schedule starts twice',
  'schedule starts late',
  'stale read',
  'stale socket after a thaw',
  'repeated cursor',
  'list changing between pages',
  'cursor expired',
  'cursor too long',
  'gateway throttling',
  'response to a delivery lost',
  'webhook lost',
  'webhook without a timestamp',
  'entity changed during a read',
  'clock skew',
  'key left unprocessed',
  'batch of events partially rejected',
] as const satisfies readonly EnvironmentFaultKind[];

const isPlanned = 'A workload plans the action, and a small history has fixed actions.';

/** The reason why a kind is not enumerated. The compiler requires each kind either here or above. */
export const notEnumerated: Readonly<Record<Exclude<EnvironmentFaultKind, (typeof environmentKinds)[number]>, string>> =
  {
    'delivery duplicated':
      'The platform draws the fault. A change is sent twice, and "response to a delivery lost" repeats each delivery.',
    'delivery delayed': 'The platform draws the fault. "message delayed" delays each message.',
    'delivery reordered': 'The platform draws the fault. "message delayed" moves each message after the next.',
    'delivery lost': 'The platform draws the fault. "webhook lost" loses each webhook.',
    'undelivered record listed late':
      'The delay exceeds a small history. "list changing between pages" adds a record between two pages.',
    'message refused three times':
      '"batch partially refused" refuses a message once, and "SQS refuses a send" refuses the whole batch.',
    'undelivered records with equal times': 'The kind applies to the list of a whole history.',
    'endpoint down': 'Every history of events has this action.',
    'AWS slow for minutes': '"slow I/O" delays each I/O separately.',
    'token service down': isPlanned,
    'revoked token': isPlanned,
    'secret rotation': isPlanned,
    'registration changed by another system': isPlanned,
    'malformed record': isPlanned,
    'unknown enum value': isPlanned,
    'unknown event type': isPlanned,
    'malformed webhook': isPlanned,
    'forged webhook': isPlanned,
    'webhook with reordered fields': isPlanned,
    'failure for hours': 'The failure lasts longer than a small history.',
    'undelivered record of another system': isPlanned,
    'restart during an erasure': 'The situation "cancellation" has a request during an erasure.',
    'reports during an erasure': 'The situation "erasure" has reports before and after.',
    'status without a timestamp': isPlanned,
    'statuses with equal times': isPlanned,
    'several unknown enum values': isPlanned,
    'final status left': isPlanned,
    'webhook with a duplicate field': isPlanned,
    'registration restored during a rotation': isPlanned,
    'order with the externalId of a person': isPlanned,
    'many reports about one entity': isPlanned,
    'lone surrogate in a record': isPlanned,
    'token rolled back': isPlanned,
    'marks always refused': 'The failure lasts longer than a small history.',
    'AWS service down for hours': 'The failure lasts longer than a small history.',
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
  return some.map((draw, index) => ({
    kind,
    draw,
    isMain: index === 0 && !runAlone.has(kind),
    name: index === 0 ? name : `${name}@${draw}`,
  }));
}

const variantsOfCall = new Map<string, readonly FaultVariant[]>();

/** All variants of faults of an I/O. */
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

/** The variants of a kind of the environment; none for a kind that is not enumerated. */
export function variantsOfEnvironment(kind: EnvironmentFaultKind): readonly FaultVariant[] {
  return variantsOfKind.get(kind) ?? [];
}

export function variantNamed(name: string): FaultVariant | undefined {
  return byName.get(name);
}
