import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import type { VirtualClock } from '#sandbox/platform/core/clock.ts';
import { refusedField } from '#sandbox/platform/core/refused-error.ts';
import { maxSeconds, settings as settingsSchema } from '#sandbox/platform/core/settings.ts';
import { type SettingsStore, settingsChange } from '#sandbox/platform/core/settings-store.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';

const clockState = z.strictObject({ now: z.iso.datetime(), isFrozen: z.boolean() }).meta({ id: 'Clock' });

/** The last date-time of RFC 3339. */
const endOfTime = Date.parse('9999-12-31T23:59:59Z');

/** The clock and the settings of the platform. */
export function createClockControl(deps: {
  readonly clock: VirtualClock;
  readonly settings: SettingsStore;
  readonly advance: VirtualClock['advance'];
}): OpenAPIHono {
  const { clock, settings, advance } = deps;
  const router = createRouter(settings);
  const state = () => ({ now: clock.now().toISOString(), isFrozen: clock.isFrozen() });
  const answer = { 200: json('The time of the clock, and whether it is frozen', clockState), ...errors() };

  router.openapi(
    createRoute({
      operationId: 'getClock',
      summary: 'The time of the clock, and whether it is frozen',
      method: 'get',
      path: '/clock',
      responses: answer,
    }),
    (context) => context.json(state(), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'advanceClock',
      summary: 'Advances the clock, and answers when all due work is done',
      method: 'post',
      path: '/clock/advance',
      request: { body: jsonBody(z.strictObject({ seconds: z.number().min(0).max(maxSeconds) })) },
      responses: answer,
    }),
    async (context) => {
      const { seconds } = context.req.valid('json');
      if (clock.now().getTime() + seconds * 1_000 > endOfTime)
        throw refusedField('seconds', 'leads beyond the year 9999.');
      await advance(seconds);
      return context.json(state(), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'freezeClock',
      summary: 'Freezes the clock: due work waits',
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
      summary: 'Runs the clock again from its current time',
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
      summary: 'All settings with their current values',
      method: 'get',
      path: '/settings',
      responses: all,
    }),
    (context) => context.json(settings.read(), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'changeSettings',
      summary: 'Changes the given settings',
      method: 'patch',
      path: '/settings',
      request: { body: jsonBody(settingsChange) },
      responses: all,
    }),
    (context) => context.json(settings.change(context.req.valid('json')), 200),
  );
  return router;
}
