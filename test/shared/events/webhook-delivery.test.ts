import { createHash, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import {
  deflateBody,
  inflateBody,
  maxDeflatedBodyBytes,
  readWebhookMessage,
  type WebhookDelivery,
  writeDeliveryMessage,
  writeEventMessage,
} from '#shared/events/webhook-delivery.ts';
import { anyCharacter } from '#test/any-character.ts';

const mebibyte = 1024 * 1024;

function deliveryOf(body: Uint8Array, others: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    deliveryId: 'delivery-1',
    eventType: 'TRANSFER_NOTIFICATION',
    receivedOn: '2026-01-02T03:04:05.678Z',
    deflatedBody: deflateBody(body),
    ...others,
  };
}

function readDeliveryMessage(text: string): WebhookDelivery {
  const { delivery } = readWebhookMessage(text);
  if (delivery === undefined) throw new Error('It was read as an event.');
  return delivery;
}

function refusal(text: string): Error {
  try {
    readDeliveryMessage(text);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('It was read as a delivery.');
}

describe('the body of a delivery is kept byte for byte', () => {
  it('passes any bytes through the queue', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (body) => {
        const delivery = readDeliveryMessage(writeDeliveryMessage(deliveryOf(body)));
        expect(Uint8Array.from(inflateBody(delivery.deflatedBody))).toEqual(body);
      }),
    );
  });

  it('passes any words of a delivery through the queue', () => {
    const word = fc.string({ unit: anyCharacter, minLength: 1 });
    const time = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
    fc.assert(
      fc.property(word, word, time, (deliveryId, eventType, date) => {
        const words = { deliveryId, eventType, receivedOn: date.toISOString() };
        const message = writeDeliveryMessage(deliveryOf(Buffer.from('{}'), words));
        // SQS refuses some characters.
        expect(message).not.toMatch(/[^\x20-\x7e]/);
        expect(readDeliveryMessage(message)).toMatchObject(words);
      }),
    );
  });
});

describe('a deflated body, with about as much memory as it needs', () => {
  it('keeps less than 1 MiB for a thousand of 300 bytes', () => {
    const deflated = Array.from({ length: 1_000 }, () => deflateBody(randomBytes(300)));
    const kept = new Set(deflated.map(({ buffer }) => buffer));
    expect([...kept].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(1024 * 1024);
  });

  it('keeps 20,000 bytes, which take several chunks, as they were', () => {
    const body = randomBytes(20_000);
    expect(inflateBody(deflateBody(body))).toEqual(body);
  });
});

describe('the largest body fits the message, the item and the function', () => {
  it('takes less than the 1 MiB of an SQS message, in base64 with its envelope', () => {
    const deflatedBody = createHash('shake256', { outputLength: maxDeflatedBodyBytes }).update('seed').digest();
    // The most that a path of API Gateway's 10,240 bytes can become in JSON: a control character is three bytes of it.
    const eventType = '\u0001'.repeat(10_240 / 3);
    const delivery = deliveryOf(Buffer.of(), { deflatedBody, eventType, deliveryId: 'd'.repeat(100) });
    const message = writeDeliveryMessage(delivery);
    expect(Buffer.byteLength(message)).toBeLessThan(mebibyte);
    expect(Buffer.from(readDeliveryMessage(message).deflatedBody).equals(deflatedBody)).toBe(true);
  });

  it('inflates no more than 16 MiB: a small message does not fill the memory', () => {
    expect(inflateBody(deflateBody(Buffer.alloc(16 * mebibyte))).length).toBe(16 * mebibyte);
    expect(() => inflateBody(deflateBody(Buffer.alloc(16 * mebibyte + 1)))).toThrow(RangeError);
  });

  it.each([
    ['nothing', Buffer.of()],
    ['text', Buffer.from('hello')],
    ['what breaks off', deflateBody(Buffer.alloc(1_000, 'x')).slice(0, 5)],
  ])('does not inflate %s', (_, bytes) => {
    expect(() => inflateBody(bytes)).toThrow();
  });
});

describe('a message that is no delivery', () => {
  const whole = JSON.parse(writeDeliveryMessage(deliveryOf(Buffer.from('{}'))));

  it.each([
    ['text', 'hello'],
    ['an object with nothing', '{}'],
    ['a delivery within an array', JSON.stringify([whole])],
    ['JSON that breaks off', JSON.stringify(whole).slice(0, -1)],
  ])('throws for %s, so that it is not acknowledged', (_, text) => {
    expect(refusal(text)).toMatchObject({ code: 'DeliveryMessageError' });
  });

  it.each(Object.keys(whole))('names the missing field %s', (field) => {
    const { [field]: _, ...rest } = whole;
    const error = refusal(JSON.stringify(rest));
    expect(error).toMatchObject({ code: 'DeliveryMessageError' });
    expect(error.message).toContain(field);
  });

  it.each([
    ['deliveryId', ''],
    ['deliveryId', 7],
    ['eventType', ''],
    ['eventType', null],
    ['receivedOn', 'yesterday'],
    ['receivedOn', '2026-01-02'],
    ['receivedOn', '2026-01-02T03:04:05+01:00'],
    ['receivedOn', 1_767_323_045_678],
    ['deflatedBody', 'not base64!'],
    ['deflatedBody', 'q1YqLU4t'.slice(1)],
    ['deflatedBody', 'q1Y_-w=='],
    ['deflatedBody', { type: 'Buffer', data: [] }],
  ])('names the field %s when its value is %j', (field, value) => {
    const error = refusal(JSON.stringify({ ...whole, [field]: value }));
    expect(error).toMatchObject({ code: 'DeliveryMessageError' });
    expect(error.message).toContain(field);
  });

  it('takes what a later release adds', () => {
    const text = JSON.stringify({ ...whole, somethingNew: true });
    expect(readDeliveryMessage(text)).toEqual(readDeliveryMessage(JSON.stringify(whole)));
  });
});

describe('draining: a message may carry only the id of a stored event', () => {
  const eventId = 'a1'.repeat(32);

  it('reads the id as it was written', () => {
    expect(readWebhookMessage(writeEventMessage(eventId))).toEqual({ eventId });
    expect(writeEventMessage(eventId)).not.toMatch(/[^\x20-\x7e]/);
  });

  it.each(['', 'a1', 7, null, `${'A1'.repeat(32)}`])('is refused with the id %j', (id) => {
    expect(refusal(JSON.stringify({ eventId: id }))).toMatchObject({ code: 'DeliveryMessageError' });
  });
});

describe('promise 8: the error carries nothing of the message', () => {
  const canary = 'Erika Mustermann';
  const whole = JSON.parse(writeDeliveryMessage(deliveryOf(Buffer.from('{}'))));

  it.each([
    ['no JSON', `${canary}`],
    ['JSON that breaks off', `{"name":"${canary}"`],
    ['a field that is not what it should be', JSON.stringify({ ...whole, receivedOn: canary, deflatedBody: canary })],
    ['a key that is not what it should be', JSON.stringify({ [canary]: { [canary]: 1 } })],
  ])('throws for a message with %s', (_, text) => {
    const error = refusal(text);
    expect(error).toBeInstanceOf(DrawbridgeError);
    expect(error.cause).toBeUndefined();
    for (const shown of [error.message, error.stack, JSON.stringify(error), inspect(error, { showHidden: true })])
      expect(shown).not.toMatch(/Erika|Mustermann/);
  });
});
