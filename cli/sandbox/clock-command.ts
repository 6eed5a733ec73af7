import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { addControlOption, type ControlRequest, createControl } from './control-client.ts';
import { clock } from './read-clock.ts';

const json = '`now` and `isFrozen`';

/** Adds `clock show`, `stop`, `start` and `advance`: the time of the sandbox, and so that of the stacks beside it. */
export function addClockCommand(program: Command, deps: CommandDeps): void {
  const group = program.command('clock').description('The clock of the sandbox, which Drawbridge beside it follows.');

  function add(name: string, description: string, request: ControlRequest, examples: readonly [string]): void {
    const command = addControlOption(group.command(name).description(description)).action(() => run(command, request));
    documentCommand(command, { examples, json });
  }

  async function run(command: Command, request: ControlRequest): Promise<void> {
    const { output, control } = createControl(command, deps);
    const answer = await control.send(request, clock);
    output.answer(answer, () => `${answer.now}  ${answer.isFrozen ? 'stopped' : 'running'}`);
  }

  const show = { method: 'GET', path: '/clock' } as const;
  const stop = { method: 'POST', path: '/clock/freeze' } as const;
  const start = { method: 'POST', path: '/clock/resume' } as const;
  add('show', 'Shows the time, and whether the clock is stopped.', show, ['drawbridge clock show']);
  add('stop', 'Stops the clock: work that falls due waits.', stop, ['drawbridge clock stop']);
  add('start', 'Lets the clock run again from its current time.', start, ['drawbridge clock start']);
  const advance = addControlOption(
    group
      .command('advance')
      .description('Moves the clock forward, and ends when all work that falls due is done.')
      .argument('<duration>', 'how far, such as 90s, 10m, 2h or 1d', duration),
  ).action((seconds: unknown) =>
    run(advance, { method: 'POST', path: '/clock/advance', body: { seconds: z.number().parse(seconds) } }),
  );
  documentCommand(advance, { examples: ['drawbridge clock advance 2h'], json });
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** In seconds. @throws {InvalidArgumentError} */
function duration(text: string): number {
  const [, number, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError('The value must be a duration such as 90s, 10m, 2h or 1d.');
  return Number(number) * (units[unit] ?? 1);
}
