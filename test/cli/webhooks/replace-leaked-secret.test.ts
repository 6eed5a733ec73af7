import { expect, it } from 'vitest';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { createOutput } from '#cli/output/output.ts';
import { replaceLeakedSecret } from '#cli/webhooks/replace-leaked-secret.ts';
import { decideRotation } from '#functions/webhook-ingest/register/decide-rotation.ts';
import { describeRotation, rotateSecret } from '#functions/webhook-ingest/register/rotate-secret.ts';
import type { StoredWebhookSecret, WebhookSecretStore } from '#shared/secrets/webhook-secret.ts';
import { depsForTests, runForTests } from '#test/cli/program-for-tests.ts';

const start = Date.parse('2026-01-02T03:00:00.000Z');
const minute = 60_000;
const day = 24 * 60 * minute;
const rules = { interval: 90 * day, overlap: 3 * day };
const overtaken = 'Another run has changed the secret: the next run continues with what is stored.';

type Mode = 'plan' | 'rotate' | 'retire';
type Run = {
  readonly stored: Partial<StoredWebhookSecret>;
  /** What Register answers in place of what it would do. */
  readonly answers?: (mode: Mode, count: number) => string | undefined;
};

/** Runs the command against the steps of Register, with a secret in memory and a clock that only waits move. */
async function replace({ stored, answers = () => undefined }: Run) {
  let time = start;
  let made = 0;
  let secret: StoredWebhookSecret = { current: 'leaked', versionId: '0', createdOn: new Date(start - day), ...stored };
  const modes: string[] = [];
  const printed = { stdout: '', stderr: '' };
  const now = () => new Date(time);
  const secrets: WebhookSecretStore = {
    read: async () => secret,
    replace: async ({ versionId }, value) => {
      secret = { ...value, versionId: `${Number(versionId) + 1}`, createdOn: now() };
      return 'stored';
    },
  };
  const nothing = () => undefined;
  const after = { webhooks: [], notConfigured: [] };

  async function rotationAfter(mode: Mode): Promise<string> {
    if (mode === 'plan')
      return describeRotation(
        decideRotation({ secret, isRotated: true, now: now() }, { ...rules, isAsked: false }),
        secret,
      );
    return rotateSecret(
      {
        secrets,
        now,
        newSecret: () => `new ${++made}`,
        log: { info: nothing, warn: nothing, error: nothing },
      },
      { ...rules, overlap: mode === 'retire' ? 2 * minute : rules.overlap, isAsked: mode === 'rotate' },
      {
        reconciled: { secret, after },
        reconcile: async (next) => ({ secret: next, after, before: after, failures: new Map() }),
      },
    );
  }

  const deployment = {
    control: undefined,
    resources: async () => ({ idOf: () => 'query' }),
    clients: { logs: { config: { credentials: async () => ({ accessKeyId: 'key' }) }, send: async () => ({}) } },
    invoke: async (_name: string, { mode }: { mode: Mode }) => {
      modes.push(mode);
      const count = modes.filter((one) => one === mode).length;
      return { plan: [], failed: [], rotation: answers(mode, count) ?? (await rotationAfter(mode)) };
    },
  } as unknown as Deployment;
  const output = createOutput({
    isJson: false,
    stdout: (text) => (printed.stdout += text),
    stderr: (text) => (printed.stderr += text),
    terminalWidth: () => undefined,
  });
  const wait = async (milliseconds: number) => {
    time += milliseconds;
  };
  const isReplaced = await replaceLeakedSecret(
    deployment,
    { output, confirm: async () => undefined },
    depsForTests({ now, wait }),
  );
  return {
    ...printed,
    isReplaced,
    secret: { ...secret, previous: secret.previous },
    modes,
    minutes: (time - start) / minute,
  };
}

it('replaces the secret, and says until when processes that have read the old one accept it', async () => {
  const { isReplaced, secret, stdout, stderr } = await replace({ stored: {} });
  expect({ isReplaced, ...secret }).toMatchObject({ isReplaced: true, current: 'new 1', previous: undefined });
  expect(stderr).toMatch(
    /accepted until about 2026-01-02T03:07:00Z.* ends early, .*: run drawbridge webhooks retire\n/,
  );
  expect(stdout).toMatch(/^The old secret is rejected within five minutes \(an hour while Secrets Manager fails\)\./);
});

