import type { IncomingMessage } from 'node:http';
import type { AwsServices } from './aws-endpoint.ts';

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
]);

/** Of the query protocol, by the version of the API. */
const queryServices: ReadonlyMap<string, keyof AwsServices> = new Map([['2010-05-15', 'cloudFormation']]);

const invokePath = /^\/2015-03-31\/functions\/([^/?]+)\/invocations(?:\?|$)/;

/**
 * Tells by the call which API it is for: by the target of the JSON protocol, the path of Lambda's Invoke, or the version
 * that the query protocol names.
 */
export function readCall(
  { url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
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
      Payload: body.toString(),
    };
    return { service: 'lambda', operation: 'Invoke', input: () => input };
  }
  const fields = Object.fromEntries(new URLSearchParams(body.toString()));
  const { Action = '', Version = '', ...input } = fields;
  const service = queryServices.get(Version);
  return service === undefined
    ? { unknown: `${Action} ${Version}`.trim() || url, isQuery: Version !== '' }
    : { service, operation: Action, input: () => input };
}
