import type * as z from 'zod/mini';
import type { CallOptions, PlatformRequest } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import type { ListOptions, PlatformList } from '#shared/platform/client/page.ts';
import type { Unreadable } from '#shared/platform/fields/received.ts';
import {
  createIdentificationVerification,
  getIdentificationVerification,
  type IdentificationVerification,
  listIdentificationVerifications,
  type NewIdentificationVerification,
} from '#shared/platform/resources/identification-verifications.ts';
import type { NewNaturalPersonIdentification } from '#shared/platform/resources/natural-person-identification.ts';
import {
  createNaturalPersonIdentification,
  type UpdateNaturalPerson,
  updateNaturalPerson,
} from '#shared/platform/resources/natural-persons.ts';
import {
  cancelOrder,
  getTradeInvoice,
  listAssets,
  type PlatformDocument,
} from '#shared/platform/resources/traditional-assets.ts';
import { getTransfer, type Transfer } from '#shared/platform/resources/transfers.ts';

/**
 * What is done on behalf of a natural person: of the person itself, or of whom the person has an ACTIVE proxy for (section 5). The
 * platform answers VALIDATION_ERROR while the person is not ACTIVE, and REQUESTOR_ID_INVALID without a proxy.
 */
export type PlatformOfRequestor = {
  /** List assets (section 4), up to `limit`. Its payload is not specified: pass a schema of what you read. */
  readonly listAssets: <Schema extends z.ZodMiniType>(
    schema: Schema,
    options?: CallOptions & { readonly limit?: number },
  ) => Promise<z.output<Schema>>;
  /**
   * Cancel order (sections 3.3 and 4). Resolves when the platform has taken the request: CANCELED comes by webhook, and a cancel that fails
   * sends none. If an answer is lost and the repeat is refused, throws the error of the lost answer: `isOutcomeUnknown` is true of it.
   */
  readonly cancelOrder: (orderId: string, options?: CallOptions) => Promise<void>;
  /** Get trade invoice (section 4): the document of an execution, some seconds after FILLED. */
  readonly getTradeInvoice: (executionId: string, options?: CallOptions) => Promise<PlatformDocument>;
  /** Reads a transfer, at `transfersPath` of the profile. */
  readonly getTransfer: (transferId: string, options?: CallOptions) => Promise<Transfer>;

  /** Create Identification Verification (section 4). Sent once: if the answer is lost, list the verifications first. */
  readonly createIdentificationVerification: (
    verification: NewIdentificationVerification,
    options?: CallOptions,
  ) => Promise<{ readonly identificationVerificationId: string }>;
  /** Get Identification Verification (section 4): `identificationUrl` is the link to the video call. */
  readonly getIdentificationVerification: (
    identificationVerificationId: string,
    options?: CallOptions,
  ) => Promise<IdentificationVerification & Unreadable>;
  /** Get Identification Verifications (section 4). */
  readonly listIdentificationVerifications: (options?: ListOptions) => PlatformList<IdentificationVerification>;

  /** Update natural person (section 4.1). */
  readonly updateNaturalPerson: (
    naturalPersonId: string,
    update: UpdateNaturalPerson,
    options?: CallOptions,
  ) => Promise<void>;
  /** Create natural person identification (section 4.2): an identification that you have done. */
  readonly createNaturalPersonIdentification: (
    naturalPersonId: string,
    identification: NewNaturalPersonIdentification,
    options?: CallOptions,
  ) => Promise<void>;

  /** Makes a call that the specification does not show, with the Requestor-ID. */
  readonly request: <Schema extends z.ZodMiniType>(
    schema: Schema,
    request: Omit<PlatformRequest, 'requestorId'>,
    options?: CallOptions,
  ) => Promise<z.output<Schema>>;
};

/** @param requestorId checked already */
export function actFor(client: PlatformClient, requestorId: string, now: () => Date): PlatformOfRequestor {
  const bind =
    <Args extends unknown[], Result>(
      operation: (client: PlatformClient, requestorId: string, ...args: Args) => Result,
    ) =>
    (...args: Args) =>
      operation(client, requestorId, ...args);
  return {
    listAssets: (schema, options) => listAssets(client, requestorId, schema, options),
    cancelOrder: bind(cancelOrder),
    getTradeInvoice: bind(getTradeInvoice),
    getTransfer: bind(getTransfer),
    createIdentificationVerification: bind(createIdentificationVerification),
    getIdentificationVerification: bind(getIdentificationVerification),
    listIdentificationVerifications: bind(listIdentificationVerifications),
    updateNaturalPerson: bind(updateNaturalPerson),
    createNaturalPersonIdentification: (naturalPersonId, identification, options = {}) =>
      createNaturalPersonIdentification(client, requestorId, naturalPersonId, identification, {
        ...options,
        today: now(),
      }),
    request: (schema, request, options) => client.request(schema, { ...request, requestorId }, options),
  };
}
