import { setTimeout as wait } from 'node:timers/promises';
import type * as z from 'zod';
import { SandboxError } from '#sandbox/errors.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { type EntityReading, entityView, type PlatformRecord, timelineView } from './entity-audit.ts';

const readConcurrency = 8;

/** The delay before a throttled request is repeated. */
const retryDelayMs = 200;

/**
 * Reads the entity of each record, and its timeline, from the query API, as a partner's system does.
 *
 * @param apiOrigin the origin of the HTTP API
 * @throws {SandboxError} API_FAILED for a status other than 200, 404 and 429
 */
export function readEntities(apiOrigin: string, records: readonly PlatformRecord[]): Promise<readonly EntityReading[]> {
  return mapConcurrent(records, readConcurrency, async (record) => {
    const path = `${apiOrigin}/entities/${record.kind}/${record.id}`;
    const entity = await read(path, entityView);
    const timeline = await read(`${path}/timeline`, timelineView);
    return { record, entity, timeline: timeline?.events ?? [] };
  });
}

async function read<Schema extends z.ZodType>(url: string, schema: Schema): Promise<z.output<Schema> | undefined> {
  let response = await fetch(url);
  while (response.status === 429) {
    await wait(retryDelayMs);
    response = await fetch(url);
  }
  if (response.status === 404) return undefined;
  if (response.status === 200) return schema.parse(await response.json());
  throw new SandboxError('API_FAILED', `${url} was answered with ${response.status}. Read the log of the functions.`);
}
