import { createPlatform, type Platform } from '#sandbox/platform/app/platform.ts';
import type { UndeliveredRecord } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import type { WebhookData } from '#sandbox/platform/webhooks/webhook-schema.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Owner, Scheduler } from '#test/simulation/scheduler/scheduler.ts';
import { virtualTimeout } from '#test/simulation/scheduler/virtual-timers.ts';
import { foreignDelivery, foreignUrl } from '#test/simulation/workload/plan-foreign-records.ts';
import { createCoarseTimes } from './coarse-times.ts';
import type { Gateway } from './gateway.ts';
import { createLateRecords } from './late-records.ts';
import { createLossyWebhooks } from './lossy-webhooks.ts';
import { answerOf } from './platform-answer.ts';
import { newEventType, type PlatformApp, simulatedProfile } from './platform-app.ts';
import { createPlatformPersons, type PlatformPersons } from './platform-persons.ts';

/** How often a list may repeat a cursor in a row: more often than the failures of hours keep a caller from reading its page. */
const maxRepeats = 2_000;

/** In characters: a cursor that still fits into a DynamoDB row. */
const longCursor = 100_000;

export const credentials = { clientId: 'drawbridge', clientSecret: 'CANARY-client-secret' };

export type SimulatedPlatformOptions = {
  readonly seed: number;
  /** In seconds. */
  readonly tokenLifetime: number;
  readonly undeliveredOrder: string;
  readonly undeliveredCursor: string;
};

export type SimulatedPlatformDeps = {
  readonly app: PlatformApp;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly gateway: Pick<Gateway, 'deliver'>;
  /** The URL of the webhooks, followed by the event type. */
  readonly webhooksUrl: string;
  /** Receives the records that are about to be marked. */
  readonly onMark: (records: readonly UndeliveredRecord[]) => void;
  /** Receives all verifications of a person after each create. */
  readonly onVerification: (verifications: ReturnType<Platform['verifications']['of']>) => void;
  /** A caller does not end its walk over a list, although the cursor repeats. */
  readonly onEndlessWalk: () => void;
  readonly onError: (error: unknown) => void;
};

export type SimulatedPlatform = {
  readonly core: Platform;
  readonly owner: Owner;
  readonly persons: PlatformPersons;
  /** Answers a call of the API or of the token service. */
  readonly answer: (url: string, init?: RequestInit) => Promise<Response>;
  /** The records as the platform lists them. */
  readonly listed: (records: readonly UndeliveredRecord[]) => readonly UndeliveredRecord[];
  /** All issued tokens, including expired ones. */
  readonly tokens: ReadonlyMap<string, IssuedToken>;
  /** All registrations, past and present. */
  readonly registered: readonly Registered[];
  /** Records that a call with this token was answered with 401. */
  readonly noteRefusal: (token: string) => void;
  /** Stops the token service until this time, in milliseconds since 1970. */
  readonly endTokens: (until: number) => void;
};

/** Times in milliseconds since 1970. */
export type IssuedToken = {
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | undefined;
  /** When a call with the token was first refused, for any reason. */
  readonly refusedAt?: number;
};

/** The headers of a registration with its period, in milliseconds since 1970. */
export type Registered = {
  readonly eventType: string;
  readonly headers: NonNullable<WebhookData['headers']>;
  readonly from: number;
  until: number;
};

