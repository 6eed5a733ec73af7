import * as z from 'zod';
import type { FunctionHost } from '#sandbox/aws/lambda/function-host.ts';
import type { AwsAnswer, AwsService } from './aws-service.ts';

const invoke = z.object({
  /** A name or an ARN, either of them with a qualifier. */
  FunctionName: z.string(),
  InvocationType: z.enum(['RequestResponse', 'Event', 'DryRun']),
  Payload: z.string().transform((text) => (text === '' ? '{}' : text)),
});

type Invoke = z.infer<typeof invoke>;

/** `Invoke` of the functions that the stacks declare. */
export function startLambda({ find }: Pick<FunctionHost, 'find'>): AwsService {
  async function perform({ FunctionName, InvocationType, Payload }: Invoke): Promise<AwsAnswer> {
    const called = find(FunctionName) ?? find(FunctionName.replace(/:[^:]*$/, ''));
    if (called === undefined) return refusal(404, 'ResourceNotFoundException', `Function not found: ${FunctionName}`);
    if (!isJson(Payload))
      return refusal(400, 'InvalidRequestContentException', 'Could not parse request body into json.');
    switch (InvocationType) {
      case 'DryRun':
        return { status: 204, headers: {}, body: '' };
      case 'Event':
        // Its own log says how it ended. AWS returns no result either.
        called.invoke(Payload).catch(() => undefined);
        return { status: 202, headers: {}, body: '' };
      case 'RequestResponse': {
        const headers = { 'content-type': 'application/json', 'x-amz-executed-version': '$LATEST' };
        const result = await called.invoke(Payload);
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
    handle: async ({ input }) => {
      const request = invoke.safeParse(input());
      return request.success
        ? perform(request.data)
        : refusal(400, 'InvalidParameterValueException', z.prettifyError(request.error));
    },
  };
}

/** How Lambda's API answers with an error. */
function refusal(status: number, type: string, message: string): AwsAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': type },
    body: JSON.stringify({ Type: 'User', Message: message }),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
