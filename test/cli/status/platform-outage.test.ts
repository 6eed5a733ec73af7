import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudWatchClient, type GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { describe, expect, it } from 'vitest';
import { apiErrorOf } from '#cli/deployment/api-client.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { checkOutage } from '#cli/doctor/checks.ts';
import { type CallMinute, calledOperations, findOutage } from '#cli/status/platform-outage.ts';
import { root } from '#docs/generate/markdown-pages.ts';

const start = Date.parse('2026-01-02T03:00:00Z');
const minute = (at: number, calls: number, failed: number): CallMinute => ({ at: start + at * 60_000, calls, failed });

const noAnswer = () => Promise.reject(new Error('The platform does not answer.'));

const apiIsAway = new Error('The API does not answer.');

/**
 * What `doctor` finds so many minutes later in a deployment whose API fails, and of which CloudWatch knows these minutes.
 * A page of its answer has 1,000 of them.
 */
async function doctorAt(
  at: number,
  minutes: readonly CallMinute[],
  { plan = noAnswer, apiError = apiIsAway }: { readonly plan?: () => Promise<unknown>; readonly apiError?: Error } = {},
) {
  const now = new Date(start + at * 60_000);
  const seriesOf = (Id: 'calls' | 'failed', all: readonly CallMinute[]) => {
    const found = all.filter((each) => each[Id] > 0);
    return { Id, Timestamps: found.map((each) => new Date(each.at)), Values: found.map((each) => each[Id]) };
  };
  const send = async ({ input: { StartTime, NextToken } }: GetMetricDataCommand) => {
    const found = minutes.filter((each) => each.at >= (StartTime?.getTime() ?? 0)).toReversed();
    const begin = Number(NextToken ?? 0);
    const page = found.slice(begin, begin + 1_000);
    return {
      MetricDataResults: [seriesOf('calls', page), seriesOf('failed', page)],
      NextToken: begin + page.length < found.length ? String(begin + page.length) : undefined,
    };
  };
  const cloudWatch = Object.assign(new CloudWatchClient(), { send });
  const api = { send: () => Promise.reject(apiError) };
  const deployment = { environment: 'production', clients: { cloudWatch }, api };
  return (await checkOutage(deployment as unknown as Deployment, { now, plan }))[0];
}

describe('an outage of the platform', () => {
  it('begins with the first minute after the last good one, and counts the calls since then', () => {
    const minutes = [minute(0, 4, 0), minute(1, 4, 4), minute(2, 4, 1), minute(3, 4, 4), minute(4, 6, 5)];
    expect(findOutage(minutes)).toEqual({ since: '2026-01-02T03:03:00.000Z', calls: 10, failed: 9 });
  });

  it('does not exist in a single bad minute, after a good minute, and without calls', () => {
    expect(findOutage([minute(0, 4, 0), minute(1, 4, 4)])).toBeUndefined();
    expect(findOutage([minute(0, 4, 4), minute(1, 4, 4), minute(2, 1, 0)])).toBeUndefined();
    expect(findOutage([])).toBeUndefined();
  });

  it('lasts while no call goes out, such as after the token has expired', async () => {
    const found = await doctorAt(90, [minute(0, 4, 0), minute(1, 4, 4), minute(2, 4, 4)]);
    expect(found).toMatchObject({
      result: 'problem',
      detail: expect.stringContaining('since 2026-01-02T03:01Z (89 min)'),
    });
    // Nothing is claimed about the webhooks that the API could not list.
    expect(found?.detail).toContain('the events could not be read');
  });

  it('names the setting that the time of the last webhook needs, where the API keeps no list of events', async () => {
    const minutes = [minute(0, 4, 0), minute(1, 4, 4), minute(2, 4, 4)];
    const detailAfter = async (apiError: Error) => (await doctorAt(3, minutes, { apiError }))?.detail;
    const notKept = 'The time of the last webhook needs the setting listEvents.';
    expect(await detailAfter(apiErrorOf(409, { type: 'urn:drawbridge:problem:list-not-kept' }, '/events'))).toContain(
      notKept,
    );
    expect(await detailAfter(apiErrorOf(403, {}, '/events'))).not.toContain(notKept);
  });

  it('has an age of more than 24 hours where it began before all that is read', async () => {
    const minutes = Array.from({ length: 3_000 }, (_, at) => minute(at, 4, 4));
    expect(await doctorAt(3_000, minutes)).toMatchObject({
      result: 'problem',
      detail: expect.stringMatching(/^Every call to the platform fails for more than 24 hours\. /),
    });
    expect((await doctorAt(1_439, minutes))?.detail).toContain('since 2026-01-02T03:00Z (23 h)');
  });

  it('is excluded by the call of Register where nothing is measured, as right after the start', async () => {
    const skipped = { skipped: 'There is no platform token yet.' };
    expect(await doctorAt(0, [], { plan: async () => ({ plan: [] }) })).toMatchObject({ result: 'good' });
    expect(await doctorAt(0, [], { plan: async () => skipped })).toMatchObject({ result: 'unknown' });
  });

  it('is not known where the last call was good and more than ten minutes ago, and Register gets no answer', async () => {
    expect(await doctorAt(10, [minute(0, 4, 0)])).toMatchObject({ result: 'good' });
    expect(await doctorAt(11, [minute(0, 4, 0)])).toMatchObject({ result: 'unknown' });
    expect(await doctorAt(11, [])).toMatchObject({ result: 'unknown' });
  });

  it('shows as many calls as failures where the failures are counted before the calls', () => {
    expect(findOutage([minute(0, 0, 2), minute(1, 1, 3)])).toMatchObject({ calls: 5, failed: 5 });
  });

  it('can name every operation of the client, apart from those that no function calls', () => {
    const sources = globSync('shared/platform/resources/*.ts', { cwd: root }).map((path) =>
      readFileSync(join(root, path), 'utf8'),
    );
    const named = sources.flatMap((text) =>
      [...text.matchAll(/\b(?:operation(?: =|:)|get\w+ =|list\w+ =) '([A-Z][^']+)'/g)].map(([, name = '']) => name),
    );
    const uncalled = ['Cancel order', 'Get trade invoice', 'Get webhook', 'List assets'];
    expect([...new Set(named)].toSorted()).toEqual([...calledOperations, ...uncalled].toSorted());
  });
});
