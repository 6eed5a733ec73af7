import {
  type EnvironmentFaultKind,
  type FaultKind,
  ioFaultKinds,
  ioFaultOf,
} from '#test/simulation/faults/fault-kinds.ts';
import type { Faults, Occurrence } from '#test/simulation/faults/faults.ts';
import type { Call, IoBehaviour } from '#test/simulation/faults/io-behaviour.ts';
import { type EnumeratedFault, writeFault } from './enumerated-fault.ts';
import { type FaultVariant, variantsOfEnvironment, variantsOfIo } from './fault-variants.ts';

/** A place in a history at which something can go wrong: an I/O, or a step of the world. */
export type FaultPoint = {
  /** From 1, in the order in which they come. */
  readonly number: number;
  /** The function whose I/O it is; undefined of a step of the world. */
  readonly caller: string | undefined;
  readonly variants: readonly FaultVariant[];
};

export type EnumeratedFaults = Faults & {
  /** Those that there were so far. */
  readonly faultPoints: () => readonly FaultPoint[];
  /** The planned faults that happened so far. */
  readonly happened: () => readonly EnumeratedFault[];
  /** In milliseconds since 1970: when the last of them happened, or will have its last effect. */
  readonly lastEffectAt: () => number;
};

export type EnumeratedFaultsDeps = {
  /** In milliseconds since 1970. */
  readonly now: () => number;
  /** For the story. */
  readonly trace: (who: string, what: string) => void;
};

const usual: IoBehaviour = {};

/** Lets go wrong what is planned, and nothing else; numbers all that could have. */
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

  /** What goes wrong at the next occasion. */
  function reachPoint(caller: string | undefined, variants: readonly FaultVariant[]): FaultVariant | undefined {
    const number = faultPoints.length + 1;
    faultPoints.push({ number, caller, variants });
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
    const variant = reachPoint(call.caller, variantsOfIo(call));
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
    occurrences: () => happened.map(({ at, variant }): Occurrence => `${variant.kind}#${at}`),
    faultPoints: () => faultPoints,
    happened: () => happened,
    lastEffectAt: () => lastEffectAt,
  };
}
