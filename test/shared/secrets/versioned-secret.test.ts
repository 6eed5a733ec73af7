import { inspect } from 'node:util';
import { UpdateSecretVersionStageCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import {
  createVersionedSecret,
  type VersionedSecret,
  type VersionedSecretDeps,
} from '#shared/secrets/versioned-secret.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { failureOf } from '#test/shared/platform/client/test-client.ts';

const canary = 'CANARY'.repeat(6);
let time = Date.parse('2026-01-02T03:04:05.678Z');
let emulators: Emulators;
let secret: VersionedSecret;

beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize, now: () => new Date(time) });
  secret = createVersionedSecret({ ...emulators, now: () => new Date(time) });
});
afterAll(() => emulators.close());
beforeEach(() => emulators.putSecret('first'));
afterEach(() => emulators.unwatch());

/** Breaks every call of the operation, before or after Secrets Manager has done it. */
function breakCalls(operation: string, when: 'before' | 'after'): void {
  emulators.watch((moment) => {
    if (moment.operation === operation && moment.when === when) throw new Error('Secrets Manager is down.');
  });
}

describe('replacing a version of a secret', () => {
  it('reads the new version with its text, its id, and when it was put', async () => {
    time += 1_000;
    const { versionId } = await secret.read();
    expect(await secret.replace(versionId, 'second')).toBe('stored');
    const second = await secret.read();
    expect(second).toMatchObject({ text: 'second', versionId: expect.any(String), createdOn: new Date(time) });
    expect(second.versionId).not.toBe(versionId);
  });

  it('lets one of two win that replace the same version, and informs the other', async () => {
    const { versionId } = await secret.read();
    const outcomes = await Promise.all(['one', 'other'].map((text) => secret.replace(versionId, text)));
    expect(outcomes.toSorted()).toEqual(['stored', 'superseded']);
    expect((await secret.read()).text).toBe(outcomes[0] === 'stored' ? 'one' : 'other');
  });

  it('does not replace a version that was already replaced', async () => {
    const { versionId } = await secret.read();
    await secret.replace(versionId, 'second');
    await secret.replace((await secret.read()).versionId, 'third');
    expect(await secret.replace(versionId, 'late')).toBe('superseded');
    expect((await secret.read()).text).toBe('third');
  });

  it('repeats a put whose answer was lost without another version', async () => {
    const { versionId } = await secret.read();
    breakCalls('PutSecretValue', 'after');
    await expect(secret.replace(versionId, 'second')).rejects.toMatchObject({ code: 'VersionedSecretError' });
    emulators.unwatch();
    const stored = await secret.read();
    expect(stored.text).toBe('second');
    expect(await secret.replace(versionId, 'second')).toBe('stored');
    expect(await secret.read()).toEqual(stored);
  });
});

describe('replacing a version after a rollback', () => {
  const later = () => {
    time += 30_000;
  };

  /** Moves AWSCURRENT to an earlier version, as an operator does. */
  async function rollBack(to: string): Promise<void> {
    const { versionId } = await secret.read();
    const move = { VersionStage: 'AWSCURRENT', MoveToVersionId: to, RemoveFromVersionId: versionId };
    await emulators.secretsManager.send(new UpdateSecretVersionStageCommand({ SecretId: emulators.secretId, ...move }));
  }

  it('stores a text each time, although the version has had successors', async () => {
    const { versionId } = await secret.read();
    for (const text of ['second', 'third', 'fourth']) {
      expect(await secret.replace(versionId, text)).toBe('stored');
      expect((await secret.read()).text).toBe(text);
      later();
      await rollBack(versionId);
    }
  });

  it('stores the same text as before the rollback', async () => {
    const { versionId } = await secret.read();
    await secret.replace(versionId, 'second');
    later();
    await rollBack(versionId);
    expect(await secret.replace(versionId, 'second')).toBe('stored');
    expect((await secret.read()).text).toBe('second');
  });

  it('lets one of fifty win, and returns to all of them what is stored', async () => {
    const { versionId } = await secret.read();
    await secret.replace(versionId, 'second');
    later();
    await rollBack(versionId);
    const texts = Array.from({ length: 50 }, (_, index) => `run ${index}`);
    const outcomes = await Promise.all(texts.map((text) => secret.replace(versionId, text)));
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
    expect((await secret.read()).text).toBe(`run ${outcomes.indexOf('stored')}`);
  });

  it('says of a text that is no longer current that another one is, also when it is put again', async () => {
    const { versionId } = await secret.read();
    await secret.replace(versionId, 'second');
    await secret.replace((await secret.read()).versionId, 'third');
    expect(await secret.replace(versionId, 'second')).toBe('superseded');
    expect((await secret.read()).text).toBe('third');
  });

  it('makes no second successor while a read may not know of the first one yet', async () => {
    const { versionId } = await secret.read();
    await secret.replace(versionId, 'second');
    await rollBack(versionId);
    await expect(secret.replace(versionId, 'third')).rejects.toMatchObject({ code: 'VersionedSecretError' });
    expect((await secret.read()).text).toBe('first');
  });
});

describe('Secrets Manager fails', () => {
  it('names the cause when there is no such secret', async () => {
    const { secretsManager } = emulators;
    const missing = createVersionedSecret({ secretsManager, secretId: 'missing', now: () => new Date(time) });
    const error = await failureOf(missing.read());
    expect(error).toBeInstanceOf(DrawbridgeError);
    expect(error).toMatchObject({ name: 'VersionedSecretError', cause: { name: 'ResourceNotFoundException' } });
  });

  it.each([
    ['GetSecretValue', () => secret.read()],
    ['PutSecretValue', () => secret.replace('version', canary)],
  ])('throws from %s and reveals nothing of the secret', async (operation, call) => {
    await emulators.putSecret(canary);
    breakCalls(operation, 'before');
    const error = await failureOf(call);
    expect(error).toMatchObject({ code: 'VersionedSecretError', cause: expect.any(Error) });
    expect(inspect(error, { showHidden: true, depth: null })).not.toContain('CANARY');
  });

  it('reads a secret that holds bytes as an empty text', async () => {
    const bytes = {
      secretsManager: { send: async () => ({ VersionId: '1', CreatedDate: new Date() }) },
      secretId: 's',
      now: () => new Date(time),
    };
    const strange = createVersionedSecret(bytes as unknown as VersionedSecretDeps);
    expect(await strange.read()).toMatchObject({ text: '' });
  });
});
