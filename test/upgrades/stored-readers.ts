import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type * as z from 'zod/mini';
import { drainProgress } from '#functions/retry-undelivered/drain/drain-progress.ts';
import { reconcileProgress } from '#functions/retry-undelivered/reconcile/reconcile-progress.ts';
import { createCheckpoint } from '#shared/aws/checkpoint.ts';
import { isState, readEvent, readKey, readState } from '#shared/entities/entity-row.ts';
import { readEventRow } from '#shared/events/event-row.ts';
import { readReadBack } from '#shared/events/read-back.ts';
import { readWebhookMessage } from '#shared/events/webhook-delivery.ts';
import { readOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { readOnboarding } from '#shared/onboarding/onboarding-row.ts';
import { createTokenStore, readTokenReport } from '#shared/secrets/platform-token.ts';
import type { VersionedSecret } from '#shared/secrets/versioned-secret.ts';
import { createWebhookSecretStore } from '#shared/secrets/webhook-secret.ts';

type Item = Record<string, AttributeValue>;

/**
 * How the functions read what an earlier run of them, of any release, has stored. Each takes the JSON that
 * `stored-json.ts` writes, and gives what the functions take from it.
 */
export const storedReaders = {
  'table events': (item: Item) => readEventRow(item),
  'table entities': (item: Item) => ({ key: readKey(item), ...(isState(item) ? readState(item) : readEvent(item)) }),
  'table onboardings': (item: Item) => readOnboarding(item),
  'table checkpoints, drain': (item: Item) => readCheckpoint(item, drainProgress),
  'table checkpoints, reconcile': (item: Item) => readCheckpoint(item, reconcileProgress),
  'queue webhooks': (text: string) => {
    const message = readWebhookMessage(text);
    return message.readBack === undefined ? message : { readBack: readReadBack(message.readBack) };
  },
  'queue onboarding': (text: string) => readOnboardingMessage(text),
  'queue token-refreshes': (text: string) => ({ rejectedToken: readTokenReport(text) }),
  'secret webhook-secret': (text: string) => createWebhookSecretStore(secretOf(text)).read(),
  'secret platform-token': (text: string) => createTokenStore(secretOf(text)).readToken(),
} as const;

export type StoredKind = keyof typeof storedReaders;

async function readCheckpoint<Schema extends z.ZodMiniType>(item: Item, schema: Schema): Promise<unknown> {
  const dynamodb = { send: () => Promise.resolve({ Item: item }) };
  const journal = await createCheckpoint({ dynamodb, tableName: 'checkpoints', job: 'job', schema }).open();
  return journal.progress;
}

/** A secret with one version. */
function secretOf(text: string): VersionedSecret {
  return {
    read: () => Promise.resolve({ versionId: 'version', text, createdOn: new Date(0) }),
    replace: () => Promise.reject(new Error('Nothing is stored here.')),
  };
}
