import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { metricsNamespace } from '#shared/lambda/metrics.ts';
import { version } from '#shared/version.ts';
import { captureLines } from './written-lines.ts';

const now = () => new Date('2026-01-02T03:04:05.678Z');

describe('metrics are written in the embedded metric format of CloudWatch', () => {
  it('one line with all that was counted', () => {
    const { metrics, text } = captureLines(now);
    metrics.count('EventsStored');
    metrics.count('DuplicateDeliveries');
    metrics.count('EventsStored');
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
              { Name: 'EventsStored', Unit: 'Count' },
              { Name: 'DuplicateDeliveries', Unit: 'Count' },
            ],
          },
        ],
      },
      Environment: 'trial',
      version,
      EventsStored: 2,
      DuplicateDeliveries: 1,
    });
  });

  it('every metric that is declared stands at the root of the line as a number', () => {
    const { metrics, objects } = captureLines();
    const names = [
      'EventsStored',
      'DuplicateDeliveries',
      'EventsQuarantined',
      'TokensRefreshed',
      'TokenRefreshesFailed',
    ] as const;
    for (const name of names) metrics.count(name);
    metrics.flush();
    expect(objects()).toEqual([expect.objectContaining(Object.fromEntries(names.map((name) => [name, 1])))]);
  });
});

describe('what is counted', () => {
  it('is one, unless more are given; none are written, too', () => {
    const { metrics, objects } = captureLines();
    metrics.count('UndeliveredFound', 20);
    metrics.count('UndeliveredFound');
    metrics.count('UndeliveredMarked', 0);
    metrics.flush();
    expect(objects()).toEqual([expect.objectContaining({ UndeliveredFound: 21, UndeliveredMarked: 0 })]);
  });
});

describe('what is measured', () => {
  it('stands in the same line, in its own unit, as it was last', () => {
    const { metrics, objects } = captureLines();
    metrics.measure('TokenSecondsLeft', 7);
    metrics.count('TokensRefreshed');
    metrics.measure('TokenSecondsLeft', 1800.5);
    metrics.flush();
    expect(objects()).toEqual([
      expect.objectContaining({
        TokensRefreshed: 1,
        TokenSecondsLeft: 1800.5,
        _aws: expect.objectContaining({
          CloudWatchMetrics: [
            expect.objectContaining({
              Metrics: [
                { Name: 'TokensRefreshed', Unit: 'Count' },
                { Name: 'TokenSecondsLeft', Unit: 'Seconds' },
              ],
            }),
          ],
        }),
      }),
    ]);
  });

  it('is written once, and nothing of it before', () => {
    const { metrics, objects } = captureLines();
    metrics.measure('TokenSecondsLeft', 0);
    expect(objects()).toEqual([]);
    metrics.flush();
    metrics.flush();
    expect(objects()).toHaveLength(1);
    expect(objects()[0]).toMatchObject({ TokenSecondsLeft: 0 });
  });
});

describe('what is timed', () => {
  it('stands in the line with every value, in milliseconds', () => {
    const { metrics, objects } = captureLines();
    metrics.time('PlatformCallDuration', 12);
    metrics.time('PlatformCallDuration', 340);
    metrics.flush();
    metrics.flush();
    expect(objects()).toEqual([
      expect.objectContaining({
        PlatformCallDuration: [12, 340],
        _aws: expect.objectContaining({
          CloudWatchMetrics: [
            expect.objectContaining({ Metrics: [{ Name: 'PlatformCallDuration', Unit: 'Milliseconds' }] }),
          ],
        }),
      }),
    ]);
  });

  it('is written in lines of at most 100 values, the limit of CloudWatch', () => {
    const { metrics, objects } = captureLines();
    for (let call = 0; call < 250; call += 1) metrics.time('PlatformCallDuration', call);
    metrics.flush();
    const values = objects().map((line) => z.array(z.number()).parse(line['PlatformCallDuration']));
    expect(values.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(values.flat()).toEqual(Array.from({ length: 250 }, (_, call) => call));
  });
});

describe('flush writes what was counted since the last time', () => {
  it('nothing where nothing was counted', () => {
    const { metrics, text } = captureLines();
    metrics.flush();
    expect(text()).toBe('');
  });

  it('writes no figure twice', () => {
    const { metrics, objects } = captureLines();
    metrics.count('EventsStored');
    metrics.flush();
    metrics.flush();
    metrics.count('EventsQuarantined');
    metrics.flush();
    expect(objects()).toHaveLength(2);
    expect(objects()[1]).toMatchObject({ EventsQuarantined: 1 });
    expect(objects()[1]).not.toHaveProperty('EventsStored');
  });

  it('nothing before it is called', () => {
    const { metrics, text } = captureLines();
    metrics.count('EventsStored');
    expect(text()).toBe('');
  });
});
