import * as z from 'zod/mini';
import { anyFunction, checkOptions, urlOption } from '#package/check-options.ts';
import { pause } from '#package/pause.ts';
import { type CallOptions, checkInput, type PlatformRequest } from '#shared/platform/client/check-input.ts';
import { createPlatformClient, type PlatformClient } from '#shared/platform/client/client.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import type { ListOptions, PlatformList } from '#shared/platform/client/page.ts';
import { requestorId as requestor } from '#shared/platform/fields/fields.ts';
import type { UnknownWord, Unreadable } from '#shared/platform/fields/received.ts';
import type { eventTypes } from '#shared/platform/profile/event-place.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { type CreatedNaturalPerson, createNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import {
  findNaturalPerson,
  type ListNaturalPersonsOptions,
  listNaturalPersons,
} from '#shared/platform/resources/list-natural-persons.ts';
import type { NaturalPerson } from '#shared/platform/resources/natural-person.ts';
import type { NewNaturalPerson } from '#shared/platform/resources/natural-person-schema.ts';
import { getNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import {
  listUndeliveredWebhooks,
  markWebhooksDelivered,
  type UndeliveredWebhook,
} from '#shared/platform/resources/undelivered-webhooks.ts';
import {
  deleteWebhook,
  getWebhook,
  listMissingWebhooks,
  listWebhooks,
  registerWebhook,
  type Webhook,
  type WebhookData,
} from '#shared/platform/resources/webhooks.ts';
import type { TokenSource } from '#shared/platform/token/token.ts';
import { type CallHooks, createCallHooks } from './call-hooks.ts';
import { createLostAnswers } from './lost-answers.ts';
import { createNodeFetch } from './node-fetch.ts';
import { actFor, type PlatformOfRequestor } from './platform-of-requestor.ts';

export type PlatformOptions = CallHooks & {
  /** {base_url}. */
  readonly baseUrl: string;
  /** Where calls get their token from: `tokensFromSecret`, `tokensFromOAuth`, or your own. */
  readonly tokens: TokenSource;
  /** What the specification leaves open, if your platform differs from the defaults: paths, deadlines, page size. */
  readonly profile?: z.input<typeof platformProfile> | undefined;
  /** Sends the requests, in place of Node's `https`. */
  readonly fetch?: PlatformFetch | undefined;
  /**
   * How often each call is repeated at most: 0 to 10, and 3 by default. Reads, updates and deletes are repeated after a failure that may pass,
   * with an exponential back-off and within the time of the call. A create is sent once.
   */
  readonly retry?: number | undefined;
  readonly now?: (() => Date) | undefined;
  /** From 0 to 1, for the jitter of retries. */
  readonly random?: (() => number) | undefined;
  /** Resolves after so many milliseconds: the pause before a retry. */
  readonly wait?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
};

/** A word of section 2.1, or one that your platform has besides. */
export type EventType = (typeof eventTypes)[number] | UnknownWord;

/**
 * The platform. Every call throws a `PlatformError` and nothing else, except the reason of its `signal`. Lists are async iterables:
 * they read page after page.
 */
export type Platform = {
  /**
   * The operations that need a Requestor-ID (section 5), on behalf of this natural person.
   *
   * @throws {PlatformInputError} if it is not a UUID
   */
  readonly onBehalfOf: (requestorId: string) => PlatformOfRequestor;

  /** Create natural person (section 4). A create whose answer is lost is settled by the externalId, and by the name and birthDay. */
  readonly createNaturalPerson: (person: NewNaturalPerson, options?: CallOptions) => Promise<CreatedNaturalPerson>;
  /** Get natural person (section 4). `unreadable` names its status and its identifications, if they are there and cannot be read. */
  readonly getNaturalPerson: (naturalPersonId: string, options?: CallOptions) => Promise<NaturalPerson & Unreadable>;
  /** Get natural persons (section 4), of one status if given. */
  readonly listNaturalPersons: (options?: ListNaturalPersonsOptions) => PlatformList<NaturalPerson>;
  /** The person of an externalId. Reads the list until the person is found: the platform has no such filter. */
  readonly findNaturalPerson: (externalId: string, options?: CallOptions) => Promise<NaturalPerson | undefined>;

  /** The registered webhooks (section 2.1). */
  readonly listWebhooks: (options?: ListOptions) => PlatformList<Webhook>;
  /** Registers a webhook, or replaces that of its event type (section 2.1). */
  readonly registerWebhook: (
    webhook: WebhookData & { readonly eventType: EventType },
    options?: CallOptions,
  ) => Promise<void>;
  /** The webhook of an event type; undefined if there is none. */
  readonly getWebhook: (eventType: EventType, options?: CallOptions) => Promise<Webhook | undefined>;
  /** Removes the webhook of an event type, if there is one. */
  readonly deleteWebhook: (eventType: EventType, options?: CallOptions) => Promise<void>;
  /** The event types without a webhook (section 2.1). */
  readonly listMissingWebhooks: (options?: CallOptions) => Promise<readonly string[]>;
  /** The deliveries that failed (section 2.2). Their order is not specified. */
  readonly listUndeliveredWebhooks: (options?: ListOptions) => PlatformList<UndeliveredWebhook>;
  /** Marks this undelivered webhook and all older ones as delivered (section 2.2). */
  readonly markWebhooksDelivered: (undeliveredWebhookId: string, options?: CallOptions) => Promise<void>;

  /** Makes a call that the specification does not show, and reads its JSON with your schema. */
  readonly request: PlatformClient['request'];
};

const usableOptions = z.object({
  baseUrl: urlOption,
  tokens: z.object({ read: anyFunction, reportRejected: anyFunction }),
  profile: z.prefault(platformProfile, {}),
});

/**
 * Connects to the platform. Create it once per process: calls share connections and the token.
 *
 * @throws {TypeError} if `baseUrl`, `tokens` or `profile` is not valid
 */
export function connectPlatform(options: PlatformOptions): Platform {
  const expectation =
    "connectPlatform expects { baseUrl: 'https://…', tokens }: create tokens by tokensFromSecret, or by tokensFromOAuth.";
  const { baseUrl, profile } = checkOptions(usableOptions, options, expectation);
  const { tokens } = options;
  const { fetch = createNodeFetch(), now = () => new Date(), random = Math.random, wait = pause, retry = 3 } = options;
  const hooks = createCallHooks(options, now);
  const lostAnswers = createLostAnswers();
  const client = createPlatformClient({
    baseUrl,
    profile,
    tokens,
    fetch: lostAnswers.wrapFetch(hooks.wrapFetch(fetch)),
    now,
    random,
    wait,
    retry,
    timeout: AbortSignal.timeout,
    onFailure: lostAnswers.onFailure,
  });
  return operationsOf(hooks.wrapClient(lostAnswers.wrapClient(client)), now);
}

function operationsOf(client: PlatformClient, now: () => Date): Platform {
  const bind =
    <Args extends unknown[], Result>(operation: (client: PlatformClient, ...args: Args) => Result) =>
    (...args: Args) =>
      operation(client, ...args);
  return {
    onBehalfOf: (requestorId) =>
      actFor(
        client,
        checkInput(requestor, requestorId, { operation: 'onBehalfOf', section: '5', field: 'requestorId' }),
        now,
      ),
    createNaturalPerson: bind(createNaturalPerson),
    getNaturalPerson: bind(getNaturalPerson),
    listNaturalPersons: bind(listNaturalPersons),
    findNaturalPerson: bind(findNaturalPerson),
    listWebhooks: bind(listWebhooks),
    registerWebhook: bind(registerWebhook),
    getWebhook: bind(getWebhook),
    deleteWebhook: bind(deleteWebhook),
    listMissingWebhooks: bind(listMissingWebhooks),
    listUndeliveredWebhooks: bind(listUndeliveredWebhooks),
    markWebhooksDelivered: bind(markWebhooksDelivered),
    request: <Schema extends z.ZodMiniType>(schema: Schema, request: PlatformRequest, call?: CallOptions) =>
      client.request(schema, request, call),
  };
}
