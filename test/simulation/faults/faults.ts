import { createRandom } from '#sandbox/platform/core/random.ts';
import {
  chosenFaultKinds,
  type EnvironmentFaultKind,
  environmentFaults,
  type FaultKind,
  type IoFaultKind,
  ioFaultKinds,
  ioFaultOf,
} from './fault-kinds.ts';
import type { Call, IoBehaviour } from './io-behaviour.ts';
import { seedOf } from './seed.ts';

export type Faults = ReturnType<typeof createFaults>;

/** A fault that happened, by its kind and the number of the occasion. */
export type Occurrence = `${FaultKind}#${number}`;

export type FaultsOptions = {
  readonly seed: number;
  /** The kinds that a history may have. */
  readonly kinds: readonly FaultKind[];
  /** Multiplies how often each happens. */
  readonly intensity: number;
  /** What is left out, although it would happen. */
  readonly suppressed: ReadonlySet<string>;
};

const usual: IoBehaviour = {};

/**
 * What goes wrong in a history. Each kind has random numbers of its own, so that leaving out one fault does not change
 * where the others happen, as long as the history stays as it was.
 */
export function createFaults({ seed, kinds, intensity, suppressed }: FaultsOptions) {
  const enabled = new Set<FaultKind>(kinds);
  const possibleIoFaults = ioFaultKinds.filter((kind) => enabled.has(kind));
  const draws = new Map(chosenFaultKinds.map((kind) => [kind as FaultKind, createRandom(seedOf(seed, kind))]));
  const faultPoints = new Map<FaultKind, number>();
  const counts = new Map<FaultKind, number>();
  const occurrences: Occurrence[] = [];
  let areOver = false;

  function count(kind: FaultKind): void {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }

  const drawOf = (kind: FaultKind) => draws.get(kind) ?? (() => 1);

  function isInjected(kind: FaultKind, rate: number): boolean {
    if (areOver || !enabled.has(kind)) return false;
    const faultPoint = (faultPoints.get(kind) ?? 0) + 1;
    faultPoints.set(kind, faultPoint);
    if (drawOf(kind)() >= rate) return false;
    const occurrence: Occurrence = `${kind}#${faultPoint}`;
    if (suppressed.has(occurrence)) return false;
    occurrences.push(occurrence);
    count(kind);
    return true;
  }

  return {
    /** The kinds that may happen. */
    kinds,
    /** Whether this happens now: asked at each occasion. */
    happens: (kind: EnvironmentFaultKind): boolean =>
      isInjected(kind, environmentFaults[kind] === 1 ? 1 : Math.min(1, environmentFaults[kind] * intensity)),
    /** How an I/O goes. */
    behaviourOf: (call: Call): IoBehaviour => {
      const injected = possibleIoFaults.find((kind: IoFaultKind) => {
        const { matches, rate } = ioFaultOf(kind);
        return matches(call) && isInjected(kind, rate * intensity);
      });
      return injected === undefined ? usual : ioFaultOf(injected).behaviour(drawOf(injected));
    },
    /** From 0 to 1: how a fault of this kind is. */
    draw: (kind: EnvironmentFaultKind): number => drawOf(kind)(),
    isEnabled: (kind: FaultKind): boolean => enabled.has(kind),
    /** Something of this kind was seen. */
    observe: count,
    /** From now on nothing goes wrong. */
    end: () => {
      areOver = true;
    },
    areOver: () => areOver,
    counts: (): ReadonlyMap<FaultKind, number> => counts,
    occurrences: (): readonly Occurrence[] => occurrences,
  };
}
