import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readReleaseData, readToday } from './release-data.ts';
import { storedReaders } from './stored-readers.ts';

const releases = readReleaseData();
const stored = releases.flatMap(({ version, data }) => data.map((datum) => ({ version, ...datum })));

const ofALaterRelease = 'a field of a later release';

/** Adds a field to the JSON of an object, or to that of each object of a list. */
function extendedJson(text: string): string {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return text;
  return JSON.stringify(Array.isArray(value) ? value : { ...value, ofALaterRelease });
}

const attributes = z.record(z.string(), z.record(z.string(), z.unknown()));
const bytes = z.object({ base64: z.string() });
const deflatedJson = ['data', 'latest'];

/** As a later release could have stored it: with one field more beside its own. */
function extended(value: unknown): unknown {
  if (typeof value === 'string') return extendedJson(value);
  const item = Object.entries(attributes.parse(value)).map(([name, attribute]) => {
    const { S, B } = attribute;
    if (typeof S === 'string' && S.startsWith('{')) return [name, { S: extendedJson(S) }];
    if (!deflatedJson.includes(name)) return [name, attribute];
    const inflated = inflateRawSync(Buffer.from(bytes.parse(B).base64, 'base64')).toString();
    return [name, { B: { base64: deflateRawSync(extendedJson(inflated)).toString('base64') } }];
  });
  return { ...Object.fromEntries(item), ofALaterRelease: { S: ofALaterRelease } };
}

describe('what each release stored', () => {
  it('is there for every table, queue and secret that functions read', () => {
    expect(releases.map(({ version }) => version)).toContain('0.2.0');
    for (const { data } of releases.slice(-1))
      expect(new Set(data.map(({ kind }) => kind))).toEqual(new Set(Object.keys(storedReaders)));
  });

  it.each(stored)('is read as release $version reads it: $shape', async ({ read, ...datum }) => {
    const today = await readToday(datum);
    // The time in a message of the onboarding queue has no meaning any more.
    if (datum.kind === 'queue onboarding') expect(read).toMatchObject(today);
    else expect(today).toEqual(read);
  });

  it.each(stored)(
    'is read with a field more, as after a rollback from a later release to $version: $shape',
    async ({ version, read, ...datum }) => {
      const later = { kind: datum.kind, stored: extended(datum.stored) };
      expect(JSON.stringify(later.stored)).toContain('ofALaterRelease');
      const release = releases.find((one) => one.version === version);
      expect(await release?.read(later)).toEqual(read);
    },
  );
});
