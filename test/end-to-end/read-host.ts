import { CloudWatchLogsClient, GetQueryResultsCommand, StartQueryCommand } from '@aws-sdk/client-cloudwatch-logs';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { Host } from '#sandbox/aws/host.ts';
import { readQueueDepth } from '#sandbox/aws/services/sqs.ts';
import type { HostedSandbox } from './hosted-sandbox.ts';

/** The text of a secret of the hosted stacks, by its name. */
export async function readSecret(
  { clients, blueprint }: Pick<Host, 'clients' | 'blueprint'>,
  name: string,
): Promise<string> {
  const SecretId = blueprint.secrets.find((secret) => secret.name === name)?.arn;
  const { SecretString = '' } = await clients.secretsManager.send(new GetSecretValueCommand({ SecretId }));
  return SecretString;
}

/** The number of messages of a queue that wait or are in flight. */
export async function readBacklog({ clients, blueprint }: Pick<Host, 'clients' | 'blueprint'>, queue: string) {
  const { ref = '' } = blueprint.queues.find(({ name }) => name === queue) ?? {};
  const { visible, inFlight } = await readQueueDepth(clients.sqs, ref);
  return visible + inFlight;
}

/** Searches the last ten minutes of the log of Query. */
export async function searchLogOfQuery({ host, platform }: HostedSandbox, queryString: string) {
  const { awsOrigin: endpoint, region } = host.place;
  const logs = new CloudWatchLogsClient({ endpoint, region, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
  const groupOfQuery = host.blueprint.logGroups.find(({ path }) => path.endsWith('/Query/Logs'))?.ref ?? '';
  const endTime = Math.ceil(platform.clock.now().getTime() / 1_000);
  const search = { queryString, logGroupNames: [groupOfQuery], startTime: endTime - 600, endTime };
  const { queryId } = await logs.send(new StartQueryCommand(search));
  const { results = [] } = await logs.send(new GetQueryResultsCommand({ queryId }));
  return results.map((row) => Object.fromEntries(row.map(({ field, value }) => [field, value])));
}
