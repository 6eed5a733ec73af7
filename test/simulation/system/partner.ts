import * as z from 'zod/mini';
import type { RequestedOnboarding } from '#sandbox/scenario/onboarding/plan.ts';
import type { ApiAnswer } from '#shared/lambda/http-api.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { FunctionName } from '#test/simulation/declared.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';
import type { ErasureAction, PlannedPerson } from '#test/simulation/workload/plan-onboardings.ts';
import type { Cloud } from './cloud.ts';
import type { LambdaFunction, Outcome } from './lambda-function.ts';

const refusal = z.object({ onboardingIds: z._default(z.array(z.string()), []) });

export type PartnerDeps = {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly cloud: Pick<Cloud, 'eventBridge'>;
  readonly isDown: (service: 'eventbridge') => boolean;
  /** Takes an event of the partner that is on the bus. */
  readonly onEvent: (event: object) => void;
  /** The id of the person with an externalId, as the platform's support looks it up. */
  readonly findPersonId: (externalId: string) => string | undefined;
  /** Makes the platform report about the person of an externalId without a change. */
  readonly report: (externalId: string) => Promise<void>;
  readonly lambda: (name: FunctionName) => LambdaFunction;
  readonly newId: () => string;
  readonly trace: (who: string, what: string) => void;
};

export type PartnerOperation = 'request' | 'request differing' | 'cancel' | 'retry' | 'update' | 'erase';

/** The final response to a call. Each call is retried until it has a response. */
export type PartnerAnswer = {
  readonly externalId: string;
  readonly operation: PartnerOperation;
  /** For an erasure: the ids in the request. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly status: number;
  readonly body: string;
  /** The times of the first attempt, the last attempt and the response. In milliseconds since 1970. */
  readonly firstAskedAt: number;
  readonly askedAt: number;
  readonly answeredAt: number;
};

export type Partner = ReturnType<typeof createPartner>;

/** The function and the route of each API operation. */
const routes = {
  request: ['api', 'POST /onboardings'],
  'request differing': ['api', 'POST /onboardings'],
  cancel: ['api', 'POST /onboardings/{externalId}/cancel'],
  retry: ['api', 'POST /onboardings/{externalId}/retry'],
  update: ['update-person', 'PATCH /onboardings/{externalId}/person'],
  erase: ['erase-person', 'DELETE /persons/{externalId}'],
} as const satisfies Record<PartnerOperation, readonly [FunctionName, string]>;

/** In milliseconds. */
const second = 1_000;
const minute = 60 * second;

/** The profession in an update, and the profession in a differing request. */
export const updatedProfession = 'Canarybird updated';
const otherProfession = 'Canarybird another';

