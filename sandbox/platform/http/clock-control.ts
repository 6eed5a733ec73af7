import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import type { VirtualClock } from '#sandbox/platform/core/clock.ts';
import { refusedField } from '#sandbox/platform/core/refused-error.ts';
import {
  mostSeconds,
  type SettingsStore,
  settingsChange,
  settings as settingsSchema,
} from '#sandbox/platform/core/settings.ts';
import { errors, json, jsonBody } from './operation.ts';
import { createRouter } from './router.ts';

const clockState = z.strictObject({ now: z.iso.datetime(), isFrozen: z.boolean() }).meta({ id: 'Clock' });

/** Beyond it a date has another form (RFC 3339). */
const endOfTime = Date.parse('9999-12-31T23:59:59Z');

/** The clock and the settings of the platform. */
export function createClockControl(deps: {
  readonly clock: VirtualClock;
  readonly settings: SettingsStore;
}): OpenAPIHono {
  const { clock, settings } = deps;
  const router = createRouter(settings);
  const state = () => ({ now: clock.now().toISOString(), isFrozen: clock.isFrozen() });
  const answer = { 200: json('Where the clock stands', clockState), ...errors() };

  router.openapi(
    createRoute({
      operationId: 'getClock',
      summary: 'Where the clock stands',
      method: 'get',
      path: '/clock',
      responses: answer,
    }),
    (context) => context.json(state(), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'advanceClock',
      summary: 'Moves the clock on; answered when all that falls due on the way is done',
      method: 'post',
      path: '/clock/advance',
      request: { body: jsonBody(z.strictObject({ seconds: z.number().min(0).max(mostSeconds) })) },
      responses: answer,
    }),
    async (context) => {
      const { seconds } = context.req.valid('json');
      if (clock.now().getTime() + seconds * 1_000 > endOfTime)
        throw refusedField('seconds', 'leads beyond the year 9999.');
      await clock.advance(seconds);
      return context.json(state(), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'freezeClock',
      summary: 'Stops the clock: what is due waits',
      method: 'post',
      path: '/clock/freeze',
      responses: answer,
    }),
    (context) => {
      clock.freeze();
      return context.json(state(), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'resumeClock',
      summary: 'Lets the clock run again, from where it stands',
      method: 'post',
      path: '/clock/resume',
      responses: answer,
    }),
    (context) => {
      clock.resume();
      return context.json(state(), 200);
    },
  );

  const all = { 200: json('All settings', settingsSchema), ...errors() };
  router.openapi(
    createRoute({
      operationId: 'getSettings',
      summary: 'The settings, with their defaults where none were given',
      method: 'get',
      path: '/settings',
      responses: all,
    }),
    (context) => context.json(settings.read(), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'changeSettings',
      summary: 'Changes the settings that are given; the others stay',
      method: 'patch',
      path: '/settings',
      request: { body: jsonBody(settingsChange) },
      responses: all,
    }),
    (context) => context.json(settings.change(context.req.valid('json')), 200),
  );
  return router;
}
