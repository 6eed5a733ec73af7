import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { size } from '#test/full-size.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { startHttpEmulators } from '#test/shared/aws/http-emulators.ts';
import { type Answer, expectSameAnswers } from './same-answers.ts';
import { createSecretsManager } from './secrets-manager.ts';

let emulators: Emulators;
let runs = 0;
beforeAll(async () => {
  emulators = await startHttpEmulators({ now: () => new Date(0) });
});
afterAll(() => emulators.close());

/** Without the names of the secret, which differ. */
function normalised(answer: Answer): unknown {
  if ('error' in answer) return answer;
  const { ARN: _, Name: __, ...output }: Readonly<Record<string, unknown>> = { ...answer.output };
  return output;
}

describe('the simulated Secrets Manager beside the sandbox', { timeout: 300_000 }, () => {
  it('answers like the sandbox to commands on a secret', async () => {
    const { secretId: SecretId } = emulators;
    const token = fc.integer({ min: 0, max: 3 });
    const step = fc.oneof(
      fc.constantFrom({}, { VersionStage: 'AWSCURRENT' }, { VersionStage: 'AWSPREVIOUS' }),
      fc.record({ read: token }),
      fc.record({ from: token, to: token }),
      fc.record({ token, text: fc.constantFrom('a', 'b') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        runs += 1;
        const idOf = (name: string | number) => `run-${runs}-${name}`;
        const put = (name: string | number, SecretString: string) =>
          new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken: idOf(name) });
        const { perform } = createSecretsManager({ [SecretId]: 'before' }, { now: () => 0, newId: () => 'first' });
        const commands = steps.map((one) => {
          if ('text' in one) return put(one.token, one.text);
          if ('read' in one) return new GetSecretValueCommand({ SecretId, VersionId: idOf(one.read) });
          if (!('from' in one)) return new GetSecretValueCommand({ SecretId, ...one });
          const ids = { MoveToVersionId: idOf(one.to), RemoveFromVersionId: idOf(one.from) };
          return new UpdateSecretVersionStageCommand({ SecretId, VersionStage: 'AWSCURRENT', ...ids });
        });
        await expectSameAnswers(
          emulators.secretsManager,
          perform,
          [put('earlier', 'a'), put('first', 'a'), ...commands],
          normalised,
        );
      }),
      { numRuns: size(25, 100) },
    );
  });

  it('answers like the sandbox to an unknown secret', async () => {
    const SecretId = 'nowhere';
    const { perform } = createSecretsManager({}, { now: () => 0, newId: () => 'first' });
    const commands = [
      new GetSecretValueCommand({ SecretId }),
      new PutSecretValueCommand({ SecretId, SecretString: 'a', ClientRequestToken: 'a'.repeat(32) }),
    ];
    await expectSameAnswers(emulators.secretsManager, perform, commands, normalised);
  });
});
