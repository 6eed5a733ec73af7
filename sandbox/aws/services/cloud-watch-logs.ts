import * as z from 'zod';
import { parseInsightsQuery } from '#sandbox/aws/logs/insights-query.ts';
import type { LogStore } from '#sandbox/aws/logs/log-store.ts';
import { runInsightsQuery } from '#sandbox/aws/logs/run-insights-query.ts';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { type AwsService, AwsServiceError, serve } from './aws-service.ts';

const describeQueryDefinitions = z.object({ queryDefinitionNamePrefix: z.string().default('') });

/** Times are in seconds since 1970. */
const startQuery = z.object({
  logGroupNames: z.array(z.string()),
  startTime: z.number(),
  endTime: z.number(),
  queryString: z.string(),
  limit: z.number().default(1_000),
});

const getQueryResults = z.object({ queryId: z.string() });

const logStream = z.object({ logGroupName: z.string(), logStreamName: z.string() });

const putLogEvents = z.object({
  ...logStream.shape,
  logEvents: z.array(z.object({ timestamp: z.number(), message: z.string() })),
});

/** The results of this many queries are kept. */
const maxResults = 100;

export type CloudWatchLogsDeps = {
  readonly store: LogStore;
  readonly account: string;
  readonly newId: () => string;
};

/** CloudWatch Logs on the laptop: the saved queries of the stacks, run over the latest lines, and lines that commands write. */
export function startCloudWatchLogs(
  { queryDefinitions, logGroups }: Pick<Blueprint, 'queryDefinitions' | 'logGroups'>,
  { store, account, newId }: CloudWatchLogsDeps,
): AwsService {
  const results = new Map<string, object>();
  const groups: ReadonlySet<string> = new Set(logGroups.map(({ ref }) => ref));
  const requireGroup = (name: string): void => {
    if (!groups.has(name))
      throw new AwsServiceError('ResourceNotFoundException', `There is no log group ${name} on the laptop.`);
  };

  return serve({
    DescribeQueryDefinitions: (input) => {
      const { queryDefinitionNamePrefix: prefix } = describeQueryDefinitions.parse(input);
      const found = queryDefinitions.filter(({ properties }) => properties.Name.startsWith(prefix));
      return {
        queryDefinitions: found.map(({ logicalId, properties }) => ({
          queryDefinitionId: logicalId,
          name: properties.Name,
          queryString: properties.QueryString,
          logGroupNames: properties.LogGroupNames,
        })),
      };
    },
    StartQuery: (input) => {
      const { logGroupNames, startTime, endTime, queryString, limit } = startQuery.parse(input);
      for (const name of logGroupNames) requireGroup(name);
      const lines = store.read(logGroupNames, startTime * 1_000, endTime * 1_000 + 999);
      const { rows, matched } = runInsightsQuery({ commands: parseInsightsQuery(queryString), lines, account, limit });
      const queryId = newId();
      results.set(queryId, {
        status: 'Complete',
        statistics: { recordsMatched: matched, recordsScanned: lines.length },
        results: rows.map((row) => Object.entries(row).map(([field, value]) => ({ field, value }))),
      });
      const [oldest] = results.keys();
      if (results.size > maxResults && oldest !== undefined) results.delete(oldest);
      return { queryId };
    },
    GetQueryResults: (input) => {
      const { queryId } = getQueryResults.parse(input);
      const result = results.get(queryId);
      if (result === undefined) throw new AwsServiceError('ResourceNotFoundException', `There is no query ${queryId}.`);
      return result;
    },
    CreateLogStream: (input) => {
      requireGroup(logStream.parse(input).logGroupName);
      return {};
    },
    PutLogEvents: (input) => {
      const { logGroupName, logEvents } = putLogEvents.parse(input);
      requireGroup(logGroupName);
      for (const { message } of logEvents) store.add(logGroupName, message);
      return {};
    },
  });
}
