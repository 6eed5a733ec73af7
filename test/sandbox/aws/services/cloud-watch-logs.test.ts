import {
  CloudWatchLogsClient,
  CreateLogStreamCommand,
  DescribeQueryDefinitionsCommand,
  GetQueryResultsCommand,
  PutLogEventsCommand,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { CfnQueryDefinition, LogGroup } from 'aws-cdk-lib/aws-logs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';

let fixture: FixtureHost;
let logs: CloudWatchLogsClient;
let group: string;
beforeAll(async () => {
  fixture = await startFixture((stack) => {
    const logGroup = new LogGroup(stack, 'WriterLogs');
    addFunction(
      stack,
      'Writer',
      `exports.handler = async ({ outcome }) => {
         console.log(JSON.stringify({ timestamp: new Date().toISOString(), message: 'event applied', outcome }));
         if (outcome === 'broken') throw new Error('broken');
       };`,
      { logGroup },
    );
    new CfnQueryDefinition(stack, 'Outcomes', {
      name: 'drawbridge-test/outcomes',
      queryString: 'filter message = "event applied"\n| stats count(*) as events by outcome\n| sort outcome asc',
      logGroupNames: [logGroup.logGroupName],
    });
  });
  const { awsOrigin: endpoint, region } = fixture.host.place;
  logs = new CloudWatchLogsClient({ endpoint, region, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
  group = fixture.host.blueprint.logGroups[0]?.ref ?? '';
  for (const outcome of ['applied', 'duplicate', 'applied']) await fixture.call('writer', { outcome });
  await fixture.failureOf('writer', { outcome: 'broken' });
});
afterAll(async () => {
  logs.destroy();
  await fixture.close();
});

async function query(queryString: string): Promise<unknown> {
  const now = Math.ceil(Date.now() / 1_000);
  const range = { startTime: now - 600, endTime: now, logGroupNames: [group] };
  const { queryId } = await logs.send(new StartQueryCommand({ ...range, queryString }));
  const { status, results = [] } = await logs.send(new GetQueryResultsCommand({ queryId }));
  expect(status).toBe('Complete');
  return results.map((row) => Object.fromEntries(row.map(({ field, value }) => [field, value])));
}

describe('sandbox aws: CloudWatch Logs over the AWS SDK', () => {
  it('runs a saved query over what a function wrote', async () => {
    const { queryDefinitions = [] } = await logs.send(
      new DescribeQueryDefinitionsCommand({ queryDefinitionNamePrefix: 'drawbridge-test/' }),
    );
    expect(queryDefinitions).toMatchObject([{ name: 'drawbridge-test/outcomes', logGroupNames: [group] }]);
    expect(await query(queryDefinitions[0]?.queryString ?? '')).toEqual([
      { outcome: 'applied', events: '2' },
      { outcome: 'broken', events: '1' },
      { outcome: 'duplicate', events: '1' },
    ]);
  });

  it('has the report of each invocation, as Lambda writes it', async () => {
    const reports = 'filter type = "platform.report" | stats count(*) as runs by record.status | sort runs desc';
    expect(await query(reports)).toEqual([
      { 'record.status': 'success', runs: '3' },
      { 'record.status': 'error', runs: '1' },
    ]);
  });

  it('takes lines that a command writes', async () => {
    const stream = { logGroupName: group, logStreamName: 'drawbridge-cli/1' };
    await logs.send(new CreateLogStreamCommand(stream));
    const message = JSON.stringify({ timestamp: new Date().toISOString(), message: 'dead letters read' });
    await logs.send(new PutLogEventsCommand({ ...stream, logEvents: [{ timestamp: Date.now(), message }] }));
    expect(await query('fields message | filter message = "dead letters read"')).toEqual([
      { message: 'dead letters read' },
    ]);
  });
});
