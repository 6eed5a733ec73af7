import { setTimeout as wait } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import * as z from 'zod';
import type { Host } from '#sandbox/aws/host.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { externalIdMarker } from '#sandbox/scenario/common/marker-words.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { PlannedOnboarding } from './plan.ts';

/** An onboarding as `GET /onboardings/{externalId}` returns it. */
const onboardingView = z.object({
  onboardingId: z.string(),
  sequence: z.number(),
  step: z.string(),
  mode: z.string(),
  naturalPersonId: z.string().optional(),
  identificationVerificationId: z.string().optional(),
  reasons: z.array(z.object({ code: z.string(), fields: z.array(z.string()).optional() })).optional(),
});

export type OnboardingView = z.infer<typeof onboardingView>;

const erasureToRepeat = z.record(z.string(), z.string());

/** The answer to a request. */
export type Answer = {
  readonly status: number;
  readonly body: string;
  /** The number of attempts. After the first one, an earlier attempt may already have succeeded. */
  readonly tries: number;
};

export type PartnerDeps = {
  readonly host: Pick<Host, 'place' | 'blueprint'>;
  /** Called with each answer, and with what it answers. */
  readonly onAnswer: (body: string, what: string) => void;
};

/** The delay before a retry of a throttled request, or of one whose function died. */
const retryDelayMs = 200;

const maxAttempts = 50;

export type Partner = ReturnType<typeof createPartner>;

/** A partner's own system. It requests onboardings through the API or the bus, repeats failed requests, and reads results. */
export function createPartner({ host, onAnswer }: PartnerDeps) {
  const { apiOrigin, awsOrigin, region } = host.place;
  const eventBridge = new EventBridgeClient({
    region,
    endpoint: awsOrigin,
    credentials: { accessKeyId: 'partner', secretAccessKey: 'partner' },
  });
  const EventBusName = host.blueprint.eventBuses[0]?.physicalName;

  async function ask(method: string, path: string, content?: unknown): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    const init = content === undefined ? { method } : { method, headers, body: JSON.stringify(content) };
    for (let tries = 1; tries <= maxAttempts; tries += 1) {
      const response = await fetch(`${apiOrigin}${path}`, init);
      const body = await response.text();
      onAnswer(`${JSON.stringify([...response.headers])} ${body}`, `${response.status} to ${method}`);
      if (response.status !== 429 && response.status < 500) return { status: response.status, body, tries };
      await wait(retryDelayMs);
    }
    throw new SandboxError('API_FAILED', `${path} failed ${maxAttempts} times. Read the log of the functions.`);
  }

  /** Repeats the erasure with the query parameters of each 202, until another status is returned. */
  async function erase(externalId: string, query = ''): Promise<Answer> {
    const answer = await ask('DELETE', `/persons/${encodeURIComponent(externalId)}${query}`);
    if (answer.status !== 202) return answer;
    const { message: _, ...next } = erasureToRepeat.parse(JSON.parse(answer.body));
    return erase(externalId, `?${new URLSearchParams(next)}`);
  }

  const pathOf = (externalId: string) => `/onboardings/${encodeURIComponent(externalId)}`;

  return {
    /** @returns the status of the answer: 202 if accepted. @throws {SandboxError} API_FAILED */
    post: async (request: unknown): Promise<number> => (await ask('POST', '/onboardings', request)).status,
    publish: async (request: unknown): Promise<void> => {
      const event = { Source: 'partner.app', DetailType: 'OnboardingRequested', Detail: JSON.stringify(request) };
      await eventBridge.send(new PutEventsCommand({ Entries: [{ EventBusName, ...event }] }));
    },
    /** @returns undefined if there is no such onboarding. @throws {SandboxError} API_FAILED */
    read: async (externalId: string): Promise<OnboardingView | 'erased' | undefined> => {
      const { status, body } = await ask('GET', pathOf(externalId));
      if (status === 410) return 'erased';
      return status === 404 ? undefined : onboardingView.parse(JSON.parse(body));
    },
    /** @throws {SandboxError} API_FAILED */
    operate: (operation: 'cancel' | 'retry', externalId: string): Promise<Answer> =>
      ask('POST', `${pathOf(externalId)}/${operation}`),
    /** Updates the person (section 4.1). @throws {SandboxError} API_FAILED */
    update: (externalId: string, update: unknown): Promise<Answer> =>
      ask('PATCH', `${pathOf(externalId)}/person`, update),
    /** @throws {SandboxError} API_FAILED */
    erase: (externalId: string): Promise<Answer> => erase(externalId),
  };
}

const requestConcurrency = 8;

/** Requests onboardings as planned. Resolves when the API has accepted its share. */
export async function requestOnboardings(partner: Partner, planned: readonly PlannedOnboarding[]): Promise<void> {
  await mapConcurrent(planned, requestConcurrency, async ({ request, isByEvent }) => {
    if (isByEvent) await partner.publish(request);
    else await partner.post(request);
  });
}

/** The number of invalid requests, and of wrong answers to them. */
export type InvalidRequestResults = { readonly asked: number; readonly wrong: number };

/** Repeats requests unchanged and with other data, and sends invalid ones. */
export async function sendInvalidRequests(
  partner: Partner,
  planned: readonly PlannedOnboarding[],
): Promise<InvalidRequestResults> {
  const statuses = await mapConcurrent(planned, requestConcurrency, async ({ request }) => {
    const { person, externalId } = request;
    const differing = { ...request, person: { ...person, lastName: `${person.lastName}-Beispiel` } };
    const broken = {
      ...request,
      externalId: externalId.replace(externalIdMarker, `${externalIdMarker}-broken`),
      person: { ...person, firstName: `${person.firstName}  `, [person.lastName]: person.lastName },
    };
    await partner.publish(broken);
    await partner.publish(differing);
    return [
      { expected: 202, found: await partner.post(request) },
      { expected: 409, found: await partner.post(differing) },
      { expected: 400, found: await partner.post(broken) },
    ];
  });
  const answers = statuses.flat();
  return { asked: answers.length, wrong: answers.filter(({ expected, found }) => expected !== found).length };
}
