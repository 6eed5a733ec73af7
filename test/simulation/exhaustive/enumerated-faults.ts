import type { Call, Course } from '#test/simulation/faults/course.ts';
import { type FaultKind, ioFaultKinds, ioFaultOf, type WorldFaultKind } from '#test/simulation/faults/fault-kinds.ts';
import type { Faults, Occurrence } from '#test/simulation/faults/faults.ts';
import { type EnumeratedFault, writeFault } from './enumerated-fault.ts';
import { type Way, waysOfIo, waysOfWorld } from './ways.ts';

/** A place in a history at which something can go wrong: an I/O, or a step of the world. */
export type Occasion = {
  /** From 1, in the order in which they come. */
  readonly number: number;
  /** The function whose I/O it is; undefined of a step of the world. */
  readonly caller: string | undefined;
  readonly ways: readonly Way[];
};

export type EnumeratedFaults = Faults & {
  /** Those that there were so far. */
  readonly occasions: () => readonly Occasion[];
  /** The planned faults that happened so far. */
  readonly happened: () => readonly EnumeratedFault[];
  /** In milliseconds since 1970: when the last of them happened, or will have its last effect. */
  readonly lastEffectAt: () => number;
};

export type EnumeratedFaultsDeps = {
  /** In milliseconds since 1970. */
  readonly now: () => number;
  /** For the story. */
  readonly tell: (who: string, what: string) => void;
};

const usual: Course = {};

/** Lets go wrong what is planned, and nothing else; numbers all that could have. */
export function createEnumeratedFaults(
  planned: readonly EnumeratedFault[],
  { now, tell }: EnumeratedFaultsDeps,
): EnumeratedFaults {
  const occasions: Occasion[] = [];
  const happened: EnumeratedFault[] = [];
  const counts = new Map<FaultKind, number>();
  const draws = new Map<FaultKind, number>();
  const kinds = [...new Set(planned.map(({ way }) => way.kind))];
  let lastEffectAt = 0;

  function observe(kind: FaultKind): void {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }

  /** What goes wrong at the next occasion. */
  function meet(caller: string | undefined, ways: readonly Way[]): Way | undefined {
    const number = occasions.length + 1;
    occasions.push({ number, caller, ways });
    const fault = planned.find(({ at, way }) => at === number && ways.includes(way));
    if (fault === undefined) return undefined;
    happened.push(fault);
    observe(fault.way.kind);
    draws.set(fault.way.kind, fault.way.draw);
    lastEffectAt = Math.max(lastEffectAt, now());
    tell('FAULT', writeFault(fault));
    return fault.way;
  }

  function happens(kind: WorldFaultKind): boolean {
    const ways = waysOfWorld(kind);
    return ways.length > 0 && meet(undefined, ways) !== undefined;
  }

  function befall(call: Call): Course {
    const way = meet(call.caller, waysOfIo(call));
    const kind = ioFaultKinds.find((one) => one === way?.kind);
    if (way === undefined || kind === undefined) return usual;
    const course = ioFaultOf(kind).course(() => way.draw);
    lastEffectAt = Math.max(lastEffectAt, now() + (course.delay ?? 0) + (course.late ?? 0));
    return course;
  }

  return {
    kinds,
    happens,
    befall,
    draw: (kind) => draws.get(kind) ?? 0,
    isEnabled: (kind) => kinds.some((one) => one === kind),
    observe,
    end: () => undefined,
    areOver: () => happened.length === planned.length,
    counts: () => counts,
    occurrences: () => happened.map(({ at, way }): Occurrence => `${way.kind}#${at}`),
    occasions: () => occasions,
    happened: () => happened,
    lastEffectAt: () => lastEffectAt,
  };
}
