import { defaultProvider } from '@aws-sdk/credential-provider-node';
import * as z from 'zod/mini';
import { checkOptions, urlOption } from '#package/check-options.ts';
import { pause } from '#package/pause.ts';
import { erasureAnswer } from '#shared/api/onboarding-answers.ts';
import { changesPath, joinPath } from '#shared/api/request-path.ts';
import { parseJson } from '#shared/parse-json.ts';
import { type BackOff, pauseMs } from '#shared/platform/client/retry-policy.ts';
import { isLocal } from '#shared/platform/fields/fields.ts';
import type { UnknownWord } from '#shared/platform/fields/received.ts';
import type { EntityKind, eventTypes } from '#shared/platform/profile/event-place.ts';
import type { NewNaturalPersonIdentification } from '#shared/platform/resources/natural-person-identification.ts';
import type { NewNaturalPerson } from '#shared/platform/resources/natural-person-schema.ts';
import type { UpdateNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import {
  type Entities,
  entities,
  eventBody,
  type ListedEntities,
  type ListedEvent,
  type ListedOnboarding,
  listedEntities,
  listedEvent,
  listedOnboarding,
  type Onboarding,
  onboarding,
  type Quarantine,
  quarantine,
  type StoredEvent,
  type StoredPerson,
  storedEvent,
  storedPerson,
  type TimelineEvent,
  timelineEvent,
} from './answers.ts';
import { DrawbridgeApiError } from './problem-error.ts';
import { AwsCredentialsError, createSignedFetch, type SignedFetchOptions } from './signed-fetch.ts';

export type DrawbridgeOptions = {
  /** The address of the API: the variable `DRAWBRIDGE_API_URL` after `grantQuery` or `grantOnboarding`, or the output `ApiUrl`. */
  readonly apiUrl: string;
  /** Of the API. Taken from the address unless given: give it for a domain of your own. */
  readonly region?: string | undefined;
  /** The credentials that sign, or what provides them. Those of the SDK's default chain unless given. */
  readonly credentials?: SignedFetchOptions['credentials'] | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** From 0 to 1, for the jitter of retries. */
  readonly random?: (() => number) | undefined;
  /** Resolves after so many milliseconds, or rejects when the signal aborts: the pause before a retry. */
  readonly wait?: ((milliseconds: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
};

export type RequestOptions = { readonly signal?: AbortSignal | undefined };

/** What `POST /onboardings` takes. */
export type OnboardingRequest = {
  /** The id of the person in your system. */
  readonly externalId: string;
  readonly person: NewNaturalPerson & { readonly externalId?: never };
  readonly identification:
    | { readonly mode: 'video'; readonly redirectUrl?: string | undefined }
    | ({ readonly mode: 'supplied' } & NewNaturalPersonIdentification)
    | { readonly mode: 'none' };
};

/** Ids of a person that your system knows, if Drawbridge does not know them by the externalId. */
export type PersonIds = {
  readonly naturalPersonId?: string | undefined;
  readonly identificationVerificationId?: string | undefined;
  readonly onboardingId?: string | undefined;
};

export type DrawbridgePage<Item> = {
  readonly items: readonly Item[];
  /** For `cursor` of a later list; absent on the last page. */
  readonly nextCursor?: string | undefined;
};

/** A list, item by item or page by page. Each iteration asks the API again. */
export type DrawbridgeList<Item> = AsyncIterable<Item> & { readonly pages: () => AsyncIterable<DrawbridgePage<Item>> };

type PageOptions = RequestOptions & {
  /** Items a page, 200 at the most. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
};

export type ListOnboardingsOptions = PageOptions & {
  readonly step?: Onboarding['step'] | undefined;
  readonly updatedFrom?: string | undefined;
  readonly updatedTo?: string | undefined;
};

export type ListEntitiesOptions<Kind extends EntityKind> = PageOptions & {
  readonly status?: Entities[Kind]['status'];
  readonly changedFrom?: string | undefined;
  readonly changedTo?: string | undefined;
};

export type ListEventsOptions = PageOptions & {
  readonly eventType?: (typeof eventTypes)[number] | UnknownWord | undefined;
  readonly quarantineReason?: string | undefined;
  readonly receivedFrom?: string | undefined;
  readonly receivedTo?: string | undefined;
};

/** In milliseconds: another request may be at work on the same erasure. */
const eraseInterval = 1_000;

const maxAttempts = 4;

const backOff: BackOff = { firstMs: 500, maxMs: 2_000 };

/** In milliseconds: after a longer Retry-After, the caller decides. */
const maxRetryAfter = 30_000;

/** In milliseconds, of one attempt. API Gateway answers within 30 seconds. */
const answerTimeout = 35_000;

const unknownAnswer = { detail: 'The answer is not one of Drawbridge: check apiUrl, and the version of this package.' };

/** What runs on this machine takes any credentials. */
const localCredentials = { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' };

type Query = Readonly<Record<string, unknown>>;

type ApiRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
};

export type DrawbridgeClient = ReturnType<typeof connectDrawbridge>;

const usableOptions = z.object({ apiUrl: urlOption });

/**
 * The client of Drawbridge's own API. Create it once per process. Each call throws a {@link DrawbridgeApiError} that names the problem, or an
 * {@link AwsCredentialsError}, and repeats what may succeed later: every route can be repeated with the same effect as once. It waits as long
 * as Retry-After says, up to 30 seconds, or backs off exponentially with full jitter.
 *
 * @throws {TypeError} when the region is neither given nor in the address, or the address is not https
 */
export function connectDrawbridge(options: DrawbridgeOptions) {
  const expectation = 'connectDrawbridge expects { apiUrl: process.env.DRAWBRIDGE_API_URL }, or the output ApiUrl.';
  const { apiUrl } = checkOptions(usableOptions, options, expectation);
  const {
    region = regionOf(apiUrl),
    credentials = isLocal(apiUrl) ? localCredentials : defaultProvider(),
    fetch = globalThis.fetch,
    random = Math.random,
    wait = pause,
  } = options;
  if (region === undefined)
    throw new TypeError(`The address ${apiUrl} names no region: give connectDrawbridge the region of the API.`);
  const send = createSignedFetch({ region, credentials, fetch });

  async function request<Answer>(
    schema: z.ZodMiniType<Answer>,
    { method, path, query = {}, body, signal }: ApiRequest,
  ): Promise<Answer> {
    const operation = `${method} ${path.split('/')[1]}`;
    const url = new URL(apiUrl + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const content = body === undefined ? undefined : JSON.stringify(body);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const timeout = AbortSignal.timeout(answerTimeout);
        const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
        const { status, ok, text, retryAfter } = await answerTo(
          operation,
          () => send(method, url, content, stop),
          signal,
        );
        const read = parseJson(text);
        if (!ok) throw new DrawbridgeApiError(operation, status, read, { retryAfter });
        const { data, error } = z.safeParse(schema, read);
        if (error === undefined) return data;
        throw new DrawbridgeApiError(operation, status, unknownAnswer, { cause: error });
      } catch (error) {
        if (!(error instanceof DrawbridgeApiError && error.isRetryable) || attempt === maxAttempts) throw error;
        const { retryAfter = random() * pauseMs(backOff, attempt - 1) } = error;
        if (retryAfter > maxRetryAfter) throw error;
        await pauseFor(retryAfter, signal);
      }
    }
  }

  /** However the signal ends the pause, the caller gets the signal's reason. */
  async function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await wait(milliseconds, signal);
    } finally {
      signal?.throwIfAborted();
    }
  }

  function list<Item>(
    item: z.ZodMiniType<Item>,
    path: string,
    { signal, cursor: start, ...query }: PageOptions & Query,
  ): DrawbridgeList<Item> {
    const rows = z.optional(z.array(item));
    // A timeline has events.
    const schema = z.object({ items: rows, events: rows, nextCursor: z.optional(z.string()) });
    async function* pages(): AsyncGenerator<DrawbridgePage<Item>> {
      let cursor = start;
      do {
        const page = await request(schema, { method: 'GET', path, query: { ...query, cursor }, signal });
        cursor = page.nextCursor;
        yield { items: page.items ?? page.events ?? [], nextCursor: cursor };
      } while (cursor !== undefined);
    }
    return {
      pages,
      async *[Symbol.asyncIterator]() {
        for await (const { items } of pages()) yield* items;
      },
    };
  }

  const optional = <Found>(found: Promise<Found>, ...missing: readonly DrawbridgeApiError['problem'][]) =>
    found.catch((error: unknown) => {
      if (error instanceof DrawbridgeApiError && error.problem && missing.includes(error.problem)) return undefined;
      throw error;
    });

  return {
    /** Needs `grantOnboarding`. */
    onboardings: {
      /** Requests an onboarding. The same request twice is the same once. */
      start: (body: OnboardingRequest, { signal }: RequestOptions = {}): Promise<Onboarding> =>
        request(onboarding, { method: 'POST', path: '/onboardings', body, signal }),
      /** The onboarding of a person; undefined if there is none, or the person was erased. */
      get: (externalId: string, { signal }: RequestOptions = {}): Promise<Onboarding | undefined> =>
        optional(
          request(onboarding, { method: 'GET', path: at`/onboardings/${externalId}`, signal }),
          'onboarding-not-found',
          'person-erased',
        ),
      /** The onboardings, the latest first. */
      list: (options: ListOnboardingsOptions = {}): DrawbridgeList<ListedOnboarding> =>
        list(listedOnboarding, '/onboardings', options),
      /** Tries a step again, or begins again after an end. */
      retry: (externalId: string, { signal }: RequestOptions = {}): Promise<Onboarding> =>
        request(onboarding, { method: 'POST', path: at`/onboardings/${externalId}/retry`, signal }),
      cancel: (externalId: string, { signal }: RequestOptions = {}): Promise<Onboarding> =>
        request(onboarding, { method: 'POST', path: at`/onboardings/${externalId}/cancel`, signal }),
    },
    persons: {
      /** Updates a person on the platform (section 4.1). Needs `grantOnboarding`. */
      update: async (externalId: string, body: UpdateNaturalPerson, { signal }: RequestOptions = {}): Promise<void> => {
        await request(z.unknown(), { method: 'PATCH', path: at`/onboardings/${externalId}/person`, body, signal });
      },
      /** What is stored of a person: personal data. Needs `grantPersons`. */
      export: (externalId: string, { signal, ...ids }: PersonIds & RequestOptions = {}): Promise<StoredPerson> => {
        const query = { ...ids, request: 'include' };
        return request(storedPerson, { method: 'GET', path: at`/persons/${externalId}`, query, signal });
      },
      /** Erases a person from Drawbridge, which cannot be undone. Resolves once the erasure is complete. Needs `grantPersons`. */
      erase: async (externalId: string, { signal, ...query }: PersonIds & RequestOptions = {}): Promise<void> => {
        const erasure = { method: 'DELETE', path: at`/persons/${externalId}`, query, signal } as const;
        while ((await request(z.optional(erasureAnswer), erasure)) !== undefined) await pauseFor(eraseInterval, signal);
      },
    },
    /** Needs `grantQuery`, as do the events. */
    entities: {
      /** What Drawbridge knows of an entity; undefined if it knows nothing. */
      get: <Kind extends EntityKind>(
        kind: Kind,
        id: string,
        { signal }: RequestOptions = {},
      ): Promise<Entities[Kind] | undefined> =>
        optional(
          request<Entities[Kind]>(entities[kind], { method: 'GET', path: at`/entities/${kind}/${id}`, signal }),
          'entity-not-found',
        ),
      list: <Kind extends EntityKind>(
        kind: Kind,
        options: ListEntitiesOptions<Kind> = {},
      ): DrawbridgeList<ListedEntities[Kind]> =>
        list<ListedEntities[Kind]>(listedEntities[kind], at`/entities/${kind}`, { ...options }),
      /** The events of an entity, in the order of receipt. */
      timeline: (kind: EntityKind, id: string, options: PageOptions = {}): DrawbridgeList<TimelineEvent> =>
        list(timelineEvent, at`/entities/${kind}/${id}/timeline`, { ...options }),
    },
    events: {
      /** An event; undefined if it is not stored. With its body, which is personal data: {@link readWebhookBody} reads it. */
      get: (eventId: string, { signal }: RequestOptions = {}): Promise<StoredEvent | undefined> =>
        optional(request(storedEvent, { method: 'GET', path: at`/events/${eventId}`, signal }), 'event-not-found'),
      /** The bytes of the body of an event, of any size. */
      body: async (eventId: string, { signal }: RequestOptions = {}): Promise<Uint8Array> => {
        const parts: Uint8Array[] = [];
        let from: number | undefined = 0;
        while (from !== undefined) {
          const query: Query = { from };
          const part: z.output<typeof eventBody> = await request(eventBody, {
            method: 'GET',
            path: at`/events/${eventId}/body`,
            query,
            signal,
          });
          parts.push(Buffer.from(part.bodyBase64, 'base64'));
          from = part.nextFrom;
        }
        return Buffer.concat(parts);
      },
      list: (options: ListEventsOptions = {}): DrawbridgeList<ListedEvent> =>
        list(listedEvent, '/events', { ...options }),
    },
    /** How many events are in quarantine, by reason and type: the first page that the API counts. */
    quarantine: ({
      signal,
      ...query
    }: Pick<ListEventsOptions, 'receivedFrom' | 'receivedTo' | 'cursor' | 'signal'> = {}): Promise<Quarantine> =>
      request(quarantine, { method: 'GET', path: '/quarantine', query, signal }),
  };
}

/** @throws {DrawbridgeApiError} when there is no whole answer; {AwsCredentialsError} when nothing could be signed; the reason of the signal, if that ended the request */
async function answerTo(operation: string, send: () => Promise<Response>, signal: AbortSignal | undefined) {
  try {
    const answer = await send();
    const retryAfter = readRetryAfter(answer.headers.get('retry-after'));
    return { status: answer.status, ok: answer.ok, text: await answer.text(), retryAfter };
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof AwsCredentialsError) throw cause;
    throw new DrawbridgeApiError(operation, undefined, undefined, { cause });
  }
}

/** In milliseconds. Drawbridge writes Retry-After in seconds, and API Gateway writes none. */
function readRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : undefined;
}

/** Puts ids into a path. @throws {TypeError} for an id that would change the path */
function at(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  if (ids.some((id) => ['', '.', '..'].includes(id)))
    throw new TypeError('Nothing was sent: an id is empty, or only dots.');
  if (ids.some(changesPath))
    throw new TypeError(
      'Nothing was sent: an id has a slash, ?, # or %, with which the path could name another one. In place of an externalId, send onboardingId: and the id of the onboarding.',
    );
  return joinPath(parts, ids);
}

function regionOf(apiUrl: string): string | undefined {
  const { hostname } = new URL(apiUrl);
  if (isLocal(apiUrl)) return 'eu-central-1';
  return /\.execute-api\.([a-z0-9-]+)\.amazonaws\.com/.exec(hostname)?.[1];
}
