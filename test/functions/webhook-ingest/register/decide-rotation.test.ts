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
    ['nothing while no operator asks', {}, true, {}, 'none'],
    ['the beginning if an operator asks', {}, true, { isAsked: true }, 'start'],
    ['the beginning if an operator asks, though the registrations are not well', {}, false, { isAsked: true }, 'start'],
    ['the beginning once the secret is old enough', { createdOn: ago(1_000) }, true, {}, 'start'],
    ['nothing a moment before the secret is old enough', { createdOn: ago(999) }, true, {}, 'none'],
    [
      'nothing while the registrations are not well, though the secret is old enough',
      { createdOn: ago(1_000) },
      false,
      {},
      'none',
    ],
    ['a wait while a webhook has not the new secret', { previous }, false, {}, 'wait'],
    ['the confirmation once every webhook has the new secret', { previous }, true, {}, 'confirm'],
    ['a wait during the overlap', { previous, registeredOn: ago(99) }, true, {}, 'wait'],
    ['the end of the previous secret after the overlap', { previous, registeredOn: ago(100) }, true, {}, 'retire'],
    [
      'another overlap if a webhook has lost the new secret',
      { previous, registeredOn: ago(100) },
      false,
      {},
      'restart',
    ],
    ['a wait during a rotation, though an operator asks for another', { previous }, false, { isAsked: true }, 'wait'],
    [
      'the confirmation of a rotation, though the secret is old enough for another',
      { previous, createdOn: ago(5_000) },
      true,
      {},
      'confirm',
    ],
    ['a wait if the overlap began in the future', { previous, registeredOn: ago(-1) }, true, {}, 'wait'],
  ] as const)('has as the next step of a rotation %s', (_, secret, isRotated, change, step) => {
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
