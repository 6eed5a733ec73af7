/** What a payload says of an entity: its status, and words of the platform. Never personal data. */
export type News = {
  readonly status?: string;
  /** A `date-time` of the platform, as it was written. News without it are untimed. */
  readonly modifiedOn?: string;
  readonly notificationType?: string;
  /** Of `validationError`. Its description may name the person: it stays in the event's body. */
  readonly errorType?: string;
  /** Whether the platform reports a validation error: with a status or without. */
  readonly hasValidationError?: true;
};

/** News, and how they came to us. */
export type Told = {
  readonly news: News;
  /** When this delivery arrived. ISO 8601, UTC. */
  readonly receivedOn: string;
  /** When the event was first received, where that was before this delivery. ISO 8601, UTC. */
  readonly firstReceivedOn?: string | undefined;
  /** Of news that we asked the platform for, instead of being told. */
  readonly readBack?: ReadBack;
};

export type ReadBack = {
  /** When we asked. ISO 8601, UTC. */
  readonly readOn: string;
  /**
   * The `heardOn` that the entity had before we asked: what had been heard until then is settled by the answer. Not a time
   * of the reader's own, so that no two clocks are compared.
   */
  readonly answers?: string;
};
