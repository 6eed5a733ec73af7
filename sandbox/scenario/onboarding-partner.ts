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

  async function ask(
    path: string,
    init: RequestInit = {},
  ): Promise<{ readonly status: number; readonly body: string }> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const response = await fetch(`${apiOrigin}${path}`, init);
      const body = await response.text();
      onAnswer(`${JSON.stringify([...response.headers])} ${body}`, `${response.status} to ${init.method ?? 'GET'}`);
      if (response.status !== 429 && response.status < 500) return { status: response.status, body };
      await wait(afterFailure);
    }
    throw new OnboardingApiError(
      `${path} is not answered after ${mostTries} tries: the log of the functions says why.`,
    );
  }

  return {
    /** @returns the status of the answer: 202 where it is taken in. @throws {OnboardingApiError} */
    post: async (request: unknown): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      const { status } = await ask('/onboardings', { method: 'POST', headers, body: JSON.stringify(request) });
      return status;
    },
    publish: async (request: unknown): Promise<void> => {
      const event = { Source: 'partner.app', DetailType: 'OnboardingRequested', Detail: JSON.stringify(request) };
      await eventBridge.send(new PutEventsCommand({ Entries: [{ EventBusName, ...event }] }));
    },
    /** Undefined where there is no such onboarding. @throws {OnboardingApiError} */
    read: async (externalId: string): Promise<ShownOnboarding | undefined> => {
      const { status, body } = await ask(`/onboardings/${encodeURIComponent(externalId)}`);
      return status === 404 ? undefined : shownOnboarding.parse(JSON.parse(body));
    },
  };
}
