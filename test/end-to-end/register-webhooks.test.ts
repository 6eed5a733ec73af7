import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { refreshToken, runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { webhooksUrlOf } from '#sandbox/webhook-headers.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';

const eventType = 'TRANSFER_NOTIFICATION';
/** In milliseconds. The overlap of a rotation is shorter. */
const afterOverlap = 4 * 24 * 60 * 60_000;
/** In seconds: longer than register waits after a new secret, until every instance of receive accepts it. */
const settled = 15;
/** In seconds: how long an instance of receive uses the secret that it has read. */
const secretAge = 5 * 60;

let sandbox: HostedSandbox;
let onAwsCall: (moment: AwsCallMoment) => void = () => undefined;
beforeAll(async () => {
  sandbox = await startHostedSandbox({ onAwsCall: (moment) => onAwsCall(moment) });
}, 120_000);
afterAll(() => sandbox.close());

const secretId = () => sandbox.host.blueprint.secrets.find(({ name }) => name === 'webhook-secret')?.arn;

const webhookSecret = z.object({
  current: z.string(),
  previous: z.string().optional(),
  registeredOn: z.string().optional(),
});

async function readSecret() {
  const answer = await sandbox.host.clients.secretsManager.send(new GetSecretValueCommand({ SecretId: secretId() }));
  return webhookSecret.parse(JSON.parse(answer.SecretString ?? ''));
}

/** The header secrets of all registrations on the platform. */
const secretsRegistered = () =>
  new Set(sandbox.platform.registrations.list().flatMap(({ headers = [] }) => headers.map(({ value }) => value)));

const deliver = () => sandbox.platform.deliveries.deliver(eventType, Buffer.from(`{"transferId":"t"}`));

/** The status of a delivery with this secret. */
async function statusWith(secret: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-drawbridge-secret': secret };
  return (await fetch(`${webhooksUrlOf(sandbox.host)}/${eventType}`, { method: 'POST', headers, body: '{}' })).status;
}

const other = 'f'.repeat(64);
const delivered = { outcome: 'delivered', status: 200 };

describe('a rotation of the header secret', () => {
  it('accepts both secrets and no other, continues after register was killed, and ends the previous secret after the overlap', async () => {
    const { host, platform } = sandbox;
    const { current: former } = await readSecret();
    expect(secretsRegistered()).toEqual(new Set([former]));
    expect(await deliver()).toEqual(delivered);

    const register = host.functions.find('register');
    onAwsCall = ({ when, caller, operation }) => {
      if (when === 'after' && caller === 'register' && operation === 'PutSecretValue') register?.kill();
    };
    expect(await register?.invoke('{"mode":"rotate"}')).toHaveProperty('error');
    onAwsCall = () => undefined;
    const { current, previous } = await readSecret();
    expect([previous, current === former]).toEqual([former, false]);
    expect(secretsRegistered()).toEqual(new Set([former]));
    expect(await deliver()).toEqual(delivered);

    await platform.clock.advance(settled);
    await runSchedule(host, 'register-runs');
    expect(secretsRegistered()).toEqual(new Set([current]));
    expect(await deliver()).toEqual(delivered);
    // As an attempt that the platform repeats with the headers of its first attempt.
    expect([await statusWith(former), await statusWith(other)]).toEqual([200, 401]);
    expect(sandbox.log()).toContain('"PreviousSecretDeliveries":1');
    const { registeredOn } = await readSecret();
    expect(registeredOn).toBeDefined();

    const SecretString = JSON.stringify({
      current,
      previous,
      registeredOn: new Date(platform.clock.now().getTime() - afterOverlap),
    });
    await host.clients.secretsManager.send(new PutSecretValueCommand({ SecretId: secretId(), SecretString }));
    await platform.clock.advance(settled);
    await refreshToken(host);
    await runSchedule(host, 'register-runs');
    expect(await readSecret()).toEqual({ current });
    await platform.clock.advance(secretAge);
    expect([await deliver(), await statusWith(former)]).toEqual([delivered, 401]);
  });

  it('logs no header secret', async () => {
    const log = sandbox.log();
    expect(log).toContain('webhook registration changed');
    expect(log).not.toContain((await readSecret()).current);
  });
});
