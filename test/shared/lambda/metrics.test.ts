import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  callCountMeanings,
  countMeanings,
  durationMeanings,
  measureMeanings,
  metricsNamespace,
  versionCountMeanings,
} from '#shared/lambda/metrics.ts';
import { version } from '#shared/version.ts';
import { captureLines } from './written-lines.ts';

const now = () => new Date('2026-01-02T03:04:05.678Z');

describe('the log of metrics', () => {
  it('is one line in the embedded metric format of CloudWatch: sums, last measures, and every duration', () => {
    const { metrics, text } = captureLines(now);
    metrics.count('UndeliveredFound', 20);
    metrics.count('UndeliveredFound');
    metrics.count('UndeliveredMarked', 0);
    metrics.measure('TokenSecondsLeft', 7);
    metrics.measure('TokenSecondsLeft', 1800.5);
    metrics.time('PlatformCallDuration', 12);
    metrics.time('PlatformCallDuration', 340);
    expect(text()).toBe('');
    metrics.flush();
    expect(text().endsWith('}\n')).toBe(true);
    expect(JSON.parse(text())).toEqual({
      _aws: {
        Timestamp: now().getTime(),
        CloudWatchMetrics: [
          {
            Namespace: metricsNamespace,
            Dimensions: [['Environment']],
            Metrics: [
              { Name: 'UndeliveredFound', Unit: 'Count' },
              { Name: 'UndeliveredMarked', Unit: 'Count' },
              { Name: 'TokenSecondsLeft', Unit: 'Seconds' },
              { Name: 'PlatformCallDuration', Unit: 'Milliseconds' },
            ],
          },
        ],
      },
      Environment: 'trial',
      version,
      UndeliveredFound: 21,
      UndeliveredMarked: 0,
      TokenSecondsLeft: 1800.5,
      PlatformCallDuration: [12, 340],
    });
  });

  it('has lines of at most 100 durations, the limit of CloudWatch', () => {
    const { metrics, objects } = captureLines();
    for (let call = 0; call < 250; call += 1) metrics.time('PlatformCallDuration', call);
    metrics.flush();
    const values = objects().map((line) => z.array(z.number()).parse(line['PlatformCallDuration']));
    expect(values.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(values.flat()).toEqual(Array.from({ length: 250 }, (_, call) => call));
  });

  it('has one value of a measure that changes in a run, even if the run writes a full line of durations', () => {
    const { metrics, objects } = captureLines();
    metrics.measure('UndeliveredUnstored', 300);
    for (let call = 0; call < 100; call += 1) metrics.time('PlatformCallDuration', call);
    metrics.measure('UndeliveredUnstored', 0);
    metrics.flush();
    const values = objects().map((line) => line['UndeliveredUnstored']);
    expect(values.filter((value) => value !== undefined)).toEqual([0]);
  });

  it('counts the calls of each operation in a line of its own, with a sum over all operations', () => {
    const { metrics, objects } = captureLines();
    metrics.countCall('PlatformCallsFailed', 'Get transfer');
    metrics.countCall('PlatformCallsFailed', 'List webhooks');
    metrics.countCall('PlatformCallsFailed', 'Get transfer');
    metrics.flush();
    metrics.flush();
    expect(objects().map((line) => [line['Operation'], line['PlatformCallsFailed']])).toEqual([
      ['Get transfer', 2],
      ['List webhooks', 1],
    ]);
    expect(objects()[0]).toMatchObject({
      Environment: 'trial',
      _aws: { CloudWatchMetrics: [{ Dimensions: [['Environment'], ['Environment', 'Operation']] }] },
    });
  });

  it('is written once, and not where nothing was counted', () => {
    const { metrics, objects } = captureLines();
    metrics.flush();
    expect(objects()).toEqual([]);
    metrics.count('EventsStored');
    metrics.measure('TokenSecondsLeft', 0);
    metrics.flush();
    metrics.flush();
    metrics.count('EventsQuarantined');
    metrics.flush();
    expect(objects()).toMatchObject([{ EventsStored: 1, TokenSecondsLeft: 0 }, { EventsQuarantined: 1 }]);
    for (const name of ['EventsStored', 'TokenSecondsLeft']) expect(objects()[1]).not.toHaveProperty(name);
  });
});

describe('each metric of the reference', () => {
  const root = join(import.meta.dirname, '../../..');
  const sources = globSync('{functions,shared}/**/*.ts', { cwd: root, exclude: ['shared/lambda/metrics.ts'] });
  // The name of an event can be that of a metric: what creates an event counts nothing.
  const code = sources
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
    .replaceAll(/busEventOf\('\w+'/g, '');
  const counts = { ...countMeanings, ...callCountMeanings, ...versionCountMeanings };

  it.each(Object.keys({ ...counts, ...measureMeanings, ...durationMeanings }))(
    'is named by code that writes it: %s',
    (name) => {
      expect(code).toContain(`'${name}'`);
    },
  );
});
