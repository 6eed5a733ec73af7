import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Owner, Scheduler } from '#test/simulation/scheduler/scheduler.ts';
import type { LambdaFunction } from './lambda-function.ts';
import { answerOf } from './platform-answer.ts';

/** A webhook that reached the gateway, with the status of the response. */
export type ReceivedWebhook = {
  readonly deliveryId: string;
  readonly eventType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
};

export type GatewayDeps = {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly receive: LambdaFunction;
  readonly newId: () => string;
  readonly onAnswer: (webhook: ReceivedWebhook) => void;
};

export type Delivery = {
  readonly eventType: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type Gateway = {
  /** Resolves with the response to the delivery, as a task of the sender. */
  readonly deliver: (sender: Owner, delivery: Delivery) => Promise<Response>;
  /** Refuses all connections until this time, in milliseconds since 1970. */
  readonly goDown: (until: number) => void;
};

const refused = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });

/** The HTTP API in front of `receive`. */
export function createGateway({ scheduler, faults, receive, newId, onAnswer }: GatewayDeps): Gateway {
  let downUntil = 0;

  async function answer({ eventType, headers, body }: Delivery): Promise<number> {
    if (faults.happens('gateway throttling')) return 429;
    const requestId = newId();
    const outcome = await receive.invoke({
      headers,
      pathParameters: { eventType },
      body: Buffer.from(body).toString('base64'),
      isBase64Encoded: true,
      requestContext: { requestId, timeEpoch: scheduler.now() },
    });
    const status = 'answer' in outcome ? (outcome.answer as { readonly statusCode: number }).statusCode : 500;
    onAnswer({ deliveryId: requestId, eventType, headers, status });
    return status;
  }

  function deliver(sender: Owner, delivery: Delivery): Promise<Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const back = (settle: () => void) => scheduler.after(0, settle, { owner: sender });
    scheduler.after(0, () => {
      if (scheduler.now() < downUntil) return void back(() => reject(refused()));
      return void answer(delivery).then((status) =>
        back(() => (faults.happens('response to a delivery lost') ? reject(refused()) : resolve(answerOf(status, {})))),
      );
    });
    return promise;
  }

  return {
    deliver,
    goDown: (until) => {
      downUntil = until;
    },
  };
}
