import { describe, expect, it } from 'vitest';
import { createNotifications, scenarioEventTypes, unknownEventType } from '#sandbox/scenario/common/notifications.ts';

const options = { seed: 7, events: 300, duplicates: 60 };
const notifications = createNotifications(options);

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe('sandbox scenario: createNotifications', () => {
  it('creates the same notifications for the same seed', () => {
    expect(createNotifications(options)).toEqual(notifications);
  });

  it('creates other notifications for another seed', () => {
    expect(createNotifications({ ...options, seed: 8 })).not.toEqual(notifications);
  });

  it('creates one notification per event and one more per requested duplicate', () => {
    expect(notifications).toHaveLength(360);
    expect(new Set(notifications.map(({ event }) => event)).size).toBe(300);
  });

  it('returns the notifications in random order', () => {
    const order = notifications.map(({ event }) => event);
    expect(order).not.toEqual(order.toSorted((one, other) => one - other));
  });

  it('covers every event type of the scenario, including one that is not in the specification', () => {
    const types = new Set(notifications.map(({ eventType }) => eventType));
    expect([...types].toSorted()).toEqual([...scenarioEventTypes].toSorted());
    expect(types).toContain(unknownEventType);
  });

  it('creates a malformed body now and then', () => {
    const broken = notifications.filter(({ body }) => json(body) === undefined);
    expect(new Set(broken.map(({ event }) => event))).toEqual(new Set([99, 199, 299]));
  });
});

describe('sandbox scenario: createNotifications, two events', () => {
  it('never gives two events equal content', () => {
    const contents = new Map(
      notifications.map(({ event, eventType, body }) => [event, `${eventType} ${body.replace(/\s/g, '')}`]),
    );
    expect(new Set(contents.values()).size).toBe(300);
  });
});

describe('sandbox scenario: createNotifications, a duplicate', () => {
  const pairs = [...Map.groupBy(notifications, ({ event }) => event).values()].filter(({ length }) => length > 1);

  it('creates one duplicate for each event that has one', () => {
    expect(pairs.map(({ length }) => length)).toEqual(Array.from({ length: 60 }, () => 2));
  });

  it('gives a duplicate the same event type and equal JSON content', () => {
    for (const [one, other] of pairs) {
      expect(other?.eventType).toBe(one?.eventType);
      expect(json(other?.body ?? '')).toEqual(json(one?.body ?? ''));
    }
  });

  it('writes a duplicate in another notation when it is JSON, and byte for byte otherwise', () => {
    for (const [one, other] of pairs) {
      expect(other?.body === one?.body).toBe(json(one?.body ?? '') === undefined);
    }
  });
});
