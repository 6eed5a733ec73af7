import { createBoundedLog, type LogEntry } from '#sandbox/platform/core/bounded-log.ts';

/** What sent a delivery: the platform by itself, the control API, or the control API once more. */
export type DeliveryCause = 'PLATFORM' | 'CONTROL' | 'RESEND';

export type DeliveryOutcome = 'sending' | 'retrying' | 'delivered' | 'undelivered' | 'unregistered';

/** One attempt of a delivery. */
export type DeliveryAttempt = {
  readonly startedOn: string;
  /** The status of a 2xx answer. */
  readonly status?: number;
  readonly errorMessage?: string;
};

/** A delivery with its attempts so far. */
export type LoggedDelivery = LogEntry & {
  readonly eventType: string;
  readonly cause: DeliveryCause;
  /** The number of the delivery that this one repeats. */
  readonly resendOf?: number | undefined;
  readonly url?: string;
  readonly body: Uint8Array;
  readonly outcome: DeliveryOutcome;
  readonly attempts: readonly DeliveryAttempt[];
  readonly createdOn: string;
};

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;

const maxEntries = 1_000;
const maxBytes = 20 * 1024 * 1024;

/** The latest deliveries, so that a developer can look them up and send them again. */
export function createDeliveryLog() {
  return createBoundedLog<LoggedDelivery>({
    list: 'deliveries',
    maxEntries,
    maxBytes,
    bytesOf: ({ body }) => body.byteLength,
  });
}
