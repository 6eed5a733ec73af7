import * as z from 'zod';
import { ApiError, messageOf } from '#cli/command/command-error.ts';
import { requestPath } from '#cli/command/request-url.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { onboardingAnswer } from '#shared/api/onboarding-answers.ts';
import { entityAnswer, eventAnswer } from '#shared/api/query-answers.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { defineRead } from './define-read.ts';

/** Something with the id, and its page. */
export type Hit = { readonly what: string; readonly state: string | undefined; readonly path: string };

/** Event and onboarding ids. */
const digest = /^[\da-f]{64}$/;

/** A digest, or a UUID. */
const hexadecimal = /^(?:[\da-f]{64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Asks for the id as everything that it can be. */
export function createSearchRead({ deployment: { api } }: Pick<ConsoleContext, 'deployment'>) {
  async function findEvent(eventId: string): Promise<Hit> {
    const path = requestPath`/events/${eventId}`;
    const event = await api.send({ method: 'GET', path, query: { body: 'omit' } }, eventAnswer);
    return { what: `event, ${event.eventType}`, state: event.quarantineReason ?? 'stored', path };
  }

  async function findEntity(kind: (typeof entityKinds)[number], id: string): Promise<Hit> {
    const path = requestPath`/entities/${kind}/${id}`;
    const { status } = await api.send({ method: 'GET', path }, entityAnswer);
    return { what: kind, state: status, path };
  }

  async function findOnboarding(externalId: string): Promise<Hit> {
    const path = requestPath`/onboardings/${externalId}`;
    const { step } = await api.send({ method: 'GET', path }, onboardingAnswer);
    return { what: 'onboarding', state: step, path };
  }

  return defineRead(z.object({ id: z.string().max(256) }), async ({ id }) => {
    if (id === '') return { hits: [], unsearched: [] };
    // Other systems write a UUID or a digest in capitals. An externalId is a text of the partner.
    const same = hexadecimal.test(id) ? id.toLowerCase() : id;
    const attempts = [
      ...(digest.test(same) ? [findEvent(same), findOnboarding(`onboardingId:${same}`)] : []),
      ...entityKinds.map((kind) => findEntity(kind, same)),
      findOnboarding(id),
    ];
    const results = await Promise.allSettled(attempts);
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    return {
      hits: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
      // What no answer has such an id, or what the API takes for none, is not there. Anything else was not searched.
      unsearched: [...new Set(failures.filter((error) => !isAbsent(error)).map(messageOf))],
    };
  });
}

function isAbsent(error: unknown): boolean {
  return error instanceof ApiError && [400, 404].includes(error.status);
}
