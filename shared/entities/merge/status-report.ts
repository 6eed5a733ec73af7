/** What a payload says of an entity: its status, and words of the platform. Never personal data. */
export type StatusReport = {
  readonly status?: string;
  /** A `date-time` of the platform, as it was written. StatusReport without it are untimed. */
  readonly modifiedOn?: string;
  readonly notificationType?: string;
  /** Of `validationError`. Its description may name the person: it stays in the event's body. */
  readonly errorType?: string;
  /** Codes of the platform that say why, in the order of texts; at least one. */
  readonly reasonCodes?: readonly string[];
  /** Whether the platform reports a validation error: with a status or without. */
  readonly hasValidationError?: true;
};

/** StatusReport, and how they came to us. */
export type ReceivedReport = {
  readonly report: StatusReport;
  /** When this delivery arrived. ISO 8601, UTC. */
  readonly receivedOn: string;
  /** When the event was first received, where that was before this delivery. ISO 8601, UTC. */
  readonly firstReceivedOn?: string | undefined;
  /** Of a report that Drawbridge read from the platform, instead of receiving it. */
  readonly readBack?: ReadBack;
};

export type ReadBack = {
  /** When we asked. ISO 8601, UTC. */
  readonly readOn: string;
  /**
   * The `heardOn` that the entity had before the read: what was reported until then is settled by the answer. Not a time
   * of the reader's own, so that no two clocks are compared.
   */
  readonly answers?: string;
};