/** The partner's own system, which retries each call until it has a response. */
export function createPartner({
  scheduler,
  faults,
  random,
  cloud,
  isDown,
  onEvent,
  findPersonId,
  report,
  lambda,
  newId,
  trace,
}: PartnerDeps) {
  const answers: PartnerAnswer[] = [];
  const requested = new Set<string>();
  let underWay = 0;

  /** Waits without an owner, because the owner of the running task can be frozen. */
  function sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    scheduler.after(milliseconds, resolve);
    return promise;
  }

  async function invoke(name: FunctionName, event: object): Promise<Outcome> {
    await sleep(0);
    const outcome = await lambda(name).invoke(event);
    await sleep(0);
    return outcome;
  }

  /** Calls the API once. Returns undefined when no response arrives. */
  async function callOnce(operation: PartnerOperation, externalId: string, { body, query }: Content) {
    if (faults.happens('gateway throttling')) return { status: 429, body: '' };
    const [name, routeKey] = routes[operation];
    const outcome = await invoke(name, {
      routeKey,
      pathParameters: { externalId },
      body: JSON.stringify(body ?? {}),
      queryStringParameters: query,
      isBase64Encoded: false,
    });
    if ('failure' in outcome || faults.happens('response to a delivery lost')) return undefined;
    const { statusCode, body: text = '' } = outcome.answer as ApiAnswer;
    return { status: statusCode, body: text };
  }

  /** Retries a call until it has a response. @returns the status */
  async function call(operation: PartnerOperation, externalId: string, content: Content = {}): Promise<number> {
    const firstAskedAt = scheduler.now();
    for (let tries = 0; ; tries += 1) {
      const askedAt = scheduler.now();
      const answer = await callOnce(operation, externalId, content);
      trace('partner', `${operation} of ${externalId}: ${answer?.status ?? 'no answer'}`);
      if (answer !== undefined && answer.status !== 429 && answer.status < 500) {
        const times = { firstAskedAt, askedAt, answeredAt: scheduler.now() };
        answers.push({ externalId, operation, query: content.query, ...answer, ...times });
        return answer.status;
      }
      await sleep((second + random() * 30 * second) * backOffFactor(tries));
    }
  }

  /** Publishes the request on the bus, once: no request is lost that the bus has. Waits for the event that answers the request. */
  async function publish(request: RequestedOnboarding): Promise<void> {
    for (let tries = 0; isDown('eventbridge'); tries += 1) await sleep(minute * backOffFactor(tries));
    trace('partner', `publishes ${request.externalId}`);
    // EventBridge gives the time in whole seconds.
    const time = new Date(scheduler.now()).toISOString().replace(/\.\d+/, '');
    onEvent({ id: newId(), time, 'detail-type': 'OnboardingRequested', detail: request });
    while (!isAnswered(request)) await sleep(minute / 4);
  }

  function isAnswered({ externalId }: RequestedOnboarding): boolean {
    const id = onboardingIdOf(externalId);
    return cloud.eventBridge
      .published()
      .some(({ detailType, detail }) => answering.has(detailType) && detail.includes(`"onboardingId":"${id}"`));
  }

  async function performPartnerAction({ request, partnerAction: what }: PlannedPerson): Promise<void> {
    const { externalId } = request;
    const differing = { body: differingFrom(request) };
    switch (what) {
      case 'requests it again':
        return void (await call('request', externalId, { body: request }));
      case 'requests it with other data':
        return void (await call('request differing', externalId, differing));
      case 'cancels it':
        return void (await call('cancel', externalId));
      case 'cancels it, and requests it with other data':
        if ((await call('cancel', externalId)) === 202) await requestUntilBegun(externalId, differing);
        return;
      case 'retries it':
        return void (await call('retry', externalId));
      case 'updates the person':
        return void (await call('update', externalId, { body: update }));
      case 'erases the person':
        return erase(request);
      case 'erases the person, and requests it again':
        await erase(request);
        return void (await call('request', externalId, { body: request }));
      case 'cancels it, and requests it during the erasure':
        await call('cancel', externalId);
        return void (await Promise.all([erase(request), requestDuringErasure(request)]));
      default:
        return undefined;
    }
  }

  /** Requests after the end of most erasures, but during an erasure with a slow I/O. */
  async function requestDuringErasure(request: RequestedOnboarding): Promise<void> {
    await sleep(2 * second);
    await call('request differing', request.externalId, { body: differingFrom(request) });
  }

  /**
   * Follows the remedy of a response that reports an ended onboarding: sends the request again. With clock skew, a request just
   * after a cancel looks like a request before it, and a late copy must not restart a canceled onboarding.
   */
  async function requestUntilBegun(externalId: string, content: Content): Promise<void> {
    const last = () => answers.findLast((answer) => answer.externalId === externalId);
    while ((await call('request differing', externalId, content)) === 409 && saysCanceled(last()))
      await sleep(random() * 30 * second);
  }

  /** Continues an erasure with the parameters of the previous response until its end. @returns the status */
  async function continueErasure(externalId: string, query: Content['query']): Promise<number> {
    const status = await call('erase', externalId, { query });
    if (status !== 202) return status;
    // The erasure can wait for the bus.
    await sleep(minute / 4);
    const { message, ...next } = JSON.parse(
      answers.findLast((answer) => answer.externalId === externalId)?.body ?? '{}',
    );
    return continueErasure(externalId, next);
  }

  /** Another system of the partner requests the onboarding with other data, within the time of most erasures. */
  async function restart(request: RequestedOnboarding, tries: number): Promise<void> {
    await sleep(10 ** (0.5 + random() * 2));
    await call('request differing', request.externalId, { body: differingFrom(request, tries) });
  }

  /** The platform reports about the person during the erasure. */
  async function reportDuringErasure(externalId: string): Promise<void> {
    await sleep(10 ** (0.5 + random() * 2));
    await report(externalId);
  }

  /** The partner knows that all ids are of one person, and confirms the ids that a 409 has named. */
  function confirmed(externalId: string): { readonly onboardingId?: string } {
    const refusals = answers.filter((answer) => answer.externalId === externalId && answer.status === 409);
    const ids = refusals.flatMap(({ body }) => refusal.parse(JSON.parse(body)).onboardingIds);
    return ids.length === 0 ? {} : { onboardingId: [...new Set(ids)].join(',') };
  }

  /** Cancels a running onboarding first. If the onboarding ended without its person, names the person or requests again. */
  async function erase(request: RequestedOnboarding): Promise<void> {
    const { externalId } = request;
    const restarts = faults.happens('restart during an erasure') ? maxRestarts : 0;
    for (let tries = 0; ; tries += 1) {
      const isUnknown = tries > 1;
      const naturalPersonId = isUnknown ? findPersonId(externalId) : undefined;
      const query = { ...confirmed(externalId), ...(naturalPersonId !== undefined && { naturalPersonId }) };
      const erasure = continueErasure(externalId, query);
      if (faults.happens('reports during an erasure'))
        await Promise.all(Array.from({ length: reportsDuringErasure }, () => reportDuringErasure(externalId)));
      if (tries < restarts) await Promise.all([restart(request, 10 + tries), restart(request, 20 + tries)]);
      if ((await erasure) !== 409) return;
      if (isUnknown && naturalPersonId === undefined)
        await call('request differing', externalId, { body: differingFrom(request, tries) });
      await sleep(isUnknown ? minute * backOffFactor(tries) : random() * 5 * second);
      await call('cancel', externalId);
    }
  }

  return {
    /** Requests an onboarding, and then performs the planned action. */
    onboard: async (planned: PlannedPerson): Promise<void> => {
      underWay += 1;
      requested.add(planned.request.externalId);
      const { request, isByEvent, partnerAction: what, actsAfter } = planned;
      const twice = what === 'requests it twice concurrently' ? 2 : 1;
      const post = () => call('request', request.externalId, { body: request });
      if (isByEvent) await publish(request);
      else await Promise.all(Array.from({ length: twice }, post));
      await sleep(actsAfter);
      await performPartnerAction(planned);
      underWay -= 1;
    },
    /** Erases a person without an onboarding. */
    eraseUnknown: async ({ externalId, naturalPersonId }: Omit<ErasureAction, 'type'>): Promise<void> => {
      underWay += 1;
      await continueErasure(externalId, { naturalPersonId });
      underWay -= 1;
    },
    /** Retries a stopped onboarding. */
    retry: async (externalId: string): Promise<void> => {
      underWay += 1;
      await call('retry', externalId);
      underWay -= 1;
    },
    /** Whether no call is under way. */
    isIdle: () => underWay === 0,
    hasRequested: (externalId: string): boolean => requested.has(externalId),
    answers: (): readonly PartnerAnswer[] => answers,
  };
}

/** How often the partner requests an onboarding again during the erasure of its person. */
const maxRestarts = 4;

/** How often the platform reports about a person during an erasure. */
const reportsDuringErasure = 3;

/** The factor of the exponential back-off, for an API that is down for hours. */
function backOffFactor(tries: number): number {
  return 2 ** Math.min(Math.max(0, tries - 10), 6);
}

function saysCanceled(answer: PartnerAnswer | undefined): boolean {
  return JSON.parse(answer?.body ?? '{}').step === 'CANCELED';
}

const answering: ReadonlySet<string> = new Set(['OnboardingAccepted', 'OnboardingRejected']);

type Content = {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>> | undefined;
};

const update = { naturalPersonUpdateData: { profession: updatedProfession } };

/** The request with another profession. The fields that identify the person stay the same. */
function differingFrom(request: RequestedOnboarding, tries = 0) {
  return { ...request, person: { ...request.person, profession: `${otherProfession} ${tries}` } };
}
