/** Lambda drops a message after about so many invocations in one chain: https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html */
export const maxInvocations = 16;

export type Lineage = {
  /** A process begins an invocation with these messages, or without any, as by a schedule or the gateway. */
  readonly begin: (process: object, messageIds: readonly string[]) => void;
  /** A process has sent these messages. */
  readonly sent: (process: object, messageIds: readonly string[]) => void;
  /** Whether Lambda drops the message. */
  readonly isLoop: (messageId: string) => boolean;
};

/**
 * Counts the invocations in the chain of each message, as the trace header does that Lambda and SQS hand on. A schedule, a rule of
 * EventBridge and an HTTP request begin a new chain.
 */
export function createLineage(): Lineage {
  const ofMessages = new Map<string, number>();
  const ofProcesses = new WeakMap<object, number>();
  return {
    begin: (process, messageIds) => {
      ofProcesses.set(process, 1 + Math.max(0, ...messageIds.map((id) => ofMessages.get(id) ?? 0)));
    },
    sent: (process, messageIds) => {
      for (const id of messageIds) ofMessages.set(id, ofProcesses.get(process) ?? 0);
    },
    isLoop: (messageId) => (ofMessages.get(messageId) ?? 0) >= maxInvocations,
  };
}
