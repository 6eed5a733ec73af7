/** One I/O: the service and the operation that a function calls. */
export type Call = {
  readonly service: 'dynamodb' | 'sqs' | 'secrets-manager' | 'eventbridge' | 'platform' | 'token-service';
  /** The name of an SDK command without `Command`, or the HTTP method and path. */
  readonly operation: string;
  /** The function whose process makes the call. */
  readonly caller: string;
  /** The list of which a Query or a Scan reads a part, and the process that reads it. */
  readonly list?: string | undefined;
};

/** How an I/O differs from one without a fault. */
export type IoBehaviour = {
  /** In milliseconds: the delay before the service performs the I/O. */
  readonly delay?: number;
  /** The process ends before or after the service performs the I/O. */
  readonly crash?: 'before' | 'after';
  /** How often the service performs the I/O. The default is once. */
  readonly times?: 0 | 2;
  /** In milliseconds: how long after the response the service performs the I/O. */
  readonly late?: number;
  /** The response that replaces the true one. */
  readonly error?: () => unknown;
  readonly answer?: (result: unknown) => unknown;
  /** In milliseconds: the delay between the I/O and its response. */
  readonly pause?: number;
  /** Whether no response ever arrives. */
  readonly isSilent?: boolean;
};
