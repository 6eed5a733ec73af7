import { assumptions } from '#cli/cost/assumptions.ts';
import { readBacksADay, silentADay } from '#cli/cost/read-backs.ts';

/** Entities that a run of 0.2.0 read at most. */
const scannedInRun = 5_000_000;

/** In seconds: a run, and the part of it for what is due. */
const runSeconds = 840;
const dueSeconds = 420;

/** Persons in a page of the platform's list. */
const pageSize = 20;

export type ReconcileYearProps = {
  readonly webhooksPerSecond: number;
  readonly reconciliation: {
    readonly everyHours: number;
    readonly callsPerSecond: number;
    readonly readBackAfterHours: number;
    readonly staleAfterHours: number;
  };
  /** The days to show, ascending. */
  readonly days: readonly number[];
};

/** A day of the year. Hours are those until a walk has ended, or until something that is due was asked for. */
export type ReconcileDay = {
  readonly day: number;
  readonly entities: number;
  /** Release 0.2.0: a walk over all persons and all entities. */
  readonly walkHours: number;
  /** Entities that become due, and how many calls for them the runs of a day may make. */
  readonly dueADay: number;
  readonly callsADay: number;
  /** Of a run, for what is due. */
  readonly dueMinutes: number;
  /** How long something that is due waits for its call. */
  readonly waitHours: number;
  /** The list of persons, in the time that the runs have left. */
  readonly personsHours: number;
};

/** Plays a year hour by hour: what becomes due, what a run asks for, and what is left for the next run. */
export function reconcileYear({
  webhooksPerSecond,
  reconciliation,
  days,
}: ReconcileYearProps): readonly ReconcileDay[] {
  const { everyHours, callsPerSecond, readBackAfterHours } = reconciliation;
  const { webhooksPerEntity, entitiesPerPerson, silentHours } = assumptions;
  const newADay = (webhooksPerSecond * 86_400) / webhooksPerEntity.value;
  const callsInRun = dueSeconds * callsPerSecond;
  const pagesPerSecond = Math.min(callsPerSecond, 1_000 / assumptions.pageMs.value);
  const shown: ReconcileDay[] = [];
  let waiting = 0;
  for (let hour = everyHours; hour <= (days.at(-1) ?? 0) * 24; hour += everyHours) {
    const day = hour / 24;
    const entities = newADay * day;
    const persons = entities / entitiesPerPerson.value;
    const dueADay = readBacksADay({ newADay, persons, readBackAfterHours });
    waiting += (dueADay / 24) * everyHours;
    const asked = Math.min(waiting, callsInRun);
    waiting -= asked;
    if (!days.includes(day)) continue;
    const personsPerRun = (runSeconds - asked / callsPerSecond) * pagesPerSecond * pageSize;
    shown.push({
      day,
      entities,
      walkHours: walkHoursBefore(persons, entities, (silentADay(newADay) * silentHours.value) / 24),
      dueADay,
      callsADay: (callsInRun * 24) / everyHours,
      dueMinutes: asked / callsPerSecond / 60,
      waitHours: everyHours + (waiting / callsInRun) * everyHours,
      personsHours: Math.ceil(persons / personsPerRun) * everyHours,
    });
  }
  return shown;

  /** A walk asked for each quiet entity when it came to it. */
  function walkHoursBefore(persons: number, entities: number, quiet: number): number {
    const seconds =
      persons / (pagesPerSecond * pageSize) + (entities / scannedInRun) * runSeconds + quiet / callsPerSecond;
    return Math.ceil(seconds / runSeconds) * everyHours;
  }
}
