import type { LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, it } from 'vitest';
import { createInvoke } from '#cli/deployment/invoke.ts';
import type { Resources } from '#cli/deployment/resources.ts';

/** By a Lambda that answers, or fails, as given. */
function invokeBy(send: () => Promise<object>) {
  return createInvoke({
    lambda: { send: send as unknown as LambdaClient['send'] },
    resources: async () => ({ idOf: () => 'function' }) as unknown as Resources,
  });
}

/** A function that fails with this answer. */
const invokeFailing = (answer: object) =>
  invokeBy(async () => ({ FunctionError: 'Unhandled', Payload: Buffer.from(JSON.stringify(answer)) }));

describe('cli: createInvoke', () => {
  it('names no log where the function has refused the request, because the log has no error', async () => {
    const invoke = invokeFailing({ errorType: 'InvalidRequestError', errorMessage: 'X cannot be taken over.' });
    await expect(invoke('Register', {})).rejects.toThrow(
      'Register refused the request: X cannot be taken over.\nNext: correct the options of the command.',
    );
  });

  it('names the errors in the log where the function has failed', async () => {
    const invoke = invokeFailing({
      errorType: 'InvocationError',
      errorMessage: 'The invocation failed: read the log.',
    });
    await expect(invoke('Register', {})).rejects.toThrow(
      'Register failed: The invocation failed: read the log.\nNext: drawbridge logs errors-by-function',
    );
  });

  it('names the policy to print where the role may not invoke the function', async () => {
    const denied = Object.assign(new Error('not authorized'), { name: 'AccessDeniedException', $fault: 'client' });
    await expect(invokeBy(() => Promise.reject(denied))('Register', {})).rejects.toThrow(
      'AWS does not allow this to your role: not authorized\nNext: drawbridge policy reader',
    );
  });
});
