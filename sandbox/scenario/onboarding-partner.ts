import { setTimeout as wait } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import * as z from 'zod';
import type { Host } from '#sandbox/aws/host.ts';

/** An onboarding as `GET /onboardings/{externalId}` shows it. */
export const shownOnboarding = z.object({
  onboardingId: z.string(),
  sequence: z.number(),
  step: z.string(),
  mode: z.string(),
  naturalPersonId: z.string().optional(),
  identificationVerificationId: z.string().optional(),
  reasons: z.array(z.object({ code: z.string(), fields: z.array(z.string()).optional() })).optional(),
});

export type ShownOnboarding = z.infer<typeof shownOnboarding>;

const erasureToRepeat = z.record(z.string(), z.string());

/** How something was answered. */
export type Answer = {
  readonly status: number;
  readonly body: string;
  /** How often it was asked: beyond the first time, what was asked for may be done already. */
  readonly tries: number;
};

/** The onboarding API answers with what no partner can do anything about. */
export class OnboardingApiError extends Error {
  override readonly name = 'OnboardingApiError';
}

export type PartnerDeps = {
  readonly host: Pick<Host, 'place' | 'blueprint'>;
  /** Told of each answer, and of what it answers. */
  readonly onAnswer: (body: string, what: string) => void;
};

/** In milliseconds: when to ask again where more is asked than the stage lets through, or where a function died. */
const afterFailure = 200;

const mostTries = 50;

export type Partner = ReturnType<typeof createPartner>;

/** A partner's own system: it requests onboardings until they are taken in, by the API or on the bus, and looks at them. */
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
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const response = await fetch(`${apiOrigin}${path}`, init);
      const body = await response.text();
      onAnswer(`${JSON.stringify([...response.headers])} ${body}`, `${response.status} to ${method}`);
      if (response.status !== 429 && response.status < 500) return { status: response.status, body, tries };
      await wait(afterFailure);
    }
    throw new OnboardingApiError(
      `${path} is not answered after ${mostTries} tries: the log of the functions says why.`,
    );
  }

  /** Sends the erasure again with the query parameters of each 202, until the answer is another one. */
  async function erase(externalId: string, query = ''): Promise<Answer> {
    const answer = await ask('DELETE', `/persons/${encodeURIComponent(externalId)}${query}`);
    if (answer.status !== 202) return answer;
    const { message: _, ...next } = erasureToRepeat.parse(JSON.parse(answer.body));
    return erase(externalId, `?${new URLSearchParams(next)}`);
  }

  const pathOf = (externalId: string) => `/onboardings/${encodeURIComponent(externalId)}`;

  return {
    /** @returns the status of the answer: 202 where it is taken in. @throws {OnboardingApiError} */
    post: async (request: unknown): Promise<number> => (await ask('POST', '/onboardings', request)).status,
    publish: async (request: unknown): Promise<void> => {
      const event = { Source: 'partner.app', DetailType: 'OnboardingRequested', Detail: JSON.stringify(request) };
      await eventBridge.send(new PutEventsCommand({ Entries: [{ EventBusName, ...event }] }));
    },
    /** Undefined where there is no such onboarding. @throws {OnboardingApiError} */
    read: async (externalId: string): Promise<ShownOnboarding | 'erased' | undefined> => {
      const { status, body } = await ask('GET', pathOf(externalId));
      if (status === 410) return 'erased';
      return status === 404 ? undefined : shownOnboarding.parse(JSON.parse(body));
    },
    /** @throws {OnboardingApiError} */
    operate: (operation: 'cancel' | 'retry', externalId: string): Promise<Answer> =>
      ask('POST', `${pathOf(externalId)}/${operation}`),
    /** Updates the person (section 4.1). @throws {OnboardingApiError} */
    update: (externalId: string, update: unknown): Promise<Answer> =>
      ask('PATCH', `${pathOf(externalId)}/person`, update),
    /** @throws {OnboardingApiError} */
    erase: (externalId: string): Promise<Answer> => erase(externalId),
  };
}
