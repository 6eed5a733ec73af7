import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import type { Clock } from '#sandbox/platform/core/clock.ts';
import { uuid, validationError } from '#sandbox/platform/core/fields.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { statusHistory } from '#sandbox/platform/core/transitions.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { requireJson } from '#sandbox/platform/http/require-json.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import {
  checkNewNaturalPerson,
  naturalPerson,
  newNaturalPerson,
} from '#sandbox/platform/persons/natural-person-schema.ts';
import {
  anyPersonStatus,
  personTransitionsOf,
  requirePersonStatus,
} from '#sandbox/platform/persons/natural-person-status.ts';
import type { NaturalPersons } from '#sandbox/platform/persons/natural-persons.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { newSignedDocument } from '#sandbox/platform/persons/signed-document.ts';
import {
  identificationVerification,
  videoCallOutcome,
} from '#sandbox/platform/verifications/identification-verification-schema.ts';
import type { IdentificationVerifications } from '#sandbox/platform/verifications/identification-verifications.ts';

export type PersonControlDeps = {
  readonly persons: NaturalPersons;
  readonly verifications: IdentificationVerifications;
  readonly settings: SettingsStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  readonly random: () => number;
};

const personView = z
  .strictObject({
    naturalPerson,
    history: statusHistory,
    nextStatuses: z.array(z.string()).describe('The allowed next statuses'),
    identificationVerifications: z.array(identificationVerification),
  })
  .meta({ id: 'NaturalPersonView' });

const verificationView = z
  .strictObject({ identificationVerification, history: statusHistory })
  .meta({ id: 'IdentificationVerificationView' });

const readyPerson = newNaturalPerson.partial().extend({ status: anyPersonStatus.default('ACTIVE') });

const statusChange = z.strictObject({
  naturalPersonStatus: anyPersonStatus,
  validationError: validationError.optional().describe('Sent in the notification'),
});

const videoCall = z.strictObject({
  outcome: videoCallOutcome.describe('APPROVED, or any other word: the person was not identified'),
  validationError: validationError.optional().describe('Sent in the notification of a failure'),
});

const naturalPersonParams = z.object({ naturalPersonId: uuid });
const verificationParams = z.object({ identificationVerificationId: uuid });

/** Ready-made persons, their statuses, and their video calls. */
export function createPersonControl(deps: PersonControlDeps): OpenAPIHono {
  const { persons, verifications, settings } = deps;
  const router = createRouter(settings);
  const viewOf = (naturalPersonId: string): z.infer<typeof personView> => {
    const person = persons.get(naturalPersonId);
    return {
      naturalPerson: person,
      history: [...persons.historyOf(naturalPersonId)],
      nextStatuses: [...(personTransitionsOf(settings.read())[person.naturalPersonStatus] ?? [])],
      identificationVerifications: verifications.of(naturalPersonId),
    };
  };
  const viewOfVerification = (id: string): z.infer<typeof verificationView> => ({
    identificationVerification: verifications.get(id),
    history: [...verifications.historyOf(id)],
  });

  router.openapi(
    createRoute({
      operationId: 'makeNaturalPerson',
      summary: 'Creates a person with the given status, by default ACTIVE, and makes up missing fields',
      method: 'post',
      path: '/natural-persons',
      middleware: requireJson,
      request: { body: jsonBody(readyPerson) },
      responses: { 200: json('The person', z.strictObject({ naturalPersonId: z.uuid() })), ...errors(409) },
    }),
    (context) => {
      const { status, ...given } = context.req.valid('json');
      requirePersonStatus(status, 'status', settings.read());
      checkNewNaturalPerson(given, settings.read());
      const { naturalPersonId } = makeReadyPerson(deps, given, status);
      return context.json({ naturalPersonId }, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'viewNaturalPerson',
      summary: 'What the platform knows about a person',
      method: 'get',
      path: '/natural-persons/{naturalPersonId}',
      request: { params: naturalPersonParams },
      responses: { 200: json('The person', personView), ...errors(404) },
    }),
    (context) => context.json(viewOf(context.req.valid('param').naturalPersonId), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'changeNaturalPersonStatus',
      summary: 'Changes the status of a person, if the table of statuses allows it',
      method: 'post',
      path: '/natural-persons/{naturalPersonId}/status',
      request: { params: naturalPersonParams, body: jsonBody(statusChange) },
      responses: { 200: json('The person', personView), ...errors(404, 409) },
    }),
    (context) => {
      const { naturalPersonId } = context.req.valid('param');
      const { naturalPersonStatus: status, validationError: reason } = context.req.valid('json');
      requirePersonStatus(status, 'naturalPersonStatus', settings.read());
      persons.changeStatus(naturalPersonId, status, reason);
      return context.json(viewOf(naturalPersonId), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'addSignedDocument',
      summary: 'Adds a document that the person has signed (section 2.4)',
      method: 'post',
      path: '/natural-persons/{naturalPersonId}/signed-documents',
      middleware: requireJson,
      request: { params: naturalPersonParams, body: jsonBody(newSignedDocument) },
      responses: { 200: json('The person', personView), ...errors(404) },
    }),
    (context) => {
      const { naturalPersonId } = context.req.valid('param');
      persons.addSignedDocument(naturalPersonId, context.req.valid('json'));
      return context.json(viewOf(naturalPersonId), 200);
    },
  );

  router.openapi(
    createRoute({
      operationId: 'viewIdentificationVerification',
      summary: 'What the platform knows about an identification verification',
      method: 'get',
      path: '/identification-verifications/{identificationVerificationId}',
      request: { params: verificationParams },
      responses: { 200: json('The verification', verificationView), ...errors(404) },
    }),
    (context) => context.json(viewOfVerification(context.req.valid('param').identificationVerificationId), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'endVideoCall',
      summary: 'Ends the video call of an identification verification that is PENDING',
      method: 'post',
      path: '/identification-verifications/{identificationVerificationId}/video-call',
      request: { params: verificationParams, body: jsonBody(videoCall) },
      responses: { 200: json('The verification', verificationView), ...errors(404, 409) },
    }),
    (context) => {
      const { identificationVerificationId: id } = context.req.valid('param');
      const { outcome, validationError: reason } = context.req.valid('json');
      verifications.endVideoCall(id, outcome, reason);
      return context.json(viewOfVerification(id), 200);
    },
  );
  return router;
}
