import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError, messageOf } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { checkKnown } from '#cli/command/known-word.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import { revealEvent } from '#cli/deployment/api-reads.ts';
import { explainLostLaptop } from '#cli/deployment/explain-lost-laptop.ts';
import { count } from '#sandbox/terminal/command-line.ts';
import { publishedDetailTypes } from '#shared/api/published-detail-types.ts';
import { nearestWord } from '#shared/nearest-word.ts';
import { eventTypes } from '#shared/platform/profile/event-place.ts';
import { formatLine, isWanted, type TailLine } from './tail-line.ts';
import { watchTail } from './watch-tail.ts';
import { webhookTypesOf } from './watch-webhooks.ts';

const tailOptions = z.object({
  type: z.array(z.string()),
  id: z.string().optional(),
  body: z.boolean(),
  reveal: z.boolean(),
  limit: z.number().optional(),
});

const another = (value: string, others: readonly string[]): readonly string[] => [...others, value];

/** Adds `tail`: webhooks and bus events as they come. */
export function addTailCommand(program: Command, deps: CommandDeps): Command {
  const command = program
    .command('tail')
    .description(
      'Prints webhooks and bus events as they arrive, until Ctrl-C. Creates a rule and a queue, and removes both at the end.',
    )
    .option('--type <name>', 'only this event type or detail-type; can be repeated', another, [])
    .option('--id <id>', 'only what names this event, entity or onboarding, by an id that is short or whole')
    .option('--body', 'print the body of each webhook too: needs --reveal', false)
    .option('--reveal', 'allow personal data: the log of Query records each body that is read', false)
    .option('--limit <number>', 'end after this many lines', count)
    .action(async (given: unknown) => {
      const options = tailOptions.parse(given);
      if (options.body && !options.reveal)
        throw new CommandError('Bodies hold personal data.', 'run the command again with --reveal.');
      const { output, connect } = createContext(command, deps);
      for (const name of options.type) {
        const known = { what: 'event type or detail-type', words: [...publishedDetailTypes, ...eventTypes] };
        // The platform can have event types that this release does not know: all in capitals.
        if (/^[A-Z0-9]+(?:_[A-Z0-9]+)+$/.test(name) && nearestWord(name, known.words) === undefined) {
          output.note(`${name} is not a known ${known.what}.`);
          continue;
        }
        checkKnown(name, known, 'drawbridge tail, which prints every type.');
      }
      const deployment = await connect();
      const interrupted = deps.untilInterrupted();
      const ended = new AbortController();
      const stop = AbortSignal.any([interrupted, ended.signal]);
      const readBody = options.body ? createReadBody(deployment.api) : async () => undefined;
      let printed = 0;

      async function print(lines: readonly TailLine[]): Promise<void> {
        for (const line of lines.filter((one) => isWanted(one, options))) {
          if (stop.aborted) return;
          const body = await readBody(line).catch((error: unknown) => {
            output.note(`The body of ${line.eventId} cannot be read: ${messageOf(error)}`);
            return undefined;
          });
          output.item({ ...line, ...body }, () => formatLine(line, body));
          printed += 1;
          if (printed === options.limit) ended.abort();
        }
      }

      await watchTail(
        {
          deployment,
          command: 'tail',
          webhookTypes: webhookTypesOf(options.type),
          onLines: print,
          isPatient: true,
          onWatching: () => output.note('Waiting for webhooks and bus events. To end, press Ctrl-C.'),
          stop,
        },
        { ...deps, note: output.note },
      ).catch(async (error: unknown) => {
        throw await explainLostLaptop(error, deployment, deps);
      });
    });
  return documentCommand(command, {
    examples: ['drawbridge tail', 'drawbridge tail --type OrderStatusChanged --env production --json'],
    json: 'one line for each webhook and bus event: `source` (`webhook` or `bus`), `time`, `type`, `eventId`, `about` (the entity or onboarding), `status`; with `--body` also `body`, or `bodyBase64`',
    writes: 'creates a rule on the bus and a queue, without a question, and removes both at the end',
  });
}

type ShownBody = { readonly body?: string | undefined; readonly bodyBase64?: string | undefined };

/** Reads the body of a webhook; undefined for a bus event. */
function createReadBody(api: ApiClient) {
  return async ({ source, eventId }: TailLine): Promise<ShownBody | undefined> => {
    if (source !== 'webhook' || eventId === undefined) return undefined;
    const { body, bodyBase64 } = await revealEvent(api, eventId);
    return { body, bodyBase64 };
  };
}
