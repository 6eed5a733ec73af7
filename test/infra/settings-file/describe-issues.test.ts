import { describe, expect, it } from 'vitest';
import { describeIssues } from '#infra/settings-file/describe-issues.ts';

const unknown = (path: readonly string[], ...keys: readonly string[]) =>
  describeIssues([{ path, keys, code: 'unrecognized_keys', message: 'Unrecognized key' }]);

describe('describeIssues', () => {
  it('names the nearest setting to an unknown one', () => {
    expect(unknown([], 'eventRetentionDay')).toEqual([
      'eventRetentionDay: unknown setting. Did you mean eventRetentionDays?',
    ]);
  });

  it.each([
    [[], 'plattform', 'platform'],
    [['reconciliation'], 'everyHour', 'reconciliation.everyHours'],
    [['platformProfile'], 'pagesize', 'platformProfile.pageSize'],
  ])('names the nearest setting below %s', (path, key, nearest) => {
    expect(unknown(path, key)).toEqual([expect.stringContaining(`Did you mean ${nearest}?`)]);
  });

  it.each(['x', 'base', ''])('lists the known settings when none is near "%s"', (key) => {
    expect(unknown(['platform'], key)).toEqual([`platform.${key}: unknown setting. Known: baseUrl, authUrl.`]);
  });

  it('has a line for each unknown setting', () => {
    expect(unknown([], 'one', 'two')).toHaveLength(2);
  });
});
