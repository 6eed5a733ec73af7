import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import type { Output } from '#cli/output/output.ts';
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
    printState(output, await control.send(request, clock));
  }

  const show = { method: 'GET', path: '/clock' } as const;
  const stop = { method: 'POST', path: '/clock/freeze' } as const;
  const start = { method: 'POST', path: '/clock/resume' } as const;
  add('show', 'Shows the time, and whether the clock is stopped.', show, ['drawbridge clock show']);
  add('stop', 'Stops the clock: nothing becomes due until it runs again.', stop, ['drawbridge clock stop']);
  add('start', 'Lets the clock run again from its current time.', start, ['drawbridge clock start']);
  const advance = addControlOption(
    group
      .command('advance')
      .description(
        'Moves the clock forward. Schedules run and messages arrive as they become due. Waits until all are done.',
      )
      .argument('<duration>', 'how far, such as 90s, 10m, 2h or 1d', duration),
  ).action(async (given: unknown) => {
    const { output, control } = createControl(advance, deps);
    const move = (seconds: number) =>
      control.send({ method: 'POST', path: '/clock/advance', body: { seconds } }, clock);
    let left = z.number().parse(given);
    for (; left > day; left -= day) output.note((await move(day)).now);
    printState(output, await move(left));
  });
  documentCommand(advance, { examples: ['drawbridge clock advance 2h', 'drawbridge clock advance 7d'], json });
}

function printState({ answer }: Output, state: z.infer<typeof clock>): void {
  answer(state, () => `${state.now}  ${state.isFrozen ? 'stopped' : 'running'}`);
}

/** In seconds. A request advances by a day at most, so that progress shows and no request lasts for minutes. */
const day = 86_400;

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** In seconds. @throws {InvalidArgumentError} */
function duration(text: string): number {
  const [, number, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError('The value must be a duration such as 90s, 10m, 2h or 1d.');
  return Number(number) * (units[unit] ?? 1);
}
