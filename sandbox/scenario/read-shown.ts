import { setTimeout as wait } from 'node:timers/promises';
import type * as z from 'zod';
import { sideBySide } from '#shared/side-by-side.ts';
import { type PlatformRecord, type Shown, shownEntity, shownTimeline } from './entity-audit.ts';

/** Reads under way at once. */
const concurrency = 8;

/** In milliseconds: when to ask again where more is asked than the stage lets through. */
const afterThrottle = 200;

/** The read side answered with something else than an entity, or that there is none. */
export class ReadSideError extends Error {
  override readonly name = 'ReadSideError';
}

/**
 * Reads the entity of each record from the read side, and its timeline, as a partner's system does.
 *
 * @param apiOrigin of the HTTP API
 * @throws {ReadSideError} when it is answered with another status than 200, 404 or 429
 */
export function readShown(apiOrigin: string, records: readonly PlatformRecord[]): Promise<readonly Shown[]> {
  return sideBySide(records, concurrency, async (record) => {
    const path = `${apiOrigin}/entities/${record.kind}/${record.id}`;
    const entity = await read(path, shownEntity);
    const timeline = await read(`${path}/timeline`, shownTimeline);
    return { record, entity, timeline: timeline?.events ?? [] };
  });
}

async function read<Schema extends z.ZodType>(url: string, schema: Schema): Promise<z.output<Schema> | undefined> {
  let response = await fetch(url);
  while (response.status === 429) {
    await wait(afterThrottle);
    response = await fetch(url);
  }
  if (response.status === 404) return undefined;
  if (response.status === 200) return schema.parse(await response.json());
  throw new ReadSideError(`${url} was answered with ${response.status}: the log of the functions says why.`);
}
