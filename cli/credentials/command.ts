import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { recordAction } from '#cli/deployment/record-action.ts';
import { awaitToken, forceRefresh, readTokenState, requestRefresh } from '#cli/token/token-state.ts';
import { takeCredentials } from './take-credentials.ts';

const setOptions = z.object({ file: z.string().optional(), check: z.boolean() });

/** Adds `credentials set`: stores the platform credentials, and waits for a token that they got. */
export function addCredentialsCommand(program: Command, deps: CommandDeps): void {
  const group = program.command('credentials').description('The credentials that the operator of the platform issued.');
  const set = group
    .command('set')
    .description('Asks for the credentials without showing them, stores them, and waits for a new token that they got.')
    .option('--file <path>', 'reads {"clientId", "clientSecret"} from a file, or from the standard input with -')
    .option('--no-check', 'store the credentials without trying them')
    .action(async (given: unknown) => {
      const { file, check: isTried } = setOptions.parse(given);
      const { output, connect, confirm } = createContext(set, deps);
      const deployment = await connect();
      const secret = await takeCredentials(file, deps);
      await confirm(
        isTried
          ? 'store the platform credentials, and have Refresh get a new token with them'
          : 'store the platform credentials, with which Refresh requests the next token',
      );
      const before = await readTokenState(deployment);
      const SecretId = (await deployment.resources()).idOf('secret', 'PlatformCredentials');
      await recordAction(deployment, { message: 'credentials change requested' }, deps);
      await deployment.clients.secretsManager.send(
        new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(secret) }),
      );
      const { hasToken, versionId } = before;
      if (!isTried) {
        await requestRefresh(deployment, deps);
        output.answer(
          { stored: true, hasToken, refreshed: false },
          () => 'The credentials are stored, and not tried yet. To try them: drawbridge token refresh --force',
        );
        return;
      }
      if (hasToken && versionId !== undefined) await forceRefresh(deployment, versionId, deps.newId());
      else await requestRefresh(deployment, deps);
      output.note(
        `The credentials are stored. Waiting for ${hasToken ? 'a new' : 'the first'} token, a minute at most …`,
      );
      const state = await awaitToken(deployment, before, deps);
      if (state === undefined)
        throw new CommandError(
          `The credentials are stored, and no token came within a minute. ${hasToken ? 'The current token stays in use.' : ''}`.trimEnd(),
          'drawbridge logs errors-by-function says why: with "token not replaced", the token service gave the current token again. Otherwise check the credentials and the address of the token service.',
        );
      output.answer({ stored: true, hasToken: true, refreshed: true }, () =>
        hasToken
          ? 'The token service accepted the credentials, and its token is in use.'
          : 'The first token is there. Register registers the webhooks within 10 minutes: drawbridge webhooks plan',
      );
    });
  documentCommand(set, {
    examples: [
      'drawbridge credentials set --env production',
      'drawbridge credentials set --file credentials.json --env production',
    ],
    json: '`stored`, `hasToken` and `refreshed` (whether a new token came); never a credential',
    writes: 'stores the credentials in Secrets Manager, and without `--no-check` replaces the platform token',
  });
}
