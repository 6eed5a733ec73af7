import { assumptions } from './assumptions.ts';

export type ReadBacksProps = {
  /** Entities that a day adds. */
  readonly newADay: number;
  readonly persons: number;
  /** The setting. */
  readonly readBackAfterHours: number;
};

/**
 * The calls for single entities that are due in a day: for each silent one as often as its hours allow, and for each person whose status a
 * webhook leaves open.
 */
export function readBacksADay({ newADay, persons, readBackAfterHours }: ReadBacksProps): number {
  const callsOfOne = Math.floor(assumptions.silentHours.value / readBackAfterHours);
  return silentADay(newADay) * callsOfOne + persons * assumptions.markedShare.value;
}

/** Of the entities that a day adds: those that are silent for longer than usual. No operation of the platform reads an order. */
export function silentADay(newADay: number): number {
  const { transferShare, verificationShare, silentShare } = assumptions;
  return newADay * (transferShare.value + verificationShare.value) * silentShare.value;
}
