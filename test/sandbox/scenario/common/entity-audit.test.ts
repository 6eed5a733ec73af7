import { describe, expect, it } from 'vitest';
import { auditEntities, type EntityAudit, type EntityReading } from '#sandbox/scenario/common/entity-audit.ts';
import type { PublishedChange } from '#sandbox/scenario/common/published-changes.ts';

const modifiedOn = '2026-11-21T08:00:01Z';
const record = { kind: 'order', id: 'o', status: 'FILLED', modifiedOn, notified: ['PENDING', 'FILLED'] };
const entity = { kind: 'order', id: 'o', sequence: 2, status: 'FILLED', modifiedOn, anomalies: [], toReadBack: false };
const timeline = [
  { eventId: 'e1', status: 'PENDING', change: { sequence: 1, status: 'PENDING' } },
  { eventId: 'e2', status: 'FILLED', change: { sequence: 2, status: 'FILLED', statusBefore: 'PENDING' } },
];
const change = (more: Partial<PublishedChange>): PublishedChange => ({
  kind: 'order',
  id: 'o',
  sequence: 1,
  anomalies: [],
  remedies: [],
  eventId: 'e1',
  ...more,
});
const changes = [
  change({ status: 'PENDING' }),
  change({ sequence: 2, status: 'FILLED', statusBefore: 'PENDING', eventId: 'e2' }),
];

function faults(shown: Partial<EntityReading>, published = changes): Partial<EntityAudit> {
  const audit = auditEntities([{ record, entity, timeline, ...shown }], published);
  return Object.fromEntries(Object.entries(audit).filter(([, count]) => count > 0));
}

describe('sandbox scenario: auditEntities', () => {
  it('finds no error when every entity matches the platform and every change was published', () => {
    expect(faults({})).toEqual({});
  });

  it.each([
    ['is missing', undefined],
    ['has another status', { ...entity, status: 'PENDING' }],
    ['has another time', { ...entity, modifiedOn: '2026-11-21T08:00:01.000000001Z' }],
  ])('counts an entity as different when it %s', (_, other) => {
    expect(faults({ entity: other })).toEqual({ different: 1 });
  });

  it('counts an entity as anomalous when it has an anomaly', () => {
    expect(faults({ entity: { ...entity, anomalies: ['FILLED after REJECTED'] } })).toEqual({ anomalous: 1 });
  });

  it('counts a status as unreported when no event of the timeline has it', () => {
    expect(faults({ timeline: timeline.slice(1) })).toEqual({ unreported: 1 });
  });

  it('counts a change as unpublished when it was published in another form', () => {
    expect(faults({}, changes.slice(1))).toEqual({ unpublished: 1 });
    expect(faults({}, [change({ status: 'CANCELED' }), ...changes.slice(1)])).toEqual({ unpublished: 1 });
    expect(faults({}, [change({ status: 'PENDING', eventId: 'e2' }), ...changes.slice(1)])).toEqual({ unpublished: 1 });
  });

  it('counts an entity as misleading for a consumer when the highest sequence has another status', () => {
    expect(faults({}, [...changes, change({ sequence: 3, status: 'PENDING' })])).toEqual({ misled: 1 });
    expect(faults({}, [])).toEqual({ misled: 1, unpublished: 2 });
  });
});
