import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Listening, listen } from '#sandbox/net/server.ts';
import { runForTests } from '#test/cli/program-for-tests.ts';

let dynamodb: Listening;
let regions: (string | undefined)[];
let environment: Readonly<Record<string, string>>;
beforeEach(async () => {
  regions = [];
  environment = {};
  dynamodb = await listen((request, response) => {
    regions.push(/Credential=a\/\d+\/([a-z0-9-]+)\//.exec(request.headers.authorization ?? '')?.[1]);
    response
      .writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ __type: 'AccessDeniedException', message: 'not authorized' }));
  });
  vi.stubEnv('AWS_ENDPOINT_URL', dynamodb.origin);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'a');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'b');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await dynamodb.close();
});

const run = (...options: readonly string[]) =>
  runForTests(['copy-rows', '--from', 'restored', '--to', 'events', ...options], { environment });

describe('drawbridge copy-rows', () => {
  it('asks before it writes, on the laptop too, as a table names no environment', async () => {
    const { exit, stderr } = await run('--region', 'us-east-1');
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(
        'This will add to events each row of restored that events lacks (on AWS, in us-east-1). Nothing was done',
      ),
    });
    expect(regions).toEqual([]);
  });

  it('refuses an address of AWS that is none, without a stack', async () => {
    environment = { AWS_ENDPOINT_URL: 'localhost' };
    const { exit, stderr } = await run('--region', 'us-east-1', '--yes');
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: 'AWS_ENDPOINT_URL is not a URL: localhost\nNext: correct AWS_ENDPOINT_URL, or unset it.\n',
    });
  });

  it('works in the region that --region names, and says without a stack what AWS refuses', async () => {
    const { exit, stderr } = await run('--region', 'us-east-1', '--yes');
    expect(new Set(regions)).toEqual(new Set(['us-east-1']));
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining('AWS does not allow this to your role: not authorized\nNext: '),
    });
    expect(stderr).not.toContain('    at ');
  });
});
