import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { CommandError } from '#cli/command/command-error.ts';

/** What `npm start` writes into `endpoints.json`, as far as the commands use it. */
const endpoints = z.object({ platform: z.url(), control: z.url(), aws: z.object({ dynamodb: z.url() }) });

export type LaptopEndpoints = { readonly platform: string; readonly control: string; readonly aws: string };

/** @throws {CommandError} if nothing runs with this directory */
export function readEndpoints(directory: string): LaptopEndpoints {
  const file = join(directory, 'endpoints.json');
  try {
    const { platform, control, aws } = endpoints.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { platform, control, aws: aws.dynamodb };
  } catch (cause) {
    throw new CommandError(
      `Drawbridge does not run on this machine: there is no ${file}.`,
      'npm start, or name a deployed environment with --env production.',
      { cause },
    );
  }
}
