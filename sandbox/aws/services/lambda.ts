import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import type { FunctionHost } from '#sandbox/aws/lambda/function-host.ts';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { parseJson } from '#shared/parse-json.ts';
import { plainIssues } from '#shared/plain-message.ts';
import { type AwsAnswer, type AwsCall, type AwsService, AwsServiceError, serve } from './aws-service.ts';

const invoke = z.object({
  /** A name or an ARN, either of them with a qualifier. */
  FunctionName: z.string(),
  InvocationType: z.enum(['RequestResponse', 'Event', 'DryRun']),
  LogType: z.enum(['None', 'Tail']),
  Payload: z.string().transform((text) => (text === '' ? '{}' : text)),
});

type Invoke = z.infer<typeof invoke>;

/** The default quota of an AWS account. The laptop runs fewer processes, and other requests wait. */
const accountConcurrency = 1_000;

const ofFunction = z.object({ FunctionName: z.string() });
const ofMapping = z.object({ UUID: z.string() });

/** `Invoke` of the functions that the stacks declare, and the reads of their configuration and concurrency. */
export function startLambda(
  { find }: Pick<FunctionHost, 'find'>,
  { functions, eventSourceMappings }: Pick<Blueprint, 'functions' | 'eventSourceMappings'>,
): AwsService {
  const declared = (input: unknown) => {
    const { FunctionName } = ofFunction.parse(input);
    const found = functions.find(({ physicalName, arn }) => FunctionName === physicalName || FunctionName === arn);
    if (found !== undefined) return found;
    throw new AwsServiceError('ResourceNotFoundException', `Function not found: ${FunctionName}`);
  };
  const reads = serve({
    GetAccountSettings: () => {
      const reserved = functions.map(({ properties }) => properties.ReservedConcurrentExecutions ?? 0);
      const unreserved = reserved.reduce((left, one) => left - one, accountConcurrency);
      return {
        AccountLimit: { ConcurrentExecutions: accountConcurrency, UnreservedConcurrentExecutions: unreserved },
      };
    },
    GetFunctionConfiguration: (input) => {
      const { arn, physicalName, properties } = declared(input);
      const { Environment, Handler, MemorySize, Runtime, Timeout } = properties;
      return { FunctionArn: arn, FunctionName: physicalName, Environment, Handler, MemorySize, Runtime, Timeout };
    },
    GetFunctionConcurrency: (input) => ({
      ReservedConcurrentExecutions: declared(input).properties.ReservedConcurrentExecutions,
    }),
    GetEventSourceMapping: (input) => {
      const { UUID } = ofMapping.parse(input);
      const found = eventSourceMappings.find(({ ref }) => ref === UUID);
      if (found === undefined)
        throw new AwsServiceError('ResourceNotFoundException', 'The resource you requested does not exist.');
      const { EventSourceArn, BatchSize, ScalingConfig, Enabled } = found.properties;
      return { UUID, EventSourceArn, BatchSize, ScalingConfig, State: Enabled ? 'Enabled' : 'Disabled' };
    },
  });

  async function perform(
    { FunctionName, InvocationType, LogType, Payload }: Invoke,
    { caller, headers: { 'x-amzn-trace-id': cause } }: AwsCall,
  ): Promise<AwsAnswer> {
    const called = find(FunctionName) ?? find(FunctionName.replace(/:[^:]*$/, ''));
    if (called === undefined) return refusal(404, 'ResourceNotFoundException', `Function not found: ${FunctionName}`);
    if (parseJson(Payload) === undefined)
      return refusal(400, 'InvalidRequestContentException', 'Could not parse request body into json.');
    if (InvocationType === 'DryRun') return { status: 204, headers: {}, body: '' };
    if (called.stopsRecursion(cause, caller ?? 'Invoke'))
      return refusal(
        400,
        'RecursiveInvocationException',
        'Lambda has stopped the function: it is in a recursive loop.',
      );
    switch (InvocationType) {
      case 'Event':
        // Its own log says how it ended. AWS returns no result either.
        called.invoke(Payload, [cause]).catch(() => undefined);
        return { status: 202, headers: {}, body: '' };
      case 'RequestResponse': {
        const result = await called.invoke(Payload, [cause]);
        const headers = {
          'content-type': 'application/json',
          'x-amz-executed-version': '$LATEST',
          ...(LogType === 'Tail' && { 'x-amz-log-result': await tailOf(result.log ?? []) }),
        };
        return result.error === undefined
          ? { status: 200, headers, body: result.payload }
          : {
              status: 200,
              headers: { ...headers, 'x-amz-function-error': 'Unhandled' },
              body: JSON.stringify(result.error),
            };
      }
    }
  }

  return {
    close: () => Promise.resolve(),
    handle: async (call) => {
      const { operation, input } = call;
      if (operation !== 'Invoke') return reads.handle(call);
      const given = input();
      const request = invoke.safeParse(given);
      return request.success
        ? perform(request.data, call)
        : refusal(400, 'InvalidParameterValueException', plainIssues(request.error.issues, given).join('; '));
    },
  };
}

/** In bytes: how much of the log Lambda answers with. */
const maxTail = 4_096;

/** The end of the log of an invocation, as Lambda's API has it. A function writes its lines before it answers. */
async function tailOf(log: readonly string[]): Promise<string> {
  let read: number;
  do {
    read = log.length;
    await nextTurn();
  } while (log.length > read);
  const bytes = Buffer.from(log.map((line) => `${line}\n`).join(''));
  return bytes.subarray(Math.max(0, bytes.length - maxTail)).toString('base64');
}

/** How Lambda's API answers with an error. */
function refusal(status: number, type: string, message: string): AwsAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': type },
    body: JSON.stringify({ Type: 'User', Message: message }),
  };
}
