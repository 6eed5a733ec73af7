import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AwsCallMoment, type AwsEndpoint, accessKeyOf, startAwsEndpoint } from '#sandbox/aws/aws-endpoint.ts';
import { AwsServiceError, serve } from '#sandbox/aws/services/aws-service.ts';

const moments: AwsCallMoment[] = [];
let breakAt: AwsCallMoment['when'] | undefined;
let written: unknown[] = [];
let endpoint: AwsEndpoint;

beforeAll(async () => {
  endpoint = await startAwsEndpoint({
    onCall: (moment) => {
      moments.push(moment);
      if (moment.when === breakAt) throw new Error('The connection breaks here.');
    },
  });
  const dynamodb = serve({
    PutItem: (input) => {
      written.push(input);
      return { done: true };
    },
    GetItem: () => {
      throw new AwsServiceError('ResourceNotFoundException', 'No such table.');
    },
  });
  endpoint.serve({ dynamodb }, ({ caller }) => {
    if (caller === 'stranger') throw new AwsServiceError('AccessDeniedException', 'The role does not allow it.');
  });
});
afterEach(() => {
  moments.length = 0;
  written = [];
  breakAt = undefined;
});
afterAll(() => endpoint.close());

const signedBy = (accessKey: string) =>
  `AWS4-HMAC-SHA256 Credential=${accessKey}/20261121/eu-central-1/dynamodb/aws4_request`;

function call(target: string, headers: Record<string, string> = {}, body = '{"a":1}'): Promise<Response> {
  return fetch(endpoint.origin, { method: 'POST', headers: { 'x-amz-target': target, ...headers }, body });
}

const putItem = 'DynamoDB_20120810.PutItem';

/** With what was asked for. */
const read = ({ input, ...moment }: AwsCallMoment) => ({ ...moment, input: input() });

describe('sandbox aws: the endpoint for AWS APIs', () => {
  it.each(['toString', 'constructor', '__proto__', ''])('rejects an unknown operation: %s', async (name) => {
    const answer = await call(`DynamoDB_20120810.${name}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ __type: 'UnknownOperationException' });
  });

  it('rejects a call that the role of its function does not allow, before the service receives it', async () => {
    const answer = await call(putItem, { authorization: signedBy(accessKeyOf('stranger')) });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ __type: 'AccessDeniedException' });
    expect(written).toEqual([]);
  });
});

describe('sandbox aws: an observer of AWS calls', () => {
  it('observes each call before and after the service, with the calling function and the input', async () => {
    await call(putItem, { authorization: signedBy(accessKeyOf('store')) });
    const seen = { service: 'dynamodb', operation: 'PutItem', caller: 'store', accessKeyId: accessKeyOf('store') };
    expect(moments.map(read)).toEqual([
      { when: 'before', ...seen, input: { a: 1 } },
      { when: 'after', ...seen, input: { a: 1 } },
    ]);
  });

  it.each([{}, { authorization: signedBy('sandbox') }, { authorization: signedBy('AKIAIOSFODNN7EXAMPLE') }])(
    'observes no caller when the caller is not a function: %j',
    async (headers) => {
      await call(putItem, headers);
      expect(moments.map(({ caller }) => caller)).toEqual([undefined, undefined]);
    },
  );

  it('can break the connection before the service receives the call', async () => {
    breakAt = 'before';
    await expect(call(putItem)).rejects.toThrow('fetch failed');
    expect(written).toEqual([]);
  });

  it('can break the connection after the service has carried out the call', async () => {
    breakAt = 'after';
    await expect(call(putItem)).rejects.toThrow('fetch failed');
    expect(written).toEqual([{ a: 1 }]);
  });
});
