import type { IncomingMessage } from 'node:http';
import type { AwsServices } from './services/aws-service.ts';

/** Which API is meant, and what is asked of it. */
export type ReadCall = {
  readonly service: keyof AwsServices;
  /** For example `PutItem`. */
  readonly operation: string;
  /** Parses what is asked for. */
  readonly input: () => unknown;
};

/** A call of an API that the sandbox does not have: how the call names it, and whether it came over the query protocol. */
export type UnknownCall = { readonly unknown: string; readonly isQuery: boolean };

const jsonServices: ReadonlyMap<string, keyof AwsServices> = new Map([
  ['DynamoDB_20120810', 'dynamodb'],
  ['AmazonSQS', 'sqs'],
  ['secretsmanager', 'secretsManager'],
  ['AWSEvents', 'eventBridge'],
  ['GraniteServiceVersion20100801', 'cloudWatch'],
  ['Logs_20140328', 'logs'],
]);

/** Of the query protocol, by the version of the API. */
const queryServices: ReadonlyMap<string, keyof AwsServices> = new Map([['2010-05-15', 'cloudFormation']]);

const invokePath = /^\/2015-03-31\/functions\/([^/?]+)\/invocations(?:\?|$)/;

/** The reads of APIs whose operation is a path. The last part of a path that varies is the field of the input. */
const readPaths: readonly (Pick<ReadCall, 'service' | 'operation'> & {
  readonly path: RegExp;
  readonly field?: string;
})[] = [
  { service: 'lambda', operation: 'GetAccountSettings', path: /^\/2016-08-19\/account-settings\/?$/ },
  {
    service: 'lambda',
    operation: 'GetFunctionConfiguration',
    path: /^\/2015-03-31\/functions\/([^/]+)\/configuration$/,
    field: 'FunctionName',
  },
  {
    service: 'lambda',
    operation: 'GetFunctionConcurrency',
    path: /^\/2019-09-30\/functions\/([^/]+)\/concurrency$/,
    field: 'FunctionName',
  },
  {
    service: 'lambda',
    operation: 'GetEventSourceMapping',
    path: /^\/2015-03-31\/event-source-mappings\/([^/]+)$/,
    field: 'UUID',
  },
  { service: 'scheduler', operation: 'GetSchedule', path: /^\/schedules\/([^/]+)$/, field: 'Name' },
];

function readPathCall(method: string, path: string): ReadCall | undefined {
  if (method !== 'GET') return undefined;
  for (const { service, operation, path: pattern, field } of readPaths) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const input = field === undefined ? {} : { [field]: decodeURIComponent(found[1] ?? '') };
    return { service, operation, input: () => input };
  }
  return undefined;
}

/**
 * Finds the API of a call: by the target of the JSON protocol, the path of a REST API, or the version
 * that the query protocol names.
 */
export function readCall(
  { url = '', method = 'POST', headers }: Pick<IncomingMessage, 'url' | 'method' | 'headers'>,
  body: Buffer,
): ReadCall | UnknownCall {
  const target = headers['x-amz-target'];
  if (target !== undefined) {
    const [prefix = '', operation = ''] = String(target).split('.');
    const service = jsonServices.get(prefix);
    return service === undefined
      ? { unknown: prefix, isQuery: false }
      : { service, operation, input: () => JSON.parse(body.toString()) };
  }
  const functionName = invokePath.exec(url)?.[1];
  if (functionName !== undefined) {
    const input = {
      FunctionName: decodeURIComponent(functionName),
      InvocationType: headers['x-amz-invocation-type'] ?? 'RequestResponse',
      LogType: headers['x-amz-log-type'] ?? 'None',
      Payload: body.toString(),
    };
    return { service: 'lambda', operation: 'Invoke', input: () => input };
  }
  const [path = ''] = url.split('?');
  const read = readPathCall(method, path);
  if (read !== undefined) return read;
  const fields = Object.fromEntries(new URLSearchParams(body.toString()));
  const { Action = '', Version = '', ...input } = fields;
  const service = queryServices.get(Version);
  return service === undefined
    ? { unknown: `${Action} ${Version}`.trim() || url, isQuery: Version !== '' }
    : { service, operation: Action, input: () => input };
}
