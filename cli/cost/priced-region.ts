import * as z from 'zod';
import { CommandError } from '#cli/command/command-error.ts';
import { type Region, regions } from './price-list.ts';

/** The region of the prices if neither an option nor a setting names a region. */
export const usualRegion: Region = 'eu-central-1';

/** @throws {CommandError} for a region of which no prices are known */
export function pricedRegion(given: string): Region {
  const known = z.enum(regions).safeParse(given);
  if (known.success) return known.data;
  throw new CommandError(
    `The prices of ${given} are not known.`,
    `choose a region with similar prices, on the command line with --region: ${regions.join(', ')}.`,
  );
}
