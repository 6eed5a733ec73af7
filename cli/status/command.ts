import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { formatStatus, toneOfLine } from './format-status.ts';
import { readStatus } from './read-status.ts';

const statusOptions = z.object({ watch: z.boolean() });

/** In milliseconds: between two screens of `--watch`. */
const interval = 5_000;

/** Adds `status`: rates, queues, onboardings, quarantine and alarms on one screen. */
export function addStatusCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('status')
    .description('Shows on one screen how Drawbridge is doing.')
    .option('--watch', 'refresh the screen every 5 seconds, until Ctrl-C', false)
    .action(async (given: unknown) => {
      const { watch } = statusOptions.parse(given);
      const { output, connect } = createContext(command, deps);
      const deployment = await connect();
      const interrupted = watch ? deps.untilInterrupted() : undefined;
      let isWhole = true;
      do {
        const now = await readClock(deployment, deps);
        const status = await readStatus(deployment, now);
        if (watch)
          output.screen(status, (width) => `${deps.now().toISOString()}\n${formatStatus(status, now, width)}\n`);
        else output.answer(status, (width) => formatStatus(status, now, width), toneOfLine);
        isWhole = status.unavailable.length === 0;
        if (watch) await deps.wait(interval, interrupted);
      } while (interrupted?.aborted === false);
      if (!isWhole) deps.exit(exitCodes.failed);
    });
  documentCommand(command, {
    failed: 'a part could not be read',
    examples: ['drawbridge status', 'drawbridge status --env production --watch'],
    json: '`environment`, `version`, `outage` of the platform or null (`since`, `calls` and `failed` since then, `operations` that failed, `onboardingsWaiting`, `lastWebhookOn` or null, which is absent if the events could not be read, `hasEventList`, which is false without the setting `listEvents`, and absent if that could not be read; `outage` is absent if no call went out for ten minutes), `queues` (`name`, `waiting`, `inFlight`, `delayed`, `oldestSeconds` or null), `onboardings` (`step`, `count`, `more`), `quarantined` (`hasMoreQuarantined` if more than that are), `metrics` (a number or null by name) and `alarms` that are on (`name`, `since`, and the `part` that it concerns, empty if all). What could not be read is null, and `unavailable` says why (`part`, `reason`). With `--watch`, one object a line.',
  });
}
