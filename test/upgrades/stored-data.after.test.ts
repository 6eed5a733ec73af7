import { describe, expect, it } from 'vitest';
import { readRecordedData } from './recorded-data.ts';
import { readReleaseData, readToday } from './release-data.ts';

const recorded = readRecordedData().map((datum) => ({ ...datum, stored: JSON.parse(datum.stored) }));

/** Without what 0.2.0 requires, and the functions of today store for it only. */
function withoutFormer(what: object): object {
  return JSON.parse(JSON.stringify(what, (name, value) => (name === 'isEarlyUsed' ? undefined : value)));
}

describe.each(readReleaseData())('a rollback to release $version', ({ data, read }) => {
  const known = new Set(data.map(({ kind }) => kind));

  it.each(recorded.filter(({ kind }) => known.has(kind)))(
    'reads what the functions of today stored: $shape',
    async (datum) => {
      expect(await readToday(datum)).toMatchObject(withoutFormer(await read(datum)));
    },
  );
});
