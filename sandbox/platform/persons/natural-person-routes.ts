import { setTimeout as waitForReal } from 'node:timers/promises';
import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import type { Requestors } from '#sandbox/platform/access/requestors.ts';
import { uuid } from '#sandbox/platform/core/fields.ts';
import { magicLatenessSeconds, personOutcomeOf } from '#sandbox/platform/core/magic-values.ts';
import { pageQuery, pagination } from '#sandbox/platform/core/page.ts';
import { toErrorBody } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { errors, furtherRequestorHeader, json, jsonBody, requestorHeader } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { newNaturalPersonIdentification } from './identification-schema.ts';
import {
  checkNaturalPersonUpdate,
  checkNewNaturalPerson,
  naturalPerson,
  naturalPersonUpdate,
  newNaturalPerson,
} from './natural-person-schema.ts';
import { anyPersonStatus, requirePersonStatus } from './natural-person-status.ts';
import type { NaturalPersons } from './natural-persons.ts';
import { checkSentFields } from './sent-fields.ts';

export type NaturalPersonRoutesDeps = {
  readonly persons: NaturalPersons;
  readonly requestors: Requestors;
  readonly settings: SettingsStore;
  readonly profile: PlatformProfile;
  readonly newId: () => string;
  /** Resolves after some milliseconds of real time. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
};

const path = '/entities/natural-persons';
const onePath = `${path}/{naturalPersonId}` as const;
const params = z.object({ naturalPersonId: uuid });
const accepted = { description: 'Accepted; no content' };

/** The operations of natural persons (section 4). Create takes no Requestor-ID, and get only if the settings say so. */
export function createNaturalPersonRoutes(deps: NaturalPersonRoutesDeps): OpenAPIHono {
  const { persons, requestors, settings, profile, newId, wait = waitForReal } = deps;
  const router = createRouter(settings);

  router.openapi(
    createRoute({
      operationId: 'createNaturalPerson',
      summary: 'Create natural person (section 4)',
      method: 'post',
      path,
      request: { body: jsonBody(newNaturalPerson) },
      responses: {
        200: json('Received; the checks follow', z.strictObject({ naturalPersonId: z.uuid() })),
        ...errors(409, 501),
      },
    }),
    async (context) => {
      checkNewNaturalPerson(await context.req.json(), settings.read());
      const { naturalPersonId, lastName } = persons.create(context.req.valid('json'));
      const answer = personOutcomeOf(lastName)?.create;
      if (answer === 'LATE') await wait(magicLatenessSeconds * 1_000);
      if (answer === 'COMMITTED_500')
        return context.json(
          toErrorBody(500, 'The person is created. The last name asks for this answer.', newId()),
          500,
        );
      return context.json({ naturalPersonId }, 200);
    },
  );

  const statusParameter = profile.naturalPersonStatusParameter;
  const query = z.object({ ...pageQuery, [statusParameter]: anyPersonStatus.optional() });
  router.openapi(
    createRoute({
      operationId: 'listNaturalPersons',
      summary: 'Get natural persons (section 4), of one status where it is given',
      method: 'get',
      path,
      request: { query, headers: furtherRequestorHeader },
      responses: {
        200: json('A page', z.strictObject({ data: z.array(naturalPerson), pagination })),
        ...errors(403, 501),
      },
    }),
    (context) => {
      const requestorId = requestors.requireEverywhere(context.req.valid('header')['requestor-id']);
      const status = anyPersonStatus.optional().parse(context.req.query(statusParameter));
      requirePersonStatus(status, statusParameter, settings.read());
      const mayRead = (naturalPersonId: string) =>
        requestorId === undefined || requestors.mayActFor(requestorId, naturalPersonId);
      return context.json(persons.list(context.req.valid('query'), { status, mayRead }), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'getNaturalPerson',
      summary: 'Get natural person (section 4)',
      method: 'get',
      path: onePath,
      request: { params, headers: furtherRequestorHeader },
      responses: { 200: json('The person', naturalPerson), ...errors(403, 404, 501) },
    }),
    (context) => {
      const { naturalPersonId } = context.req.valid('param');
      const { 'requestor-id': given } = context.req.valid('header');
      const isIdentification = given === naturalPersonId;
      const requestorId = requestors.requireEverywhere(given, { isIdentification });
      const person = persons.get(naturalPersonId);
      if (requestorId !== undefined) requestors.authorize(requestorId, { naturalPersonId, isIdentification });
      return context.json(person, 200);
    },
  );

  router.openapi(
    createRoute({
      operationId: 'updateNaturalPerson',
      summary: 'Update natural person (section 4.1)',
      method: 'patch',
      path: onePath,
      request: { params, headers: requestorHeader, body: jsonBody(naturalPersonUpdate) },
      responses: { 202: accepted, ...errors(403, 404, 501) },
    }),
    async (context) => {
      const { naturalPersonId } = context.req.valid('param');
      checkNaturalPersonUpdate(await context.req.json(), settings.read());
      requestors.authorize(context.req.valid('header')['requestor-id'], { naturalPersonId });
      persons.update(naturalPersonId, context.req.valid('json').naturalPersonUpdateData);
      return context.body(null, 202);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'createNaturalPersonIdentification',
      summary: 'Create natural person identification (section 4.2)',
      method: 'post',
      path: `${onePath}/identification`,
      request: { params, headers: requestorHeader, body: jsonBody(newNaturalPersonIdentification) },
      responses: { 202: accepted, ...errors(403, 404, 501) },
    }),
    (context) => {
      const { naturalPersonId } = context.req.valid('param');
      requestors.authorize(context.req.valid('header')['requestor-id'], { naturalPersonId, isIdentification: true });
      const identification = context.req.valid('json');
      checkSentFields(identification, settings.read());
      persons.identify(naturalPersonId, identification);
      return context.body(null, 202);
    },
  );
  return router;
}
