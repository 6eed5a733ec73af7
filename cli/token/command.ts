import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { recordAction } from '#cli/deployment/record-action.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { formatState, formatToken, isExpired } from './format-token.ts';
import { readTokenLife, type TokenLife } from './token-life.ts';
import { awaitToken, forceRefresh, readTokenState, requestRefresh } from './token-state.ts';

/** In milliseconds: how long Refresh may take to decide. */
const decisionDeadline = 15_000;

const json = '`hasToken`, `storedOn` and `versionId` of the secret; never the token';

const refreshOptions = z.object({ force: z.boolean() });

/** Adds `token show` and `token refresh`. Neither reads the token. */
export function addTokenCommand(program: Command, deps: CommandDeps): void {
  const group = program
    .command('token')
    .description('The platform token: its age and expiry. No command reads or prints the token.');
  const show = group
    .command('show')
    .description('Shows when the platform token was stored, its age, and when it expires.')
    .action(async () => {
      const { output, connect } = createContext(show, deps);
      const deployment = await connect();
      const state = await readTokenState(deployment);
      const now = await readClock(deployment, deps);
      const life = await readTokenLife(deployment, state, now);
      output.answer({ ...state, ...life }, () => formatToken(state, life, now));
      if (!state.hasToken || isExpired(life, now)) deps.exit(exitCodes.found);
    });
  documentCommand(show, {
    examples: ['drawbridge token show --env production'],
    json: `${json}; \`ageSeconds\` and \`expiresOn\`, to the minute, or null`,
    found: 'there is no token yet, or the token has expired',
  });
  const refresh = group
    .command('refresh')
    .description('Has Refresh check the token now. Refresh keeps a token with more than half its lifetime left.')
    .option('--force', 'replace the token even if it is good; repeated requests replace it once', false)
    .action(async (given: unknown) => {
      const { force } = refreshOptions.parse(given);
      const { output, connect, confirm } = createContext(refresh, deps);
      const deployment = await connect();
      const before = await readTokenState(deployment);
      await confirm(force ? 'replace the platform token' : 'have Refresh check the platform token');
      if (force && before.versionId !== undefined) {
        await recordAction(deployment, { message: 'token replacement requested' }, deps);
        await forceRefresh(deployment, before.versionId);
      } else await requestRefresh(deployment, deps);
      output.note(`Waiting for Refresh, ${decisionDeadline / 1_000} seconds at most …`);
      const after = await awaitToken(deployment, before, deps, decisionDeadline);
      const now = await readClock(deployment, deps);
      const life = await readTokenLife(deployment, before, now);
      const isUsedUp = !before.hasToken || isExpired(life, now);
      const state = { ...(after ?? before), refreshed: after !== undefined };
      output.answer(state, () =>
        after === undefined
          ? `${formatState(before, life)}\n\n${withoutToken(force, isUsedUp, life, before.storedOn)}`
          : formatState(after),
      );
      if (after === undefined && (force || isUsedUp)) deps.exit(exitCodes.found);
    });
  documentCommand(refresh, {
    examples: ['drawbridge token refresh --env production', 'drawbridge token refresh --force --env production'],
    json: `${json}; \`refreshed\`, whether a new token came within 15 seconds`,
    found: 'no new token came within 15 seconds, and `--force` is given or no token is good',
    writes: 'has Refresh request a new token where one is due, or with `--force` in any case',
  });
}

function withoutToken(
  force: boolean,
  isUsedUp: boolean,
  { ageSeconds, expiresOn }: TokenLife,
  storedOn: string | undefined,
): string {
  const lifetime = expiresOn === null ? undefined : (Date.parse(expiresOn) - Date.parse(storedOn ?? '')) / 1_000;
  if (!force && lifetime !== undefined && ageSeconds !== null && ageSeconds < lifetime / 2)
    return 'No new token came: Refresh keeps the token, which has more than half its lifetime left. To replace it: drawbridge token refresh --force';
  const others = isUsedUp ? 'Refresh failed' : 'Refresh keeps a token that is good, or failed';
  const reason = force ? 'the token service gave the same one again, or Refresh failed' : others;
  return `No new token came: ${reason}. Its errors: drawbridge logs errors-by-function`;
}
