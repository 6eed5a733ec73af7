import { describe, expect, it } from 'vitest';
import { createInvocations } from '#sandbox/aws/invocations.ts';
import type { InvocationResult } from '#sandbox/aws/lambda/execution-environment.ts';
import type { HostedFunction } from '#sandbox/aws/lambda/function-host.ts';

function invocationsOf(result: InvocationResult) {
  const payloads: string[] = [];
  const register: HostedFunction = {
    name: 'register',
    arn: 'arn',
    timeoutSeconds: 1,
    kill: () => undefined,
    codeFolder: '',
    renew: () => undefined,
    pids: () => [],
    keptMebibytes: async () => [],
    stopsRecursion: () => false,
    invoke: async (payload) => {
      payloads.push(payload);
      return result;
    },
  };
  const find = (id: string) => [register].find(({ name }) => name === id);
  const app = createInvocations(() => ({ functions: [register], find }));
  const invoke = (name: string, body: string) =>
    app.request(`/functions/${name}/invocations`, { method: 'POST', body });
  return { payloads, invoke };
}

describe('sandbox aws: invoking a function over the control API', () => {
  it('passes the event and returns the answer', async () => {
    const { payloads, invoke } = invocationsOf({ payload: '{"plan":[]}' });
    const answer = await invoke('register', '{"mode":"plan"}');
    expect([answer.status, await answer.json()]).toEqual([200, { plan: [] }]);
    expect(payloads).toEqual(['{"mode":"plan"}']);
  });

  it('returns the error of a failed function', async () => {
    const error = { errorType: 'InvocationError', errorMessage: 'The invocation failed: read the log.' };
    const answer = await invocationsOf({ error }).invoke('register', '{}');
    expect([answer.status, await answer.json()]).toEqual([502, error]);
  });

  it('answers with 400 and the message when the function rejects the event', async () => {
    const error = { errorType: 'InvalidRequestError', errorMessage: 'Invoke register with {"mode": "plan"}.' };
    const answer = await invocationsOf({ error }).invoke('register', '{"mode":"paln"}');
    expect([answer.status, await answer.json()]).toEqual([400, error]);
  });

  it('lists the known functions when it rejects an unknown one', async () => {
    const { payloads, invoke } = invocationsOf({ payload: '{}' });
    const answer = await invoke('drain', '{}');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ message: 'There is no function drain. There are: register.' });
    expect(payloads).toEqual([]);
  });
});
