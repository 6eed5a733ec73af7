import {
  type EnvironmentFaultKind,
  type FaultKind,
  ioFaultKinds,
  ioFaultOf,
} from '#test/simulation/faults/fault-kinds.ts';
import type { Faults, InjectedFault } from '#test/simulation/faults/faults.ts';
import type { Call, IoBehaviour } from '#test/simulation/faults/io-behaviour.ts';
import { type EnumeratedFault, writeFault } from './enumerated-fault.ts';
import { type FaultVariant, variantsOfEnvironment, variantsOfIo } from './fault-variants.ts';

/** A point in a history at which a fault can happen: an I/O, or a step of the environment. */
export type FaultPoint = {
  /** From 1, in the order of the history. */
  readonly number: number;
  /** The I/O; undefined for a step of the environment. */
  readonly call: Call | undefined;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly variants: readonly FaultVariant[];
};

export type EnumeratedFaults = Faults & {
  /** The fault points so far. */
  readonly faultPoints: () => readonly FaultPoint[];
  /** The planned faults that have happened so far. */
  readonly happened: () => readonly EnumeratedFault[];
  /** In milliseconds since 1970: the time of the last effect of the faults so far. */
  readonly lastEffectAt: () => number;
};

export type EnumeratedFaultsDeps = {
  /** In milliseconds since 1970. */
  readonly now: () => number;
  /** Receives each fault for the trace. */
  readonly trace: (who: string, what: string) => void;
};

const usual: IoBehaviour = {};

/** Injects the planned faults and no others, and numbers all fault points. */
export function createEnumeratedFaults(
  planned: readonly EnumeratedFault[],
  { now, trace }: EnumeratedFaultsDeps,
): EnumeratedFaults {
  const faultPoints: FaultPoint[] = [];
  const happened: EnumeratedFault[] = [];
  const counts = new Map<FaultKind, number>();
  const draws = new Map<FaultKind, number>();
  const kinds = [...new Set(planned.map(({ variant }) => variant.kind))];
  let lastEffectAt = 0;

  function observe(kind: FaultKind): void {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }

  /** Numbers the next fault point, and returns the fault that is planned there. */
  function reachPoint(call: Call | undefined, variants: readonly FaultVariant[]): FaultVariant | undefined {
    const number = faultPoints.length + 1;
    faultPoints.push({ number, call, at: now(), variants });
    const fault = planned.find(({ at, variant }) => at === number && variants.includes(variant));
    if (fault === undefined) return undefined;
    happened.push(fault);
    observe(fault.variant.kind);
    draws.set(fault.variant.kind, fault.variant.draw);
    lastEffectAt = Math.max(lastEffectAt, now());
    trace('FAULT', writeFault(fault));
    return fault.variant;
  }

  function happens(kind: EnvironmentFaultKind): boolean {
    const variants = variantsOfEnvironment(kind);
    return variants.length > 0 && reachPoint(undefined, variants) !== undefined;
  }

  function behaviourOf(call: Call): IoBehaviour {
    const variant = reachPoint(call, variantsOfIo(call));
    const kind = ioFaultKinds.find((one) => one === variant?.kind);
    if (variant === undefined || kind === undefined) return usual;
    const behaviour = ioFaultOf(kind).behaviour(() => variant.draw);
    lastEffectAt = Math.max(lastEffectAt, now() + (behaviour.delay ?? 0) + (behaviour.late ?? 0));
    return behaviour;
  }

  return {
    kinds,
    happens,
    behaviourOf,
    draw: (kind) => draws.get(kind) ?? 0,
    isEnabled: (kind) => kinds.some((one) => one === kind),
    observe,
    end: () => undefined,
    areOver: () => happened.length === planned.length,
    counts: () => counts,
    injectedFaults: () => happened.map(({ at, variant }): InjectedFault => `${variant.kind}#${at}`),
    faultPoints: () => faultPoints,
    happened: () => happened,
    lastEffectAt: () => lastEffectAt,
  };
}
