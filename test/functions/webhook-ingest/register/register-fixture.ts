import { createRegister, type RegisterDeps, type RegisterReport } from '#functions/webhook-ingest/register/register.ts';
import { createVersionedSecret } from '#shared/secrets/versioned-secret.ts';
import { createWebhookSecretStore, type WebhookSecretStore } from '#shared/secrets/webhook-secret.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { captureLines, type WrittenLines } from '#test/shared/lambda/written-lines.ts';
import { createTestClient } from '#test/shared/platform/client/test-client.ts';
import { firstSecret, header, webhooksUrl } from './registrations.ts';
import { startWebhookPlatform, type WebhookPlatform } from './webhook-platform.ts';

/** In milliseconds. */
export const [hour, timeLimit] = [60 * 60_000, 120_000];
export const rotation = { interval: 90 * 24 * hour, overlap: 3 * hour };

/** `register` against a platform over sockets and the emulated Secrets Manager, with a stopped clock. */
export type RegisterFixture = {
  readonly clock: { time: number };
  readonly platform: WebhookPlatform;
  readonly emulators: Emulators;
  readonly secrets: WebhookSecretStore;
  /** What the latest run wrote. */
  readonly lines: () => WrittenLines;
  /** Secrets that were made, in order. */
  readonly made: readonly string[];
  /** One run, which takes no time but what it waits for. */
  readonly run: (event: unknown, change?: Partial<RegisterDeps>) => Promise<RegisterReport>;
  /** Everything as it was, the webhook secret too. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const startedOn = Date.parse('2026-01-02T03:04:05.678Z');

export async function startRegisterFixture(eventTypes: readonly string[]): Promise<RegisterFixture> {
  const clock = { time: startedOn };
  const now = () => new Date(clock.time);
  const platform = await startWebhookPlatform(now);
  const emulators = await startEmulators({ now });
  const secrets = createWebhookSecretStore(createVersionedSecret({ ...emulators, now }));
  let made: string[] = [];
  let lines = captureLines(now);

  async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    clock.time += milliseconds;
  }

  return {
    clock,
    platform,
    emulators,
    secrets,
    lines: () => lines,
    get made() {
      return made;
    },
    run: (event, change = {}) => {
      lines = captureLines(now);
      const register = createRegister({
        client: createTestClient(platform.baseUrl, { now, wait }).client,
        secrets,
        eventTypes,
        webhooksUrl,
        header,
        rotation,
        newSecret: () => {
          made.push(String(made.length + 2).repeat(64));
          return made.at(-1) ?? '';
        },
        now,
        wait,
        ...lines,
        ...change,
      });
      return register(event, { timeLimit, signal: new AbortController().signal }).finally(lines.metrics.flush);
    },
    reset: async () => {
      emulators.unwatch();
      platform.reset();
      for (const eventType of eventTypes) platform.knownTypes.add(eventType);
      made = [];
      clock.time = startedOn;
      await emulators.putSecret(JSON.stringify({ current: firstSecret }));
    },
    close: async () => {
      await platform.close();
      await emulators.close();
    },
  };
}
