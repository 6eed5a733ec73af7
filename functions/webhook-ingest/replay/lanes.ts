import * as z from 'zod/mini';
import { lanePosition } from '#shared/events/listing-conditions.ts';

/** Of each lane of a list, how far it has been walked. */
export const lanes = z.array(z.union([z.enum(['begin', 'end']), lanePosition]));

export type Lanes = z.infer<typeof lanes>;

export function beginLanes(length: number): Lanes {
  return Array.from({ length }, () => 'begin' as const);
}

export function isWalked(walked: Lanes): boolean {
  return walked.every((lane) => lane === 'end');
}
