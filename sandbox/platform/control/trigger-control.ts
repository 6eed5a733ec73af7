import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import { deliveryIdOf } from '#sandbox/platform/control/log-control.ts';
import { magicPersons, type PersonOutcome } from '#sandbox/platform/core/magic-values.ts';
import { RefusedError, refusedField } from '#sandbox/platform/core/refused-error.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import { madeUpPerson } from '#sandbox/platform/persons/made-up-person.ts';
import { type LifeCycle, type LifeCycleDeps, lifeCycles } from '#sandbox/platform/triggers/life-cycles.ts';
import { sampleNotification } from '#sandbox/platform/triggers/sample-notification.ts';
import type { Traffic } from '#sandbox/platform/triggers/traffic.ts';
import type { Deliveries } from '#sandbox/platform/webhooks/deliveries.ts';
import type { WriteNotification } from '#sandbox/platform/webhooks/place-notification.ts';
import type { Registrations } from '#sandbox/platform/webhooks/registrations.ts';

export type TriggerControlDeps = LifeCycleDeps & {
  readonly timestamp: () => string;
  readonly registrations: Pick<Registrations, 'knows'>;
  readonly deliveries: Pick<Deliveries, 'begin'>;
  readonly writeNotification: WriteNotification;
  readonly traffic: Traffic;
};

const trigger = z.strictObject({
  type: z.string().describe('An event type, or a life cycle such as order.filled'),
  set: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Fields of the body of the webhook; or of the person, order or transfer of the life cycle'),
});

const triggered = z
  .strictObject({
    type: z.string(),
    ids: z.record(z.string(), z.string()).describe('The ids to look up, by the name of their field'),
    deliveryId: z.string().optional().describe('The delivery of a single webhook'),
    body: z.record(z.string(), z.unknown()).optional().describe('The body of a single webhook'),
  })
  .meta({ id: 'Triggered' });

const lifeCycle = z.strictObject({ type: z.string(), means: z.string() }).meta({ id: 'LifeCycle' });

const persona = z
  .strictObject({ persona: z.string(), lastName: z.string(), means: z.string() })
  .meta({ id: 'Persona' });

const newPersona = z.strictObject({
  persona: z.string().describe('A name of listPersonas'),
  externalId: z.string().min(1).optional(),
});

const traffic = z
  .strictObject({ perSecond: z.number(), onboardings: z.int(), orders: z.int(), transfers: z.int() })
  .meta({ id: 'Traffic' });

const cycles: ReadonlyMap<string, LifeCycle> = new Map(Object.entries(lifeCycles));

const ordinary = { persona: 'ordinary', lastName: 'Muster', means: 'everything succeeds' };

const personas: ReadonlyMap<string, z.infer<typeof persona>> = new Map([
  [ordinary.persona, ordinary] as const,
  ...Object.entries<PersonOutcome>(magicPersons).map(([lastName, { means }]) => {
    const name = lastName.replace(/^Magic-/, '').toLowerCase();
    return [name, { persona: name, lastName, means }] as const;
  }),
]);

