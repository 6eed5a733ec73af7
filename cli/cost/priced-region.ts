import * as z from 'zod';
import { CommandError } from '#cli/command/command-error.ts';
import { type Region, regions } from './price-list.ts';

/** @throws {CommandError} for a region of which no prices are known */
export function pricedRegion(given = 'eu-central-1'): Region {
  const known = z.enum(regions).safeParse(given);
  if (known.success) return known.data;
  throw new CommandError(
    `The prices of ${given} are not known.`,
    `name a region whose prices are near: ${regions.join(', ')}.`,
  );
}
