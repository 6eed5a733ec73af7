import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { eventExamples, writeEventSchemas } from '#docs/generate/bus/event-reference.ts';
import { busEventOf, entityChanged, validationFailed } from '#shared/bus/bus-event.ts';
import { otherDetails } from '#shared/bus/event-details.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { onboardingSteps } from '#shared/onboarding/onboarding-steps.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';

const root = join(import.meta.dirname, '../../..');
const schemas = writeEventSchemas();
const eventId = 'e'.repeat(64);
const receivedOn = '2026-01-02T03:04:05.678Z';
const change = {
  version: 3,
  status: 'SETTLED',
  statusBefore: 'FILLED',
  modifiedOn: '2026-01-02T03:04:05.123456789Z',
  anomalies: [],
};

const examples = [
  ...eventExamples(),
  ...entityKinds.map((kind) =>
    entityEvent(kind, { statusBefore: undefined, modifiedOn: undefined, status: 'A_NEW_WORD', anomalies: ['a'] }),
  ),
];

function entityEvent(kind: (typeof entityKinds)[number], more: object = {}) {
  return entityChanged({ kind, id: 'id-1', eventId, receivedOn, report: {} }, { ...change, ...more });
}

describe('the JSON Schema of each event', () => {
  it('has an example of each event', () => {
    const withExample = new Set(examples.map(({ detailType }) => detailType));
    expect([...schemas.keys()].filter((detailType) => !withExample.has(detailType))).toEqual([]);
  });

  it.each(examples)('accepts $detailType as it goes out', ({ detailType, detail }) => {
    const validate = new Ajv2020({ strict: true }).compile(schemas.get(detailType) ?? false);
    expect([validate(JSON.parse(JSON.stringify(detail))), validate.errors]).toEqual([true, null]);
    for (const field of Object.keys(detail)) expect(schemas.get(detailType)).toHaveProperty(['properties', field]);
  });
});

describe('promise 8: a failed validation is published without a text that could be a name', () => {
  it.each(['Erika Mustermann', 'Mustermann', 'ERIKA@EXAMPLE.COM', 'A'.repeat(65)])(
    'leaves out the error type %s',
    (errorType) => {
      const { detail } = validationFailed({ kind: 'order', id: 'id-1', eventId, receivedOn, report: { errorType } });
      expect(detail['errorType']).toBeUndefined();
    },
  );
});

describe('what we send is checked strictly', () => {
  it.each([
    ['an id that is no event id', () => busEventOf('EventReceived', { eventId: 'x', eventType: 'ANY', receivedOn })],
    ['a time that is none', () => busEventOf('EventReceived', { eventId, eventType: 'ANY', receivedOn: 'today' })],
    ['a sequence below 1', () => entityEvent('order', { version: 0 })],
  ])('does not publish %s', (_, publish) => {
    expect(publish).toThrow();
  });
});

describe('each event that is not about an entity', () => {
  const sources = globSync('functions/**/*.ts', { cwd: root });
  const code = sources.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  const ofSteps = new Set<string>(onboardingSteps.map(({ event }) => event));

  it.each(Object.keys(otherDetails))('is created by a function: %s', (detailType) => {
    expect(code).toContain(`busEventOf('${detailType}'`);
  });

  it.each(Object.keys(onboardingDetails).filter((detailType) => !ofSteps.has(detailType)))(
    'is published at a step of the onboarding, or created by a function: %s',
    (detailType) => {
      expect(code).toContain(`detailType: '${detailType}'`);
    },
  );
});