/** Events on request: single webhooks, whole life cycles, persons with an outcome, and traffic. */
export function createTriggerControl(deps: TriggerControlDeps): OpenAPIHono {
  const { settings, registrations, deliveries, writeNotification, newId, persons, random } = deps;
  const router = createRouter(settings);

  async function send(eventType: string, chosen: Readonly<Record<string, unknown>>) {
    const resource = { ...sampleNotification(eventType, deps), ...chosen };
    const body = writeNotification(eventType, resource);
    const { number, firstResult } = deliveries.begin(eventType, Buffer.from(JSON.stringify(body)));
    await firstResult();
    const ids = Object.entries(resource).filter(([name, value]) => name.endsWith('Id') && typeof value === 'string');
    return {
      type: eventType,
      ids: Object.fromEntries(ids.map(([name, value]) => [name, String(value)])),
      deliveryId: deliveryIdOf(number),
      body,
    };
  }

  router.openapi(
    createRoute({
      operationId: 'listTriggers',
      summary: 'The life cycles that can be triggered',
      method: 'get',
      path: '/triggers',
      responses: { 200: json('Every life cycle', z.array(lifeCycle)), ...errors() },
    }),
    (context) =>
      context.json(
        Object.entries(lifeCycles).map(([type, { means }]) => ({ type, means })),
        200,
      ),
  );
  router.openapi(
    createRoute({
      operationId: 'trigger',
      summary: 'Sends a realistic webhook of an event type, or begins a life cycle with all its webhooks',
      description: 'The clock of the platform moves orders and transfers on: while it is frozen, advance it.',
      method: 'post',
      path: '/triggers',
      request: { body: jsonBody(trigger) },
      responses: { 200: json('What was triggered', triggered), ...errors(404, 409) },
    }),
    async (context) => {
      const { type, set } = context.req.valid('json');
      const cycle = cycles.get(type);
      if (cycle !== undefined) return context.json({ type, ids: { ...cycle.run(deps, set) } }, 200);
      if (!registrations.knows(type))
        throw refusedField('type', `is not an event type, and none of ${[...cycles.keys()].join(', ')}.`);
      return context.json(await send(type, set), 200);
    },
  );

  router.openapi(
    createRoute({
      operationId: 'listPersonas',
      summary: 'Persons with an outcome of their own, by the magic value of their last name',
      method: 'get',
      path: '/personas',
      responses: { 200: json('Every persona', z.array(persona)), ...errors() },
    }),
    (context) => context.json([...personas.values()], 200),
  );
  router.openapi(
    createRoute({
      operationId: 'createPersona',
      summary: 'Makes up the data of a person with this outcome, and creates the person as a partner does',
      method: 'post',
      path: '/personas',
      request: { body: jsonBody(newPersona) },
      responses: {
        200: json('The person', z.strictObject({ naturalPersonId: z.uuid(), lastName: z.string() })),
        ...errors(404, 409),
      },
    }),
    (context) => {
      const { persona: name, ...given } = context.req.valid('json');
      const { lastName } = find(name);
      const { naturalPersonId } = persons.create({ ...madeUpPerson(random), ...given, lastName });
      return context.json({ naturalPersonId, lastName }, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'makeUpOnboarding',
      summary: "A made-up body for Drawbridge's POST /onboardings, of a person with this outcome",
      method: 'get',
      path: '/personas/{persona}/onboarding',
      request: { params: z.object({ persona: z.string() }) },
      responses: {
        200: json(
          'The body',
          z.strictObject({
            externalId: z.string(),
            person: z.record(z.string(), z.unknown()),
            identification: z.strictObject({ mode: z.literal('video') }),
          }),
        ),
        ...errors(404),
      },
    }),
    (context) => {
      const { persona: name, lastName } = find(context.req.valid('param').persona);
      const person: Record<string, unknown> = { ...madeUpPerson(random), lastName };
      const identification = { mode: 'video' as const };
      return context.json({ externalId: `${name}-${newId()}`, person, identification }, 200);
    },
  );

  router.openapi(
    createRoute({
      operationId: 'getTraffic',
      summary: 'The rate of the traffic in the background, and what it has begun so far',
      method: 'get',
      path: '/traffic',
      responses: { 200: json('The traffic', traffic), ...errors() },
    }),
    (context) => context.json(deps.traffic.state(), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'setTraffic',
      summary: 'Onboards, trades and transfers in the background, so many times per second; 0 ends the traffic',
      method: 'put',
      path: '/traffic',
      request: { body: jsonBody(z.strictObject({ perSecond: z.number().min(0).max(50) })) },
      responses: { 200: json('The traffic', traffic), ...errors() },
    }),
    (context) => {
      deps.traffic.start(context.req.valid('json').perSecond);
      return context.json(deps.traffic.state(), 200);
    },
  );
  return router;
}

/** @throws {RefusedError} Not Found */
function find(name: string): z.infer<typeof persona> {
  const found = personas.get(name);
  if (found === undefined)
    throw new RefusedError(404, `There is no persona ${name}. There are: ${[...personas.keys()].join(', ')}.`);
  return found;
}
