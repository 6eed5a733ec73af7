import type { Command } from 'commander';
import * as z from 'zod';
import { type BusEvent, openBusSession } from '#cli/bus-session/open-bus-session.ts';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { httpUrl } from '#cli/command/http-url.ts';
import { hintAt } from '#cli/command/known-word.ts';
import { explainLostLaptop } from '#cli/deployment/explain-lost-laptop.ts';
import { count } from '#sandbox/terminal/command-line.ts';
import { publishedDetailTypes as known } from '#shared/api/published-detail-types.ts';
import { formatForwarded, forward } from './forward.ts';

const listenOptions = z.object({ forwardTo: z.string(), events: z.array(z.string()), limit: z.number().optional() });

/** The latest events, which `resend` sends again. */
const maxKept = 1_000;

/** In milliseconds: how long the service may take. */
const timeout = 30_000;

/** Adds `listen`: bus events to a service on this machine. */
export function addListenCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('listen')
    .description(
      'Forwards bus events to a service on this machine, until Ctrl-C. To send one again, type resend and its id. Creates a rule and a queue, and removes both at the end.',
    )
    .requiredOption(
      '--forward-to <url>',
      'the URL of the service, which gets a POST for each event',
      httpUrl('http://localhost:3000/events'),
    )
    .option('--events <detail-types>', 'only these detail-types, with commas between them', list, [])
    .option('--limit <number>', 'end after this many events', count)
    .action(async (given: unknown) => {
      const { forwardTo: url, events, limit } = listenOptions.parse(given);
      const { output, connect } = createContext(command, deps);
      for (const name of events) {
        const hint = hintAt(name, { what: 'detail-type', words: known });
        if (hint !== undefined) output.note(hint);
      }
      const deployment = await connect();
      const ended = new AbortController();
      const stop = AbortSignal.any([deps.untilInterrupted(), ended.signal]);
      const kept = new Map<string, BusEvent>();
      let forwarded = 0;

      async function send(event: BusEvent): Promise<void> {
        const result = await forward(event, { url, timeout, fetch: deps.fetch });
        output.item(result, () => formatForwarded(result));
        forwarded += 1;
        if (forwarded === limit) ended.abort();
      }

      function keep(event: BusEvent): void {
        kept.set(event.busEventId, event);
        const [oldest] = kept.keys();
        if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
      }

      async function resend(line: string): Promise<void> {
        const [, id] = /^\s*resend\s+(\S+)\s*$/.exec(line) ?? [];
        const event = id === undefined ? undefined : kept.get(id);
        if (event !== undefined) await send(event);
        else if (line.trim() !== '')
          output.note(id === undefined ? 'Type resend and the id of an event.' : `No event of this session is ${id}.`);
      }

      async function explain(error: unknown): Promise<never> {
        throw await explainLostLaptop(error, deployment, deps);
      }

      const detailTypes = events.length === 0 ? {} : { detailTypes: events };
      const session = await openBusSession({ deployment, command: 'listen', sessionId: deps.newId(), ...detailTypes });
      try {
        output.note(
          `Forwarding bus events to ${url}. To end, press Ctrl-C. To send one again, type resend and its id.`,
        );
        const watchBus = async () => {
          while (!stop.aborted)
            for (const event of await session.receive(stop)) {
              if (stop.aborted) break;
              keep(event);
              await send(event);
            }
        };
        const watchInput = async () => {
          for await (const line of deps.readLines(stop)) await resend(line);
        };
        await Promise.all([watchBus(), watchInput()])
          .finally(() => ended.abort())
          .catch(explain);
      } finally {
        await session.close().catch(explain);
      }
    });
  documentCommand(command, {
    examples: [
      'drawbridge listen --forward-to http://localhost:3000/events',
      'drawbridge listen --forward-to http://localhost:3000/events --events OrderStatusChanged,TransferStatusChanged',
    ],
    json: 'one line for each event: `busEventId`, `detailType`, `about` (the entity or onboarding), `status` (absent without an answer) and `answer`',
    writes: 'creates a rule on the bus and a queue, without a question, and removes both at the end',
  });
}

function list(text: string, others: readonly string[]): readonly string[] {
  return [...others, ...text.split(',').filter((name) => name !== '')];
}
