import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { describe, expect, it } from 'vitest';
import { CommandError } from '#cli/command/command-error.ts';
import { readQueries, runQuery } from '#cli/logs/run-query.ts';

/** CloudWatch Logs with these answers, one a call. */
function logsThatAnswer(answers: readonly object[]) {
  const asked: unknown[] = [];
  const send: unknown = async ({ input }: { readonly input: unknown }) => {
    asked.push(input);
    return answers[asked.length - 1];
  };
  return { asked, logs: { send: send as CloudWatchLogsClient['send'] } };
}

const time = { now: () => new Date('2026-01-02T03:04:05.678Z'), wait: async () => undefined };
const query = {
  name: 'one-event',
  text: 'filter eventId = "EVENT_ID" or requestId = "REQUEST_ID"',
  logGroups: ['group'],
  names: ['EVENT_ID', 'REQUEST_ID'],
};
const options = {
  from: '2026-01-02T00:00:00Z',
  to: new Date('2026-01-02T03:04:05Z'),
  limit: 5,
  set: { EVENT_ID: 'e-1' },
};

describe('cli logs: readQueries', () => {
  it('reads every page, drops the environment from the names, and finds what is to be replaced', async () => {
    const { logs, asked } = logsThatAnswer([
      {
        queryDefinitions: [
          { name: 'drawbridge-production/one-event', queryString: query.text, logGroupNames: ['group'] },
        ],
        nextToken: 'next',
      },
      { queryDefinitions: [{ name: 'drawbridge-production/errors', queryString: 'filter level = "ERROR"' }] },
    ]);
    expect(await readQueries(logs, 'production')).toEqual([
      { name: 'errors', text: 'filter level = "ERROR"', logGroups: [], names: [] },
      query,
    ]);
    expect(asked).toMatchObject([{ queryDefinitionNamePrefix: 'drawbridge-production/' }, { nextToken: 'next' }]);
  });
});

describe('cli logs: runQuery', () => {
  it('replaces the names, waits for the result, and drops the pointers of the rows', async () => {
    const { logs, asked } = logsThatAnswer([
      { queryId: 'q' },
      { status: 'Running' },
      {
        status: 'Complete',
        results: [
          [
            { field: 'message', value: 'a' },
            { field: '@ptr', value: 'p' },
          ],
        ],
      },
    ]);
    expect(await runQuery(query, options, { ...time, logs })).toEqual([{ message: 'a' }]);
    expect(asked[0]).toMatchObject({
      queryString: 'filter eventId = "e-1" or requestId = "REQUEST_ID"',
      logGroupNames: ['group'],
      limit: 5,
    });
  });

  it('says what to set, and that a query failed', async () => {
    const { logs } = logsThatAnswer([{ queryId: 'q' }, { status: 'Failed' }]);
    await expect(runQuery(query, { ...options, set: {} }, { ...time, logs })).rejects.toThrow('--set EVENT_ID=');
    await expect(runQuery(query, options, { ...time, logs })).rejects.toThrow(CommandError);
  });
});
