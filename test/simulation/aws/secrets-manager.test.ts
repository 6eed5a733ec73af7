import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
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
  const { ARN: _, Name: __, VersionStages: ___, ...output }: Readonly<Record<string, unknown>> = { ...answer.output };
  return output;
}

describe('the simulated Secrets Manager beside the sandbox', { timeout: 300_000 }, () => {
  it('answers like the sandbox to commands on a secret', async () => {
    const { secretId: SecretId } = emulators;
    const step = fc.oneof(
      fc.constant(new GetSecretValueCommand({ SecretId })),
      fc.constant(new GetSecretValueCommand({ SecretId, VersionStage: 'AWSCURRENT' })),
      fc.constant(new GetSecretValueCommand({ SecretId, VersionStage: 'AWSPREVIOUS' })),
      fc.record({ token: fc.integer({ min: 0, max: 3 }), text: fc.constantFrom('a', 'b') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        runs += 1;
        const put = (token: string, SecretString: string) =>
          new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken: `run-${runs}-${token}` });
        const { perform } = createSecretsManager({ [SecretId]: 'before' }, { now: () => 0, newId: () => 'first' });
        const commands = steps.map((one) => ('text' in one ? put(String(one.token), one.text) : one));
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
