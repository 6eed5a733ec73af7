import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifyEvent } from '#shared/events/event.ts';
import {
  type ReadBackAnswer,
  readBackEvent,
  readBackEventType,
  readReadBack,
  readStoredReadBack,
  writeReadBackMessage,
} from '#shared/events/read-back.ts';
import { deflateBody, inflateBody, readWebhookMessage } from '#shared/events/webhook-delivery.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

const canary = 'Erika Mustermann';
const answer: ReadBackAnswer = {
  kind: 'natural-person',
  id: 'cf8e9b1e-6a0d-4b52-9d3f-0a4f4a4f0d11',
  status: 'ACTIVE',
  modifiedOn: '2026-01-02T03:04:05.123456789Z',
  readOn: '2026-01-03T00:00:00.000Z',
  answers: '2026-01-02T23:59:59.999Z',
  differed: ['status', 'modifiedOn'],
};
const { answers: _, differed: __, ...plain } = answer;

describe('an answer of the platform on the webhooks queue', () => {
  it.each([answer, plain])('is read as it was written', (one) => {
    const { readBack } = readWebhookMessage(writeReadBackMessage(one));
    expect(readReadBack(readBack)).toEqual(one);
  });

  it.each([
    ['a name beside it', { ...answer, firstName: canary }],
    ['a status that is no word', { ...answer, status: canary }],
    ['an id that could be anything', { ...answer, id: canary }],
    ['a time that is none', { ...answer, modifiedOn: canary }],
    ['a kind that cannot be read back', { ...answer, kind: 'order' }],
    ['no time', { ...answer, modifiedOn: undefined }],
    ['nothing that differed', { ...answer, differed: [] }],
  ])('is refused without a quotation when it has %s', (_, wrong) => {
    const read = () => readReadBack(wrong);
    expect(read).toThrow(expect.objectContaining({ code: 'ReadBackError' }));
    expect(read).not.toThrow(canary);
    expect(() => writeReadBackMessage(wrong as ReadBackAnswer)).toThrow(
      expect.objectContaining({ code: 'ReadBackError' }),
    );
  });

  it('is read although a later release has put something beside it', () => {
    expect(readWebhookMessage(JSON.stringify({ readBack: answer, more: 1 }))).toEqual({ readBack: answer });
  });
});

describe('the id of an answer', () => {
  it('is the same each time, and another when the answer was read at another time', () => {
    const { eventId } = readBackEvent(answer).event;
    expect(eventId).toMatch(/^[\da-f]{64}$/);
    expect(readBackEvent({ ...answer }).event.eventId).toBe(eventId);
    expect(readBackEvent({ ...answer, readOn: '2026-01-03T00:00:00.001Z' }).event.eventId).not.toBe(eventId);
  });

  it('comes with the entity and with what the answer settles', () => {
    expect(readBackEvent(answer).event).toMatchObject({
      eventType: readBackEventType,
      placed: { kind: answer.kind, id: answer.id, report: { status: 'ACTIVE', modifiedOn: answer.modifiedOn } },
      readBack: { readOn: answer.readOn, answers: answer.answers },
      differed: answer.differed,
      receivedOn: answer.readOn,
    });
    expect(readBackEvent(plain).event.readBack).toEqual({ readOn: answer.readOn });
  });

  it('is read again from the event store', () => {
    const { event, delivery } = readBackEvent(answer);
    expect(readStoredReadBack({ ...event, ...delivery })).toEqual(answer);
  });
});

describe('a delivery of the platform is never taken for an answer', () => {
  const profile = platformProfile.parse({ eventTypes: [readBackEventType] });

  it('holds for a delivery of the same bytes, of a type that the profile knows by that name', () => {
    const { event, delivery } = readBackEvent(answer);
    const delivered = identifyEvent(readBackEventType, inflateBody(delivery.deflatedBody), profile);
    expect(delivered.quarantineReason).toBeUndefined();
    expect(delivered.eventId).not.toBe(event.eventId);
    expect(readStoredReadBack({ ...delivery, eventId: delivered.eventId })).toBeUndefined();
  });

  it('holds for a delivery of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (body) => {
        const { eventId } = identifyEvent(readBackEventType, body, profile);
        const row = { eventId, eventType: readBackEventType, deflatedBody: deflateBody(body) };
        expect(readStoredReadBack(row)).toBeUndefined();
      }),
    );
  });

  it('holds for an answer that was changed in the store', () => {
    const { event } = readBackEvent(answer);
    const { delivery } = readBackEvent({ ...answer, status: 'BLOCKED' });
    expect(readStoredReadBack({ ...event, deflatedBody: delivery.deflatedBody })).toBeUndefined();
  });
});
