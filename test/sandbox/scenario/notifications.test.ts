import { describe, expect, it } from 'vitest';
import { createNotifications, scenarioEventTypes, unknownEventType } from '#sandbox/scenario/notifications.ts';

const options = { seed: 7, events: 300, duplicates: 60 };
const notifications = createNotifications(options);

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe('the notifications of a seed', () => {
  it('are the same each time', () => {
    expect(createNotifications(options)).toEqual(notifications);
  });

  it('are others with another seed', () => {
    expect(createNotifications({ ...options, seed: 8 })).not.toEqual(notifications);
  });

  it('are all events, and as many again as duplicates are asked for', () => {
    expect(notifications).toHaveLength(360);
    expect(new Set(notifications.map(({ event }) => event)).size).toBe(300);
  });

  it('are in no order', () => {
    const order = notifications.map(({ event }) => event);
    expect(order).not.toEqual(order.toSorted((one, other) => one - other));
  });

  it('are of all types of the scenario, one of them newer than the specification', () => {
    const types = new Set(notifications.map(({ eventType }) => eventType));
    expect([...types].toSorted()).toEqual([...scenarioEventTypes].toSorted());
    expect(types).toContain(unknownEventType);
  });

  it('are now and then none that can be read', () => {
    const broken = notifications.filter(({ body }) => json(body) === undefined);
    expect(new Set(broken.map(({ event }) => event))).toEqual(new Set([99, 199, 299]));
  });
});

describe('two events', () => {
  it('never say the same', () => {
    const contents = new Map(
      notifications.map(({ event, eventType, body }) => [event, `${eventType} ${body.replace(/\s/g, '')}`]),
    );
    expect(new Set(contents.values()).size).toBe(300);
  });
});

describe('a duplicate', () => {
  const pairs = [...Map.groupBy(notifications, ({ event }) => event).values()].filter(({ length }) => length > 1);

  it('comes once for each event that has one', () => {
    expect(pairs.map(({ length }) => length)).toEqual(Array.from({ length: 60 }, () => 2));
  });

  it('is of the same type, and says the same as JSON', () => {
    for (const [one, other] of pairs) {
      expect(other?.eventType).toBe(one?.eventType);
      expect(json(other?.body ?? '')).toEqual(json(one?.body ?? ''));
    }
  });

  it('is written otherwise where it can be read, and byte for byte the same where it cannot', () => {
    for (const [one, other] of pairs) {
      expect(other?.body === one?.body).toBe(json(one?.body ?? '') === undefined);
    }
  });
});
