import { describe, expect, it } from 'vitest';
import { checkConstant, checkDays, type Day } from '#sandbox/scenario/soak/days.ts';

const counts: Day['counts'] = {
  webhooks: 100,
  'events stored': 90,
  lost: 0,
  doubled: 0,
  stuck: 0,
  'onboardings completed': 5,
  'outage minutes': 240,
  rotations: 1,
  'token failures': 3,
  redeliveries: 10,
  erasures: 1,
};
const day: Day = {
  counts,
  rows: { events: 90 },
  requests: { dynamodb: 400 },
  memory: { store: 100, 'emulators and platform': 60 },
};
const failing = (checks: readonly { readonly name: string; readonly holds: boolean }[]) =>
  checks.filter(({ holds }) => !holds).map(({ name }) => name);

describe('sandbox scenario: checkConstant', () => {
  it('holds when the last day costs as much per webhook as the second, whatever the first cost', () => {
    const first = { ...day, requests: { dynamodb: 4_000 }, memory: { store: 10, 'emulators and platform': 10 } };
    const busier = { ...day, counts: { ...counts, webhooks: 200 }, rows: { events: 180 }, requests: { dynamodb: 800 } };
    const checks = checkConstant([first, day, busier]);
    expect(checks).toHaveLength(4);
    expect(failing(checks)).toEqual([]);
  });

  it.each([
    ['rows of events per webhook', { rows: { events: 100 } }],
    ['requests to dynamodb per webhook', { requests: { dynamodb: 441 } }],
    ['requests to dynamodb per webhook', { requests: { dynamodb: 359 } }],
    ['requests to sqs per webhook', { requests: { dynamodb: 400, sqs: 1 } }],
    ['memory of store, MiB', { memory: { ...day.memory, store: 111 } }],
    ['memory of emulators and platform, MiB', { memory: { ...day.memory, 'emulators and platform': 67 } }],
  ])('fails for %s when the last day exceeds its bounds: %j', (name, last) => {
    expect(failing(checkConstant([day, day, { ...day, ...last }]))).toEqual([name]);
  });
});

describe('sandbox scenario: checkDays', () => {
  it('holds when nothing is lost, doubled or stuck and each kind of trouble happened on each day', () => {
    expect(failing(checkDays([day, day]))).toEqual([]);
  });

  it.each([
    ['webhooks lost', { lost: 1 }],
    ['events doubled', { doubled: 1 }],
    ['webhooks, messages and onboardings stuck at the end of a day', { stuck: 1 }],
    ['rotations on each day, at least', { rotations: 0 }],
    ['erasures on each day, at least', { erasures: 0 }],
  ])('fails for %s when one day has %j', (name, wrong) => {
    expect(failing(checkDays([day, { ...day, counts: { ...counts, ...wrong } }, day]))).toEqual([name]);
  });
});
