import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { checkKnown } from '#cli/command/known-word.ts';
import { addExitCodeOption } from '#cli/command/list-options.ts';
import { formatFields, type Width } from '#cli/output/format-columns.ts';
import { wrapText } from '#cli/output/wrap-text.ts';
import type { NotifyingAlarm } from '#cli/status/read-alarms.ts';
import { listAlarms, shortName } from './list-alarms.ts';

const lsOptions = z.object({ all: z.boolean(), exitCode: z.boolean() });

const json =
  '`name`, `state` (`ALARM`, `OK`, `INSUFFICIENT_DATA`), `since`, `reason`, as the deployed alarm says them `means`, `fix`, `commands` and the `part` that it concerns, and the page `runbook`';

/** Adds `alarms ls` and `show`: what is wrong, and what to do. */
export function addAlarmsCommand(program: Command, deps: CommandDeps): void {
  const group = program.command('alarms').description('What is wrong, and what to do about it.');
  const ls = addExitCodeOption(
    group.command('ls').description('Lists the alarms that are on, the latest first, and what each means.'),
  )
    .option('--all', 'also those that are not on', false)
    .action(async (given: unknown) => {
      const { all, exitCode } = lsOptions.parse(given);
      const { output, connect } = createContext(ls, deps);
      const alarms = await listAlarms(await connect());
      const on = alarms.filter(({ state }) => state === 'ALARM');
      output.list(all ? alarms : on, {
        head: ['alarm', 'state', 'since', 'means'],
        row: ({ name, state, since, means }) => [name, state, since, means],
        none: 'No alarm is on.',
      });
      if (on.length > 0) output.note('What to do: drawbridge alarms show NAME');
      if (exitCode && on.length > 0) deps.exit(exitCodes.found);
    });
  documentCommand(ls, {
    examples: ['drawbridge alarms ls --env production'],
    json: `one alarm a line: ${json}`,
    found: '`--exit-code` is given, and an alarm is on',
  });
  const show = group
    .command('show')
    .description('Shows what an alarm means, what to do, and the commands to copy.')
    .argument('<name>', 'of alarms ls, such as WebhooksDlq, or as CloudWatch names the alarm')
    .action(async (name: string) => {
      const { output, connect } = createContext(show, deps);
      const alarms = await listAlarms(await connect());
      const known = { what: 'alarm', words: alarms.map((alarm) => alarm.name) };
      checkKnown(shortName(name), known, 'drawbridge alarms ls --all lists them.');
      const alarm = alarms.find((one) => one.name === shortName(name));
      if (alarm !== undefined) output.answer(alarm, (width) => formatAlarm(alarm, width));
    });
  documentCommand(show, { examples: ['drawbridge alarms show WebhooksDlq --env production'], json });
}

function formatAlarm(
  { name, state, since, reason, means, fix, commands, runbook }: NotifyingAlarm,
  width: Width,
): string {
  const wrap = (text: string) => wrapText(text, { width: width ?? Number.POSITIVE_INFINITY });
  return [
    formatFields([
      ['alarm', name],
      ['state', state],
      ['since', since],
      ['reason', reason],
    ]),
    wrap(means),
    ...(fix === '' ? [] : [wrap(`Do: ${fix}`)]),
    ...(commands.length === 0 ? [] : [commands.map((command) => `  ${command}`).join('\n')]),
    ...(runbook === '' ? [] : [`Runbook: ${runbook}`]),
  ].join('\n\n');
}
