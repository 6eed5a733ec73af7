import { assumptions } from '#cli/cost/assumptions.ts';
import { readBacksADay, silentADay } from '#cli/cost/read-backs.ts';

/** Entities that a run of 0.2.0 read at most. */
const scannedInRun = 5_000_000;

/** In seconds: a run, and the part of it for what is due while the lists are read. */
const runSeconds = 840;
const dueSeconds = 420;

/** Persons in a page of the platform's list. */
const pageSize = 20;

export type ReconcileYearProps = {
  readonly webhooksPerSecond: number;
  readonly reconciliation: {
    readonly everyHours: number;
    readonly callsPerSecond: number;
    readonly listEveryHours: number;
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
  /** Entities that become due, and how many calls for them the runs of this day could make. */
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
  const { everyHours, callsPerSecond, listEveryHours, readBackAfterHours } = reconciliation;
  const { webhooksPerEntity, entitiesPerPerson, silentHours } = assumptions;
  const newADay = (webhooksPerSecond * 86_400) / webhooksPerEntity.value;
  const personsPerSecond = personsByPage(callsPerSecond);
  const shown: ReconcileDay[] = [];
  let waiting = 0;
  let calls: readonly number[] = [];
  let list = { beganOn: 0, left: 0 };
  for (let hour = everyHours; hour < (days.at(-1) ?? 0) * 24 + everyHours; hour += everyHours) {
    const day = days.find((one) => one * 24 <= hour && one * 24 > hour - everyHours);
    const entities = (newADay * hour) / 24;
    const persons = entities / entitiesPerPerson.value;
    if (list.left <= 0 && hour - list.beganOn >= listEveryHours) list = { beganOn: hour, left: persons };
    const callsInRun = callsPerSecond * (list.left > 0 ? dueSeconds : runSeconds);
    calls = [...calls, callsInRun].slice(-Math.ceil(24 / everyHours));
    const dueADay = readBacksADay({ newADay, persons, readBackAfterHours });
    waiting += (dueADay / 24) * everyHours;
    const asked = Math.min(waiting, callsInRun);
    waiting -= asked;
    const personsInRun = (runSeconds - Math.min(asked / callsPerSecond, dueSeconds)) * personsPerSecond;
    list = { ...list, left: list.left - personsInRun };
    if (day === undefined) continue;
    const callsADay = ((calls.reduce((sum, count) => sum + count, 0) / calls.length) * 24) / everyHours;
    shown.push({
      day,
      entities,
      walkHours: walkHoursBefore(persons, entities, (silentADay(newADay) * silentHours.value) / 24),
      dueADay,
      callsADay,
      dueMinutes: asked / callsPerSecond / 60,
      waitHours: everyHours + (waiting / callsADay) * 24,
      personsHours: Math.ceil(persons / personsInRun) * everyHours,
    });
  }
  return shown;

  /** A walk asked for each quiet entity when it came to it. */
  function walkHoursBefore(persons: number, entities: number, quiet: number): number {
    const seconds = persons / personsPerSecond + (entities / scannedInRun) * runSeconds + quiet / callsPerSecond;
    return Math.ceil(seconds / runSeconds) * everyHours;
  }
}

/** Persons a second, by pages of the platform's list, which are read one after the other. */
function personsByPage(callsPerSecond: number): number {
  return Math.min(callsPerSecond, 1_000 / assumptions.pageMs.value) * pageSize;
}

/**
 * A day on which each of a partner's persons gets a webhook without a time, so that each is to be read back: half of a run with a call for
 * each, and half by pages.
 *
 * @returns how many persons a run reads back, and how many runs and hours it takes until the last one is read back
 */
export function personsDay(
  persons: number,
  { everyHours, callsPerSecond }: Pick<ReconcileYearProps['reconciliation'], 'everyHours' | 'callsPerSecond'>,
): Readonly<Record<'inRun' | 'runs' | 'hours', number>> {
  const inRun = dueSeconds * (callsPerSecond + personsByPage(callsPerSecond));
  const runs = Math.ceil(persons / inRun);
  return { inRun, runs, hours: runs * everyHours };
}

/** The calls for what is due that the runs of a day have at least: every run reads the lists if there are many persons. */
export function callsBesideLists({ everyHours, callsPerSecond }: ReconcileYearProps['reconciliation']): number {
  return (dueSeconds * callsPerSecond * 24) / everyHours;
}
