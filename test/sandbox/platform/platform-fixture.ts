import { expect } from 'vitest';
import { createPlatformApp } from '#sandbox/platform/app.ts';
import { createDeliveries } from '#sandbox/platform/deliveries.ts';

export const knownTypes = ['ORDER_NOTIFICATION', 'TRANSFER_NOTIFICATION', 'PROXY_NOTIFICATION'];

/** A platform whose clock stands still until it is moved, and whose ids count up. */
export function startPlatform() {
  let time = Date.UTC(2026, 10, 21, 8);
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  };
  const now = () => new Date(time);
  const deliveries = createDeliveries({ fetch, now, newId, eventTypes: knownTypes });
  const app = createPlatformApp({ deliveries, newId });

  async function send(method: string, path: string, body?: unknown) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await app.request(path, { method, ...(body !== undefined && { body: text }) });
    const answered = await answer.text();
    return { status: answer.status, body: answered === '' ? undefined : parse(answered) };
  }

  return {
    deliveries,
    send,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

export type Platform = ReturnType<typeof startPlatform>;

function parse(text: string): unknown {
  return JSON.parse(text);
}

/** How the platform says that it refuses a request: no more than this, and no stack trace. */
export function refusal(status: number, responseType: string, message: unknown) {
  return { status, body: { responseType, message, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) } };
}
