/** The properties of a queue, as the stacks declare them. Times are in seconds. */
export type QueueProperties = {
  readonly visibilityTimeout: number;
  readonly isFifo?: boolean;
  readonly redrive?: { readonly deadLetterQueue: string; readonly maxReceiveCount: number };
};

export type QueuedMessage = {
  readonly id: string;
  readonly body: string;
  /** Of a FIFO queue. */
  readonly group: string | undefined;
  /** In milliseconds since 1970, as all times here. */
  readonly sentAt: number;
  visibleAt: number;
  receiveCount: number;
  /** Of the latest receive; undefined before the first. */
  receipt: string | undefined;
};

export type QueueDeps = {
  readonly now: () => number;
  readonly newId: () => string;
  /** Which of so many messages is handed out next: any one of a standard queue. */
  readonly choose: (count: number) => number;
  /** Takes what has been received too often. */
  readonly bury: (message: QueuedMessage) => void;
};

export type SimulatedQueue = ReturnType<typeof createSimulatedQueue>;

/** In milliseconds: a FIFO queue takes the same text once in this time. */
const deduplicationInterval = 5 * 60_000;

/** A queue of SQS in memory, with its visibility timeouts, receive counts, groups and redrive policy. */
export function createSimulatedQueue(properties: QueueProperties, { now, newId, choose, bury }: QueueDeps) {
  const { visibilityTimeout, isFifo = false, redrive } = properties;
  let messages: readonly QueuedMessage[] = [];
  const taken = new Map<string, { readonly id: string; readonly at: number }>();

  /** @returns the id of the message; of the one before, if a FIFO queue has it already */
  function send(body: string, { group, delay = 0, deduplicationId }: SendOptions = {}): string {
    // SQS hashes the text. The text itself is as good a key, and quicker. Its prefix sets it apart from an id.
    const key = deduplicationId === undefined ? `text ${body}` : `id ${deduplicationId}`;
    const duplicate = isFifo ? takenBefore(key) : undefined;
    if (duplicate !== undefined) return duplicate;
    const id = newId();
    if (isFifo) taken.set(key, { id, at: now() });
    add({ id, body, group, sentAt: now(), visibleAt: now() + delay * 1_000, receiveCount: 0, receipt: undefined });
    return id;
  }

  function takenBefore(key: string): string | undefined {
    const before = taken.get(key);
    return before !== undefined && now() - before.at < deduplicationInterval ? before.id : undefined;
  }

  function add(message: QueuedMessage): void {
    messages = [...messages, message];
  }

  /** Those that a receive may be handed now. */
  function available(): readonly QueuedMessage[] {
    const visible = messages.filter(({ visibleAt }) => visibleAt <= now());
    if (!isFifo) return visible;
    const blocked = new Set(messages.filter(isInFlight).map(({ group }) => group));
    return visible.filter(({ group }) => !blocked.has(group));
  }

  function isInFlight({ receipt, visibleAt }: QueuedMessage): boolean {
    return receipt !== undefined && visibleAt > now();
  }

  function receive(most: number, visibility = visibilityTimeout): readonly QueuedMessage[] {
    const received: QueuedMessage[] = [];
    let left = available();
    while (received.length < most && left.length > 0) {
      const message = left[isFifo ? 0 : choose(left.length)];
      if (message === undefined) break;
      left = left.filter((one) => one !== message);
      if (redrive !== undefined && message.receiveCount >= redrive.maxReceiveCount) {
        remove(message);
        bury({ ...message, receipt: undefined, visibleAt: now() });
        continue;
      }
      message.receiveCount += 1;
      message.receipt = newId();
      message.visibleAt = now() + visibility * 1_000;
      received.push({ ...message });
    }
    return received;
  }

  function remove(message: QueuedMessage): void {
    messages = messages.filter((one) => one !== message);
  }

  function find(receipt: string | undefined): QueuedMessage | undefined {
    return messages.find((message) => receipt !== undefined && message.receipt === receipt);
  }

  /** In seconds, from now. */
  function hide(message: QueuedMessage, seconds: number): void {
    message.visibleAt = now() + seconds * 1_000;
    if (isFifo) return;
    remove(message);
    add(message);
  }

  return {
    properties,
    send,
    add,
    receive,
    find,
    hide,
    remove,
    all: () => messages,
    /** When the next message can be handed out: now or later; undefined if there is none. */
    nextAt: (): number | undefined => {
      if (messages.length === 0) return undefined;
      if (available().length > 0) return now();
      return Math.min(...messages.map(({ visibleAt }) => visibleAt).filter((at) => at > now()));
    },
  };
}

export type SendOptions = {
  readonly group?: string | undefined;
  /** In seconds. */
  readonly delay?: number | undefined;
  readonly deduplicationId?: string | undefined;
};
