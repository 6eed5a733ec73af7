import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { readSecretState } from '#cli/deployment/secret-state.ts';
import { refreshGroup, writeForcedRefresh } from '#shared/secrets/platform-token.ts';

/** What is known about the platform token without reading it. */
export type TokenState = {
  /** The version of the secret: another token has another one. */
  readonly versionId: string | undefined;
  /** Whether Refresh has ever stored a token. The stacks create the secret without one. */
  readonly hasToken: boolean;
  /** When the token was stored. */
  readonly storedOn: string | undefined;
};

/** Reads the metadata of the secret, never its value. */
export async function readTokenState(deployment: Deployment): Promise<TokenState> {
  const { isReplaced: hasToken, versionId, storedOn } = await readSecretState(deployment, 'PlatformToken');
  return { versionId, hasToken, storedOn };
}

/** Has Refresh check the token now, in place of its next scheduled run. */
export async function requestRefresh(deployment: Deployment, { newId }: Pick<CommandDeps, 'newId'>): Promise<void> {
  await sendMessage(deployment, { MessageBody: '{}', MessageDeduplicationId: newId() });
}

/**
 * Has Refresh replace a version of the token, however good it is. Two requests for one version cause one refresh.
 *
 * @param purpose SQS drops a second message within 5 minutes for the same version and purpose
 */
export async function forceRefresh(deployment: Deployment, versionId: string, purpose = 'force'): Promise<void> {
  await sendMessage(deployment, {
    MessageBody: writeForcedRefresh(versionId),
    MessageDeduplicationId: `${purpose}-${versionId}`,
  });
}

async function sendMessage(
  { clients, resources }: Deployment,
  message: { readonly MessageBody: string; readonly MessageDeduplicationId: string },
): Promise<void> {
  const QueueUrl = (await resources()).idOf('queue', 'TokenRefreshes');
  await clients.sqs.send(new SendMessageCommand({ QueueUrl, MessageGroupId: refreshGroup, ...message }));
}

/** In milliseconds: between two reads, and all of them. */
const interval = 1_000;
const deadline = 60_000;

/** Waits for another token than before. @returns undefined if none comes within a minute */
export async function awaitToken(
  deployment: Deployment,
  before: TokenState,
  { now, wait }: Pick<CommandDeps, 'now' | 'wait'>,
  deadlineMs = deadline,
): Promise<TokenState | undefined> {
  const giveUpAt = now().getTime() + deadlineMs;
  for (;;) {
    const state = await readTokenState(deployment);
    if (state.hasToken && state.versionId !== before.versionId) return state;
    if (now().getTime() > giveUpAt) return undefined;
    await wait(interval);
  }
}
