import { CreateLogStreamCommand, PutLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { messageOf } from '#cli/command/message-of.ts';
import type { Deployment } from './deployment.ts';

/** What of whom a command is about to show. */
export type Reading =
  | { readonly message: 'dead letters read'; readonly queue: string; readonly messageIds: readonly string[] }
  | { readonly message: 'video call link read'; readonly onboardingId: string };

/**
 * Records in the log group of Query, which has the reads of events too, what personal data a command is about to show, and with
 * which access key. CloudTrail knows the session of an access key.
 *
 * @throws {CommandError} where there is no record: the command shows nothing then
 */
export async function recordReading(
  { clients: { logs }, resources }: Pick<Deployment, 'clients' | 'resources'>,
  reading: Reading,
  { now, newId }: Pick<CommandDeps, 'now' | 'newId'>,
): Promise<void> {
  const logGroupName = (await resources()).idOf('logGroup', 'Query');
  const logStreamName = `drawbridge-cli/${newId()}`;
  const time = now();
  try {
    const { accessKeyId } = await logs.config.credentials();
    const line = { timestamp: time.toISOString(), level: 'INFO', ...reading, accessKeyId };
    await logs.send(new CreateLogStreamCommand({ logGroupName, logStreamName }));
    const logEvents = [{ timestamp: time.getTime(), message: JSON.stringify(line) }];
    await logs.send(new PutLogEventsCommand({ logGroupName, logStreamName, logEvents }));
  } catch (cause) {
    const reason = messageOf(cause);
    throw new CommandError(
      `No personal data is shown, because the log cannot record it: ${reason}`,
      'allow the policy of an operator: drawbridge policy operator.',
      { cause },
    );
  }
}
