import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { requestPath } from '#cli/command/request-url.ts';
import { count } from '#sandbox/terminal/command-line.ts';
import { quote } from '#sandbox/terminal/quote.ts';
import { addControlOption, createControl } from './control-client.ts';

/** A fault as far as the table shows it. */
export const placedFault = z.object({
  id: z.string(),
  fault: z.looseObject({ effect: z.string(), operation: z.string(), share: z.number(), times: z.number().optional() }),
  happened: z.number(),
});

type PlacedFault = z.infer<typeof placedFault>;

const onOptions = z.looseObject({ control: z.string().optional() });

const effects = { answer: 'ANSWER', 'no-answer': 'NO_ANSWER', latency: 'LATENCY' } as const;

const json = '`id`, `fault` and `happened` of each fault, one a line';

/** Adds `fault ls`, `on` and `off`: how the sandbox platform fails the calls of its API. */
export function addFaultCommand(program: Command, deps: CommandDeps): void {
  const group = program.command('fault').description('How the sandbox platform fails calls of its API.');

  const ls = addControlOption(group.command('ls').description('Lists the faults, ended ones included.')).action(
    async () => {
      const { output, control } = createControl(ls, deps);
      const faults = await control.send({ method: 'GET', path: '/faults' }, z.array(placedFault));
      output.list(faults, {
        head: ['id', 'effect', 'operation', 'share', 'times', 'happened'],
        row: rowOf,
        none: 'There is no fault: the platform answers every call.',
      });
    },
  );
  documentCommand(ls, { examples: ['drawbridge fault ls'], json });

  const on = addControlOption(
    group
      .command('on')
      .description('Places a fault.')
      .argument('<effect>', 'answer, no-answer or latency', effect)
      .option('--operation <id>', 'only calls of this operationId, such as createNaturalPerson')
      .option('--status <number>', 'the status of the answer', count)
      .option('--retry-after <text>', 'the header Retry-After of the answer')
      .option('--body <text>', 'the body of the answer')
      .option('--commits', 'the platform carries out the call, and still answers with the fault')
      .option('--milliseconds <number>', 'how late the answer is', count)
      .option('--share <number>', 'the share of calls, up to 1', Number)
      .option('--times <number>', 'how many times at most', count)
      .addOption(new Option('--seconds <number>', 'how long, by the clock of the sandbox').argParser(count)),
  ).action(async (named: unknown, given: unknown) => {
    const { control: origin, ...options } = onOptions.parse(given);
    const { output, control } = createControl(on, deps);
    const request = { method: 'POST', path: '/faults', body: { ...options, effect: named } } as const;
    const placed = await control.send(request, placedFault);
    output.answer(placed, () => `${placed.id}  ${placed.fault.effect} for ${callsOf(placed.fault.operation)}`);
    output.note(
      `To end it: drawbridge fault off ${quote(placed.id)}${origin === undefined ? '' : ` --control ${quote(origin)}`}`,
    );
  });
  documentCommand(on, {
    examples: [
      'drawbridge fault on answer --status 503 --retry-after 2 --seconds 60',
      'drawbridge fault on answer --operation createNaturalPerson --status 500 --commits --times 1',
      'drawbridge fault on latency --milliseconds 2000 --share 0.5',
    ],
    json: '`id`, `fault` and `happened`',
    writes: 'the sandbox platform, without a question',
  });

  const off = addControlOption(
    group
      .command('off')
      .description('Ends one fault, or all of them.')
      .argument('[id]', 'an id of drawbridge fault ls; all by default'),
  ).action(async (id: string | undefined) => {
    const { output, control } = createControl(off, deps);
    const path = id === undefined ? '/faults' : requestPath`/faults/${id}`;
    await control.send({ method: 'DELETE', path }, z.unknown());
    output.answer({ ended: id ?? 'all' }, () => (id === undefined ? 'Every fault has ended.' : `${id} has ended.`));
  });
  documentCommand(off, {
    examples: ['drawbridge fault off'],
    json: '`ended`: the id, or `all`',
    writes: 'the sandbox platform, without a question',
  });
}

function rowOf({ id, fault, happened }: PlacedFault) {
  return [id, fault.effect, fault.operation, fault.share, fault.times, happened];
}

/** The control API names every operation by an asterisk. */
function callsOf(operation: string): string {
  return operation === '*' ? 'calls of every operation' : `calls of ${operation}`;
}

/** @throws {InvalidArgumentError} */
function effect(text: string): string {
  const found = new Map<string, string>(Object.entries(effects)).get(text);
  if (found === undefined)
    throw new InvalidArgumentError(`The value must be one of ${Object.keys(effects).join(', ')}.`);
  return found;
}
