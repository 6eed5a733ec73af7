import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRotation, type RotationState } from '#functions/webhook-ingest/register/decide-rotation.ts';
import { firstSecret } from './registrations.ts';

const time = Date.parse('2026-01-02T03:04:05.678Z');
const ago = (milliseconds: number) => new Date(time - milliseconds);
const rules = { isAsked: false, interval: 1_000, overlap: 100 };
const now = new Date(time);

type Secret = Partial<RotationState['secret']>;

function decide(secret: Secret, isRotated: boolean, change: Partial<typeof rules> = {}) {
  const state = { secret: { createdOn: ago(1), ...secret }, isRotated, now };
  return decideRotation(state, { ...rules, ...change });
}

describe('rotating the secret: accept both, update every registration, retire the old', () => {
  const previous = firstSecret;

  it.each([
    ['does nothing while no operator asks', {}, true, {}, 'none'],
    ['begins when an operator asks', {}, true, { isAsked: true }, 'start'],
    ['also where the registrations are not well', {}, false, { isAsked: true }, 'start'],
    ['it begins when the secret is old enough', { createdOn: ago(1_000) }, true, {}, 'start'],
    ['not a moment before', { createdOn: ago(999) }, true, {}, 'none'],
    ['not by itself while the registrations are not well', { createdOn: ago(1_000) }, false, {}, 'none'],
    ['it waits while a webhook has not the new secret', { previous }, false, {}, 'wait'],
    ['it notes when every webhook has', { previous }, true, {}, 'confirm'],
    ['both are accepted for the overlap', { previous, registeredOn: ago(99) }, true, {}, 'wait'],
    ['then the previous one is retired', { previous, registeredOn: ago(100) }, true, {}, 'retire'],
    ['not while a webhook has lost the new one', { previous, registeredOn: ago(100) }, false, {}, 'restart'],
    ['one at a time: it is not begun again', { previous }, false, { isAsked: true }, 'wait'],
    ['not by its age either', { previous, createdOn: ago(5_000) }, true, {}, 'confirm'],
    ['a time in the future has not passed', { previous, registeredOn: ago(-1) }, true, {}, 'wait'],
  ] as const)('decides the next step of a rotation: %s', (_, secret, isRotated, change, step) => {
    expect(decide(secret, isRotated, change)).toBe(step);
  });

  it('never retires a secret that a webhook has, or had within the overlap', () => {
    const milliseconds = fc.integer({ min: -1_000, max: 1_000 });
    fc.assert(
      fc.property(fc.option(milliseconds), fc.boolean(), fc.boolean(), (registered, isRotated, isAsked) => {
        const registeredOn = registered === null ? undefined : ago(registered);
        const step = decide({ previous, registeredOn }, isRotated, { isAsked });
        const isOver = (registered ?? -1) >= rules.overlap;
        if (step === 'retire') expect([isRotated, isOver]).toEqual([true, true]);
        expect(step).not.toBe('start');
      }),
    );
  });
});
