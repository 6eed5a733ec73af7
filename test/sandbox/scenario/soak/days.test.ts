import { describe, expect, it } from 'vitest';
import type { Check } from '#sandbox/scenario/common/checks.ts';
import { checkConstant, checkDays, type Day } from '#sandbox/scenario/soak/days.ts';
import { growing } from '#sandbox/scenario/soak/meter.ts';

const usual: Day = {
  counts: {
    webhooks: 500,
    'events stored': 400,
    lost: 0,
    doubled: 0,
    stuck: 0,
    'onboardings completed': 9,
    'outage minutes': 240,
    rotations: 1,
    'token failures': 4,
    redeliveries: 60,
    erasures: 3,
  },
  rows: { events: 400 },
  requests: { dynamodb: 2_000, [growing]: 300 },
  memory: { store: 40 },
};

const withCounts = (counts: Partial<Day['counts']>): Day => ({ ...usual, counts: { ...usual.counts, ...counts } });
const daysUntil = (last: Day): readonly Day[] => [...Array.from({ length: 6 }, () => usual), last];
const failed = (checks: readonly Check[]) => checks.filter(({ holds }) => !holds).map(({ name }) => name);

describe('sandbox scenario: checkDays', () => {
  it('holds when each trouble happened on each day, and nothing is wrong', () => {
    expect(failed(checkDays(daysUntil(usual)))).toEqual([]);
  });

  it.each([
    [{ lost: 1 }, 'webhooks lost'],
    [{ doubled: 1 }, 'events doubled'],
    [{ stuck: 1 }, 'webhooks, messages and onboardings stuck at the end of a day'],
    [{ webhooks: 0 }, 'webhooks on each day, at least'],
    [{ 'onboardings completed': 0 }, 'onboardings completed on each day, at least'],
    [{ 'outage minutes': 0 }, 'outage minutes on each day, at least'],
    [{ rotations: 0 }, 'rotations on each day, at least'],
    [{ 'token failures': 0 }, 'token failures on each day, at least'],
    [{ redeliveries: 0 }, 'redeliveries on each day, at least'],
    [{ erasures: 0 }, 'erasures on each day, at least'],
  ])('fails when one of seven days has %o', (counts, name) => {
    expect(failed(checkDays(daysUntil(withCounts(counts))))).toEqual([name]);
  });
});

describe('sandbox scenario: checkConstant', () => {
  it.each<[string, Partial<Day>]>([
    ['costs the same', {}],
    ['costs nearly a tenth more', { rows: { events: 435 }, requests: { dynamodb: 2_190 }, memory: { store: 43 } }],
    [
      'has twice the webhooks, rows and requests',
      { ...withCounts({ webhooks: 1_000 }), rows: { events: 800 }, requests: { dynamodb: 4_000 } },
    ],
    ['keeps less memory', { memory: { store: 20 } }],
    ['has more requests of reconcile, which grow with the persons', { requests: { dynamodb: 2_000, [growing]: 900 } }],
  ])('holds when the last day %s', (_, last) => {
    expect(failed(checkConstant(daysUntil({ ...usual, ...last })))).toEqual([]);
  });

  it.each<[string, Partial<Day>, string]>([
    ['adds more rows per webhook', { rows: { events: 445 } }, 'rows of events per webhook'],
    ['adds fewer rows per webhook', { rows: { events: 355 } }, 'rows of events per webhook'],
    ['has more requests per webhook', { requests: { dynamodb: 2_210 } }, 'requests to dynamodb per webhook'],
    ['has fewer requests per webhook', { requests: { dynamodb: 1_790 } }, 'requests to dynamodb per webhook'],
    [
      'calls a service that the second did not call',
      { requests: { ...usual.requests, sqs: 1 } },
      'requests to sqs per webhook',
    ],
    ['keeps more memory', { memory: { store: 45 } }, 'memory kept by store, MiB'],
  ])('fails when the last day %s', (_, last, name) => {
    expect(failed(checkConstant(daysUntil({ ...usual, ...last })))).toEqual([name]);
  });

  it('compares with the second day: on the first one processes warm up', () => {
    const warmingUp = { ...usual, rows: { events: 900 }, memory: { store: 10 } };
    expect(failed(checkConstant([warmingUp, usual, usual]))).toEqual([]);
  });
});
