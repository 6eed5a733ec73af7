import { describe, expect, it } from 'vitest';
import { readRecordedData } from './recorded-data.ts';
import { readReleaseData, readToday } from './release-data.ts';

const recorded = readRecordedData().map((datum) => ({ ...datum, stored: JSON.parse(datum.stored) }));
const rollbacks = readReleaseData().map(({ version, data, read }) => ({ version, data, read }));

describe.each(rollbacks)('a rollback to release $version', ({ data, read }) => {
  const known = new Set(data.map(({ kind }) => kind));

  it.each(recorded.filter(({ kind }) => known.has(kind)))(
    'reads what the functions of today stored: $shape',
    async (datum) => {
      expect(await readToday(datum)).toMatchObject(await read(datum));
    },
  );
});