it('replaces the current secret where the overlap of an earlier rotation is over and nothing has retired it', async () => {
  const stored = { previous: 'older', registeredOn: new Date(start - 4 * day) };
  const { isReplaced, secret, modes } = await replace({ stored });
  expect({ isReplaced, ...secret }).toMatchObject({ isReplaced: true, current: 'new 1', previous: undefined });
  expect(modes).toEqual(['plan', 'retire', 'rotate', 'retire']);
});

it('rotates again where a run has only ended an earlier rotation, or was overtaken', async () => {
  const answers = (mode: Mode, count: number) =>
    mode === 'rotate' ? ['The previous secret is accepted no longer.', overtaken][count - 1] : undefined;
  const { isReplaced, secret, modes } = await replace({ stored: {}, answers });
  expect({ isReplaced, current: secret.current }).toEqual({ isReplaced: true, current: 'new 1' });
  expect(modes.filter((mode) => mode === 'rotate')).toHaveLength(3);
});

it('fails where three runs made no new secret, and says what to do', async () => {
  const { isReplaced, stdout, modes } = await replace({
    stored: {},
    answers: (mode) => (mode === 'rotate' ? overtaken : undefined),
  });
  expect({ isReplaced, modes }).toEqual({ isReplaced: false, modes: ['plan', 'rotate', 'rotate', 'rotate'] });
  expect(stdout).toMatch(/No new secret was made.*\nRun again: drawbridge webhooks rotate --leaked\n$/);
});

it('does not take a retirement for done that another run has overtaken', async () => {
  const once = await replace({
    stored: {},
    answers: (mode, count) => (mode === 'retire' && count === 1 ? overtaken : undefined),
  });
  expect(once).toMatchObject({ isReplaced: true, secret: { previous: undefined } });
  const always = await replace({ stored: {}, answers: (mode) => (mode === 'retire' ? overtaken : undefined) });
  expect(always.isReplaced).toBe(false);
  expect(always.stdout).toMatch(/may still be accepted\.\nOnce .*: drawbridge webhooks retire\n$/);
});

it('says that the old secret may still be accepted where an error ends the command after the rotation', async () => {
  const answers = (mode: Mode) => {
    if (mode === 'retire') throw Object.assign(new Error('the token is expired'), { name: 'ExpiredTokenException' });
    return undefined;
  };
  await expect(replace({ stored: {}, answers })).rejects.toThrow(
    /valid AWS credentials: .*\nA new secret was made, and the old one may still be accepted\.\nNext: .* drawbridge webhooks retire$/,
  );
});

it('ends a rotation without a wait where its overlap allows it, and else waits for the overlap', async () => {
  const old = await replace({ stored: { previous: 'older', registeredOn: new Date(start - day) } });
  expect(old).toMatchObject({ isReplaced: true, minutes: 2, secret: { current: 'new 1', previous: undefined } });
  // Stuck until now: Register first sees each webhook with the new secret in the first attempt.
  const stuck = await replace({ stored: { previous: 'older' } });
  expect(stuck).toMatchObject({ isReplaced: true, minutes: 4, secret: { current: 'new 1', previous: undefined } });
});

it('says to run again where the rotation that is under way cannot end', async () => {
  const { isReplaced, stdout, modes } = await replace({
    stored: { previous: 'older' },
    answers: () => 'Both secrets are accepted: not every webhook has the new one yet.',
  });
  expect({ isReplaced, hasRotated: modes.includes('rotate') }).toEqual({ isReplaced: false, hasRotated: false });
  expect(stdout).toMatch(/run again: drawbridge webhooks rotate --leaked\n$/);
});

it.each(['--take-over', '--remove'])('refuses --leaked with %s, which it would ignore', async (option) => {
  const { exit, stderr } = await runForTests(['webhooks', 'rotate', '--leaked', option, 'TRANSFER_NOTIFICATION']);
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringMatching(/'--leaked' cannot be used with/) });
});
