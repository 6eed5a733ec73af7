import { InvokeCommand, type InvokeCommandInput, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';

const echoes = `
  exports.handler = async (event) => {
    console.log(JSON.stringify({ received: event }));
    return { echo: event };
  };`;

let fixture: FixtureHost;
let lambda: LambdaClient;
beforeAll(async () => {
  fixture = await startFixture((stack) => {
    addFunction(stack, 'Echo', echoes);
  });
  const { awsOrigin: endpoint, region } = fixture.host.place;
  lambda = new LambdaClient({ endpoint, region, credentials: { accessKeyId: 'any', secretAccessKey: 'any' } });
});
afterAll(async () => {
  lambda.destroy();
  await fixture.close();
});

async function invoke(event: string, more: Partial<InvokeCommandInput> = {}) {
  const answer = await lambda.send(new InvokeCommand({ FunctionName: 'fixture-echo', Payload: event, ...more }));
  const payload = answer.Payload?.transformToString() ?? '';
  return { status: answer.StatusCode, functionError: answer.FunctionError, payload };
}

const arn = 'arn:aws:lambda:eu-central-1:000000000000:function:fixture-echo';

describe('sandbox aws: Invoke of Lambda', () => {
  it.each(['fixture-echo', arn, `${arn}:$LATEST`])(
    'answers with what the function %s answers',
    async (FunctionName) => {
      const answer = await invoke('{"order":7}', { FunctionName });
      expect(answer).toEqual({ status: 200, functionError: undefined, payload: '{"echo":{"order":7}}' });
    },
  );

  it('answers with the end of the log of the invocation where it is asked for', async () => {
    const log = async (more: Partial<InvokeCommandInput>) => {
      const { LogResult } = await lambda.send(
        new InvokeCommand({ FunctionName: 'fixture-echo', Payload: '{"logged":1}', ...more }),
      );
      return LogResult && Buffer.from(LogResult, 'base64').toString('utf8');
    };
    await invoke('{"logged":0}');
    expect(await log({ LogType: 'Tail' })).toBe('{"received":{"logged":1}}\n');
    expect(await log({})).toBeUndefined();
    const long = await log({ LogType: 'Tail', Payload: JSON.stringify({ text: 'x'.repeat(10_000) }) });
    expect(long).toHaveLength(4_096);
    expect(long).toMatch(/xx"\}\}\n$/);
  });
});