/** The sandbox platform's own core and HTTP app, in memory, on virtual time. */
export function createSimulatedPlatform(
  { seed, ...settings }: SimulatedPlatformOptions,
  {
    app,
    scheduler,
    faults,
    gateway,
    webhooksUrl,
    onMark,
    onVerification,
    onEndlessWalk,
    onError,
  }: SimulatedPlatformDeps,
): SimulatedPlatform {
  const owner: Owner = { name: 'platform', isAwake: () => true };
  const share = (kind: 'delivery duplicated' | 'delivery delayed' | 'delivery reordered') =>
    faults.happens(kind) ? 0.2 : 0;
  let noTokensUntil = 0;
  const platform = createPlatform({
    seed,
    profile: simulatedProfile,
    credentials,
    newEventTypes: [newEventType],
    settings: {
      ...settings,
      deliveriesDuplicated: share('delivery duplicated'),
      deliveriesDelayed: share('delivery delayed'),
      deliveriesReordered: share('delivery reordered'),
      deliveryDelay: 120,
      videoCallsAfter: 90,
      videoCallOutcomes: { APPROVED: 2, FAILED_BY_CUSTOMER: 1 },
    },
    fetch: deliver,
    timeout: (milliseconds) => virtualTimeout(scheduler, milliseconds),
    now: () => new Date(scheduler.now()),
    onError,
  });

  function markDelivered(id: string): boolean {
    const all = platform.undelivered.all();
    const newest = all.findIndex((record) => record.id === id);
    onMark(coarseTimes.listed(all.slice(0, newest + 1)));
    return platform.undelivered.markDelivered(id);
  }

  const tokens = new Map<string, IssuedToken>();

  function issue() {
    const token = platform.tokens.issue();
    const issuedAt = scheduler.now();
    tokens.set(token.accessToken, { issuedAt, expiresAt: issuedAt + token.expiresIn * 1_000, revokedAt: undefined });
    return token;
  }

  function revoke(): void {
    platform.tokens.revoke();
    for (const [token, issued] of tokens)
      tokens.set(token, { ...issued, revokedAt: issued.revokedAt ?? scheduler.now() });
  }

  function noteRefusal(token: string): void {
    const issued = tokens.get(token);
    if (issued !== undefined) tokens.set(token, { ...issued, refusedAt: issued.refusedAt ?? scheduler.now() });
  }

  const registered: Registered[] = [];

  function register(data: WebhookData): void {
    platform.registrations.register(data);
    const { eventType, headers = [] } = data;
    const before = registered.findLast((one) => one.eventType === eventType);
    if (before !== undefined) before.until = scheduler.now();
    registered.push({ eventType, headers, from: scheduler.now(), until: Number.POSITIVE_INFINITY });
  }

  function verify(data: Parameters<Platform['verifications']['create']>[0]) {
    const verification = platform.verifications.create(data);
    onVerification(platform.verifications.of(verification.naturalPersonId));
    return verification;
  }

  const coarseTimes = createCoarseTimes({ scheduler, faults, failOne });
  const listWithLate = createLateRecords({
    scheduler,
    faults,
    failOne,
    failElsewhere,
    undelivered: platform.undelivered,
  });
  const listUndelivered: typeof listWithLate = (query) => {
    const { data, pagination } = listWithLate(query);
    return { data: coarseTimes.listed(data), pagination: { ...pagination, cursor: lengthen(pagination.cursor) } };
  };

  /** Makes some cursors longer than the limit that the functions send or save. */
  function lengthen(cursor: string): string {
    return cursor !== '' && faults.happens('cursor too long') ? cursor.padEnd(longCursor, 'x') : cursor;
  }

  const core: Platform = {
    ...platform,
    verifications: { ...platform.verifications, create: verify },
    registrations: { ...platform.registrations, register },
    undelivered: { ...platform.undelivered, list: listUndelivered, markDelivered },
    tokens: { ...platform.tokens, issue, revoke },
  };

  const persons = createPlatformPersons(core);
  const arrivingOf = createLossyWebhooks({ faults, core });

  async function deliver(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const target = String(url);
    if (!target.startsWith(`${webhooksUrl}/`)) throw new TypeError('fetch failed');
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = arrivingOf(Buffer.from(init.body as Uint8Array));
    if (body === undefined) return answerOf(200, {});
    const eventType = target.slice(webhooksUrl.length + 1);
    const answered = gateway.deliver(owner, { eventType, headers, body });
    const { promise, reject } = Promise.withResolvers<never>();
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    return Promise.race([answered, promise]);
  }

  async function answer(url: string, init?: RequestInit): Promise<Response> {
    const { pathname, searchParams } = new URL(url);
    if (pathname === simulatedProfile.token.path && scheduler.now() < noTokensUntil) return answerOf(503, {});
    const cursor = searchParams.get('cursor');
    if (isForgotten(pathname, cursor)) return answerOf(400, {});
    if (cursor !== null && faults.happens('list changing between pages')) {
      const draw = faults.draw('list changing between pages');
      await scheduler.runAs(owner, () => (isListOfPersons(pathname) ? persons.moveRandomPerson(draw) : failOne()));
    }
    const response = await scheduler.runAs(owner, () => app(core, url, init));
    if (cursor !== null) return repeatCursor(response, pathname, cursor);
    repeats.delete(pathname);
    return response;
  }

  const forgotten = new Map<string, string>();

  /** Whether a cursor has expired. It stays expired until the caller reads the list from the start. */
  function isForgotten(list: string, cursor: string | null): boolean {
    if (cursor === null) forgotten.delete(list);
    else if (faults.happens('cursor expired')) forgotten.set(list, cursor);
    return cursor !== null && forgotten.get(list) === cursor;
  }

  /** Adds an undelivered record. */
  function failOne(): void {
    platform.madeUpDeliveries.add({ count: 1, malformed: 0, eventType: 'TRANSFER_NOTIFICATION', status: 'PENDING' });
  }

  function failElsewhere(): void {
    const createdOn = new Date(scheduler.now()).toISOString();
    const eventType = 'TRANSFER_NOTIFICATION';
    platform.undelivered.add(foreignDelivery({ eventType, url: foreignUrl(eventType) }, { createdOn, id: 'late' }));
  }

  /** By list: how often its cursor was repeated since a walk began. */
  const repeats = new Map<string, number>();

  /** Repeats the cursor on the last page. A platform that does so continues after the faults end. */
  async function repeatCursor(response: Response, list: string, cursor: string): Promise<Response> {
    const bytes = await response.bytes();
    const page = JSON.parse(Buffer.from(bytes).toString());
    const isLast = page.pagination?.cursor === '';
    if (!isLast) return response;
    const isRepeated = faults.happens('repeated cursor') || (faults.areOver() && faults.isEnabled('repeated cursor'));
    if (!isRepeated) return response;
    repeats.set(list, (repeats.get(list) ?? 0) + 1);
    if ((repeats.get(list) ?? 0) > maxRepeats) onEndlessWalk();
    return answerOf(200, { ...page, pagination: { ...page.pagination, cursor } });
  }

  return {
    core,
    owner,
    persons,
    listed: coarseTimes.listed,
    tokens,
    registered,
    answer,
    noteRefusal,
    endTokens: (until) => {
      noTokensUntil = until;
    },
  };
}

function isListOfPersons(pathname: string): boolean {
  return pathname === '/entities/natural-persons';
}
