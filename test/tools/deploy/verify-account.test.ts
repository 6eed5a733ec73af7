import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSettings } from '#infra/read-settings.ts';
import { startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { freePort } from '#test/free-port.ts';
import { trialResources } from '#test/infra/shared-trial-apps.ts';
import { checkReached, startFront } from '#tools/deploy/account/front.ts';
import { checkIdentity, checkOptions, confirmPlan, describePlan, withoutSession } from '#tools/deploy/account/plan.ts';
import { formatRecord, hasPassed } from '#tools/deploy/account/record.ts';
import { checkFound, partsOfArn, removeRun } from '#tools/deploy/account/removal.ts';
import { settingsOfRun } from '#tools/deploy/account/verify-account.ts';
import { ProcessFailedError } from '#tools/deploy/errors.ts';
import { runSteps } from '#tools/deploy/run-steps.ts';
import { statesFor } from '#tools/deploy/steps/account/limits.ts';
import { accountSteps } from '#tools/deploy/steps.ts';
import { accountTarget, emulatorTarget, type Target } from '#tools/deploy/target.ts';

const account = '111122223333';
const plan = {
  run: '1a2b3c',
  environment: 'verify-1a2b3c',
  account,
  region: 'eu-central-1',
  caller: `arn:aws:iam::${account}:user/engineer`,
  platformUrl: undefined,
  isRehearsal: false,
  estimate: 'an estimate: 0.10 US dollars',
} as const;
const given = { aws: true, yes: false, rehearse: false };

describe('a run in an account', () => {
  it.each([
    ['the address of an emulator', given, { AWS_ENDPOINT_URL_SQS: 'https://localhost' }, 'AWS_ENDPOINT_URL_SQS is set'],
    ['a run to remove without --aws', { ...given, aws: false, remove: 'verify-1a2b3c' }, {}, '--remove needs --aws'],
    ['a rehearsal without --aws', { ...given, aws: false, rehearse: true }, {}, '--rehearse needs --aws'],
    ['to remove what is no run', { ...given, remove: 'production' }, {}, 'such as verify-1a2b3c'],
    ['--yes without an account', { ...given, yes: true }, {}, '--yes needs --account'],
    [
      'a platform without TLS',
      { ...given, platformUrl: 'http://platform.example' },
      {},
      '--platform-url must be https',
    ],
    ['a platform with a path', { ...given, platformUrl: 'https://platform.example/v1' }, {}, 'without a path'],
    [
      'a platform in a rehearsal',
      { ...given, rehearse: true, platformUrl: 'https://a.example' },
      {},
      '--rehearse takes',
    ],
  ])('refuses %s', (_, options, env, message) => {
    expect(() => checkOptions(options, env)).toThrow(message);
  });

  it('leaves the session of the caller out of the record', () => {
    const role = `arn:aws:sts::${account}:assumed-role/Admin`;
    expect([`${role}/a@bank.example`, plan.caller].map(withoutSession)).toEqual([role, plan.caller]);
  });

  it.each([
    ['of another account', { Account: account, Arn: plan.caller }, { account: '444455556666' }, undefined],
    ['of another partition', { Account: account, Arn: `arn:aws-cn:iam::${account}:user/engineer` }, {}, undefined],
    ['that end before the run', { Account: account, Arn: plan.caller }, {}, new Date(3_600_000)],
  ])('refuses credentials %s', (_, caller, options, expiration) => {
    const now = new Date(0);
    expect(() => checkIdentity(caller, options, { expiration, now })).toThrow('Nothing was created');
    expect(() => checkIdentity({ Account: account, Arn: plan.caller }, { account }, { now })).not.toThrow();
  });

  it('says the account, the cost and what does not run, and begins once the id of the account is written', async () => {
    const shown = describePlan(plan);
    for (const text of [account, plan.estimate, 'an estimate', 'no --platform-url']) expect(shown).toContain(text);
    const answering = (answer: string) => ({ ask: async () => answer });
    await confirmPlan(plan, given, answering(account));
    await expect(confirmPlan(plan, given, answering('y'))).rejects.toThrow('Nothing was created');
    await expect(confirmPlan(plan, given, { ask: undefined })).rejects.toThrow('--yes');
  });

  it('names each step that does not run in a record, with the reason, and never as passed', async () => {
    const skippedAt = async (target: Target) => {
      const counted = accountSteps.map((step) => ({ ...step, run: async () => 'ran' }));
      const deps = { now: () => 0, today: () => new Date(0), print: () => undefined };
      // No step runs that reads anything else of the deployment.
      const deployment = { target } as Parameters<
        typeof runSteps<Parameters<(typeof accountSteps)[number]['run']>[0]>
      >[1];
      return (await runSteps(counted, deployment, deps)).filter(({ result }) => result === 'skipped');
    };
    const place = { account, region: 'eu-central-1', fetch };
    const onEmulator = await skippedAt(emulatorTarget(place, 'http://127.0.0.1:1'));
    const ofAws = onEmulator.filter(({ text }) => text.startsWith('not supported here'));
    expect(ofAws.map(({ name }) => name)).toEqual([
      'change composite alarms',
      'exceed a throttle',
      'refuse events of others on the bus',
      'replay from the archive',
      'wait past the loop detection of Lambda',
      'disable the keys',
    ]);
    const inAccount = await skippedAt(accountTarget({ ...place, platformUrl: undefined }));
    expect(inAccount.map(({ name }) => name)).toContain('deliver webhooks');
    expect(inAccount.some(({ text }) => text.includes('not supported here'))).toBe(false);
    const removal = { left: [], pending: ['arn:aws:kms:eu-central-1:111122223333:key/1'], failures: [] };
    const record = {
      plan,
      release: '0.3.0',
      commit: { id: 'abc', isChanged: false },
      startedOn: '2026-11-26T15:00:00.000Z',
      endedOn: '2026-11-26T16:00:00.000Z',
      steps: inAccount,
      stacks: [{ name: 'drawbridge-verify-1a2b3c-data', id: 'arn:stack' }],
      removal,
    };
    expect(formatRecord(record)).toContain(
      '| deliver webhooks | 1970-01-01T00:00:00.000Z | skipped | 0.0 | not run: needs --platform-url |',
    );
    expect(hasPassed(record)).toBe(true);
    expect(formatRecord(record)).toContain(`passed, ${inAccount.length} of ${inAccount.length} steps skipped`);
    expect(hasPassed({ ...record, removal: { ...removal, left: ['a queue'] } })).toBe(false);
  });

  it('records an interrupted step as failed without its end, and runs no later step', async () => {
    const interrupt = new AbortController();
    const ran: string[] = [];
    const run = (name: string) => async (): Promise<string> => {
      ran.push(name);
      interrupt.abort();
      return new Promise(() => undefined);
    };
    const steps = [run('waits'), run('later')].map((one, index) => ({ name: `step ${index}`, run: one }));
    const deps = { now: () => 0, today: () => new Date(0), print: () => undefined, signal: interrupt.signal };
    const results = await runSteps(steps, undefined, deps);
    expect([ran, results.map(({ result, text }) => `${result}: ${text}`)]).toEqual([
      ['waits'],
      ['FAILED: interrupted'],
    ]);
  });

  it('has settings that a deployment takes, without a platform too', () => {
    const directory = mkdtempSync(join(tmpdir(), 'drawbridge-verify-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const { environment } = plan;
    writeFileSync(join(directory, `${environment}.json`), JSON.stringify(settingsOfRun(environment)));
    const { node } = new App({ context: { environment } });
    expect(readSettings(node, directory).settings.permissionsBoundary).toBe(`drawbridge-${environment}-boundary`);
  });

  it('lets the sandbox platform be reached by any address, but for its control API', async () => {
    const platform = await startPlatformServer({ fetch, now: () => new Date(), onError: () => undefined });
    onTestFinished(platform.close);
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    await expect(checkReached(address)).rejects.toThrow('Nothing was created');
    onTestFinished(await startFront({ port, origin: platform.origin }));
    await checkReached(address);
    for (const path of ['/control', '/control/clock', '//control/clock', '/%63ontrol/clock', '/%zz'])
      expect((await fetch(`${address}${path}`)).status, path).toBe(404);
    expect((await fetch(`${platform.origin}/control/clock`)).status).toBe(200);
  });
});

describe('the removal of a run', () => {
  it.each([
    ['arn:aws:dynamodb:eu-central-1:111122223333:table/drawbridge-Events', 'dynamodb:table', 'drawbridge-Events'],
    ['arn:aws:sqs:eu-central-1:111122223333:drawbridge-queue', 'sqs', 'drawbridge-queue'],
    ['arn:aws:s3:::cdk-v1a2b3c-assets', 's3', 'cdk-v1a2b3c-assets'],
    ['arn:aws:logs:eu-central-1:111122223333:log-group:/aws/vendedlogs/a:*', 'logs:log-group', '/aws/vendedlogs/a'],
    ['arn:aws:events:eu-central-1:111122223333:event-bus/drawbridge', 'events:event-bus', 'drawbridge'],
  ])('reads %s', (arn, kind, name) => {
    expect(partsOfArn(arn)).toEqual({ kind, name });
  });

  const ofRun = { environment: 'verify-1a2b3c', qualifier: 'v1a2b3c', listDelay: 0 };
  const refuse = (message: string): never => {
    throw new ProcessFailedError(message, { stdout: '', cause: undefined });
  };
  const tagsOf = (arns: readonly string[]) => ({
    ResourceTagMappingList: arns.map((ResourceARN) => ({ ResourceARN })),
  });

  /** The AWS CLI of an account: each other list is empty, and no stack exists. */
  function awsOf(answer: (call: string) => unknown) {
    const calls: string[] = [];
    const run = async (...args: readonly string[]): Promise<string> => {
      const call = args.join(' ');
      calls.push(call);
      const answered = answer(call);
      if (answered !== undefined) return JSON.stringify(answered);
      if (call.startsWith('cloudformation describe-stacks --stack-name')) refuse('Stack does not exist');
      return JSON.stringify(call.startsWith('resourcegroupstaggingapi') ? tagsOf([]) : null);
    };
    const aws: Parameters<typeof removeRun>[0]['aws'] = {
      run,
      read: async (schema, ...args) => schema.parse(JSON.parse(await run(...args))),
      invoke: async () => undefined,
    };
    return { aws, calls };
  }

  it('continues after a failure, deletes what a stack left, and names what is left', async () => {
    const key = `arn:aws:kms:eu-central-1:${account}:key/1`;
    const secret = `arn:aws:secretsmanager:eu-central-1:${account}:secret:PlatformToken`;
    const table = `arn:aws:dynamodb:eu-central-1:${account}:table/kept`;
    const bucket = 'arn:aws:s3:::assets';
    const existing = new Set([bucket, secret, table, key]);
    let keyState = 'Enabled';
    const { aws, calls } = awsOf((call) => {
      if (call.startsWith('dynamodb describe-table')) return { Table: { TableStatus: 'ACTIVE' } };
      if (call.startsWith('dynamodb delete-table') || call.startsWith('iam list-users')) refuse('AccessDenied');
      if (call.startsWith('s3api list-object-versions')) return [{ Key: 'a', VersionId: '1' }];
      if (call.startsWith('s3api delete-objects')) return { Errors: [{ Key: 'a', Code: 'AccessDenied' }] };
      if (call.startsWith('secretsmanager delete-secret')) existing.delete(secret);
      if (call.startsWith('kms schedule-key-deletion')) keyState = 'PendingDeletion';
      if (call.startsWith('kms describe-key')) return { KeyMetadata: { KeyState: keyState } };
      return call.startsWith('resourcegroupstaggingapi') ? tagsOf([...existing]) : undefined;
    });
    const { left, pending, failures } = await removeRun({ aws, ...ofRun });
    expect(calls).toContain(`secretsmanager delete-secret --force-delete-without-recovery --secret-id ${secret}`);
    expect({ left, pending, failures }).toEqual({
      left: [table, bucket, 'not known, each user: AccessDenied'],
      pending: [key],
      failures: [
        `${table}: AccessDenied`,
        'the list of each user: AccessDenied',
        `${bucket}: S3 keeps a: AccessDenied.`,
      ],
    });
  });

  it('keeps the policies and the bootstrap of a stack that cannot be deleted after a second attempt', async () => {
    const stack = 'drawbridge-verify-1a2b3c-data';
    const { aws, calls } = awsOf((call) => {
      if (call.startsWith(`cloudformation describe-stacks --stack-name ${stack}`)) return 'DELETE_IN_PROGRESS';
      if (call.startsWith('cloudformation describe-stacks --query')) return [stack];
      if (call.startsWith('cloudformation wait')) refuse('DELETE_FAILED');
      return call.startsWith('iam list-policies') ? ['drawbridge-verify-1a2b3c-boundary'] : undefined;
    });
    const { left, failures } = await removeRun({ aws, ...ofRun });
    expect(left).toEqual(['policy drawbridge-verify-1a2b3c-boundary', `stack ${stack}`]);
    expect(failures).toEqual([`${stack}: DELETE_FAILED`, `${stack}: DELETE_FAILED`]);
    const changes = /update-termination-protection|delete-stack|delete-policy|CDKToolkit-v1a2b3c$/;
    expect(calls.filter((call) => changes.test(call))).toEqual([]);
  });

  it.each([
    ['refuses a run that has nothing in the region', [], [], 'eu-west-1 has nothing of it'],
    ['refuses a run in another region', [], ['drawbridge-verify-1a2b3c-service-1'], 'set AWS_REGION to the region of'],
    ['takes a run in the region', ['drawbridge-verify-1a2b3c-data'], ['cdk-v1a2b3c-deploy-role'], undefined],
    ['takes what is left of a step after the stacks', [], ['drawbridge-verify-1a2b3c-bounded'], undefined],
  ])('%s', async (_, stacks, roles, message) => {
    const { aws } = awsOf((call) => {
      if (call.startsWith('cloudformation describe-stacks')) return stacks;
      return call.startsWith('iam list-roles') ? roles : undefined;
    });
    const refusal = await checkFound({ aws, ...ofRun }, 'eu-west-1').catch(String);
    expect(refusal).toEqual(message === undefined ? undefined : expect.stringContaining(message));
  });
});

it('puts the parts of the rule of a waiting alarm into the states that make it true', () => {
  const composite = trialResources().service.find(({ name }) => name === 'Alarms/RegistrationsMissing');
  const rule = JSON.stringify(composite?.Properties['AlarmRule']).replaceAll('\\"', '"');
  expect(statesFor(rule)).toEqual({
    '<Alarms/RegistrationsMissingMetric.Arn>': 'ALARM',
    '<Alarms/NotConfigured.Arn>': 'OK',
  });
});
