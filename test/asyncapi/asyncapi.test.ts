import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { writeAsyncApi } from '#docs/generate/bus/write-asyncapi.ts';
import { parseBusEvent } from '#package/exports/events.ts';

// What JSON leaves out is not in the document either.
const document = JSON.parse(JSON.stringify(writeAsyncApi())) as ReturnType<typeof writeAsyncApi>;
const messages = Object.entries(document.components.messages);

describe('the AsyncAPI document of the bus', () => {
  it.each(messages)('has an example of %s that its schema and the published package accept', (_, message) => {
    const ajv = new Ajv({ strict: true });
    addFormats.default(ajv);
    const { $ref } = message.payload.properties.detail;
    const detail = document.components.schemas[$ref.slice('#/components/schemas/'.length)];
    const validate = ajv.compile({
      ...message.payload,
      properties: { ...message.payload.properties, detail },
    });
    for (const { payload } of message.examples) {
      expect([validate(payload), validate.errors]).toEqual([true, null]);
      expect(parseBusEvent(payload)).toMatchObject({ detail: payload.detail });
    }
    expect(validate({ ...message.examples[0]?.payload, detail: {} })).toBe(false);
  });
});
