import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { PlatformHttpError } from '#shared/platform/client/http-error.ts';
import type { Page } from '#shared/platform/client/page.ts';
import { type NaturalPersonState, readNaturalPersonStates } from '#shared/platform/resources/list-natural-persons.ts';

/** The platform does not take a cursor of its list of persons: of another day, or of a list that has changed. */
export class PersonsCursorError extends DrawbridgeError {
  override readonly name = 'PersonsCursorError';
}

/** Answers that stay the same however often it is asked. */
const refusals: ReadonlySet<number> = new Set([400, 404, 409, 410, 422]);

/** @throws {PersonsCursorError} where the cursor is at fault; {PlatformError} where the platform is */
export async function readPersonsPage(
  client: PlatformClient,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<NaturalPersonState>> {
  try {
    return await readNaturalPersonStates(client, { cursor, signal });
  } catch (cause) {
    const isRefused = cause instanceof PlatformHttpError && refusals.has(cause.status);
    if (cursor === undefined || !isRefused) throw cause;
    throw new PersonsCursorError('The platform refused the cursor of a page: the list is read again from its start.', {
      cause,
    });
  }
}
