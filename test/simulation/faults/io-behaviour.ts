/** What an I/O is about: who is called, and for what. */
export type Call = {
  readonly service: 'dynamodb' | 'sqs' | 'secrets-manager' | 'eventbridge' | 'platform' | 'token-service';
  /** The name of a command without `Command`; of HTTP, the method and path. */
  readonly operation: string;
  /** The function whose process makes it. */
  readonly caller: string;
};

/** How an I/O goes, where it does not go as it should. */
export type IoBehaviour = {
  /** In milliseconds: how late it is done. */
  readonly delay?: number;
  /** The process ends before it is done, or once it is. */
  readonly crash?: 'before' | 'after';
  /** How often it is done: once unless given. */
  readonly times?: 0 | 2;
  /** In milliseconds: it is done so much later than it was answered. */
  readonly late?: number;
  /** What it is answered with, in place of the true answer. */
  readonly error?: () => unknown;
  readonly answer?: (result: unknown) => unknown;
  /** In milliseconds: how long after it was done it is answered. */
  readonly pause?: number;
  /** It is never answered. */
  readonly isSilent?: boolean;
};
