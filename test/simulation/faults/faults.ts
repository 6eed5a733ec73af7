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
import { streamNameOf } from './stream-name.ts';

export type Faults = ReturnType<typeof createFaults>;

/** A fault that happened: its kind and the number of its fault point. */
export type InjectedFault = `${FaultKind}#${number}`;

export type FaultsOptions = {
  readonly seed: number;
  /** The kinds that can happen in the history. */
  readonly kinds: readonly FaultKind[];
  /** A factor for the rate of each kind. */
  readonly intensity: number;
  /** Faults that do not happen although they are drawn. */
  readonly suppressed: ReadonlySet<string>;
};

const usual: IoBehaviour = {};

/**
 * The faults of a history. Each kind has a random stream of its own. To suppress one fault does not move the others, as
 * long as the history stays the same.
 */
export function createFaults({ seed, kinds, intensity, suppressed }: FaultsOptions) {
  const enabled = new Set<FaultKind>(kinds);
  const possibleIoFaults = ioFaultKinds.filter((kind) => enabled.has(kind));
  const draws = new Map(
    chosenFaultKinds.map((kind) => [kind as FaultKind, createRandom(seedOf(seed, streamNameOf(kind)))]),
  );
  const faultPoints = new Map<FaultKind, number>();
  const counts = new Map<FaultKind, number>();
  const injectedFaults: InjectedFault[] = [];
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
    const injectedFault: InjectedFault = `${kind}#${faultPoint}`;
    if (suppressed.has(injectedFault)) return false;
    injectedFaults.push(injectedFault);
    count(kind);
    return true;
  }

  return {
    /** The kinds that can happen. */
    kinds,
    /** Whether the fault happens now. Called at each fault point. */
    happens: (kind: EnvironmentFaultKind): boolean =>
      isInjected(kind, environmentFaults[kind] === 1 ? 1 : Math.min(1, environmentFaults[kind] * intensity)),
    /** The behaviour of an I/O, with at most one fault. */
    behaviourOf: (call: Call): IoBehaviour => {
      const injected = possibleIoFaults.find((kind: IoFaultKind) => {
        const { matches, rate } = ioFaultOf(kind);
        return matches(call) && isInjected(kind, rate * intensity);
      });
      return injected === undefined ? usual : ioFaultOf(injected).behaviour(drawOf(injected));
    },
    /** From 0 to 1: a parameter of a fault of this kind, such as its delay. */
    draw: (kind: EnvironmentFaultKind): number => drawOf(kind)(),
    isEnabled: (kind: FaultKind): boolean => enabled.has(kind),
    /** Counts a kind that was observed. */
    observe: count,
    /** No fault happens after this call. */
    end: () => {
      areOver = true;
    },
    areOver: () => areOver,
    counts: (): ReadonlyMap<FaultKind, number> => counts,
    injectedFaults: (): readonly InjectedFault[] => injectedFaults,
  };
}
