import type { Command } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { requestPath } from '#cli/command/request-url.ts';
import { formatFields } from '#cli/output/format-columns.ts';
import { count } from '#sandbox/terminal/command-line.ts';
import { addControlOption, createControl } from './control-client.ts';

export const request = z.object({
  requestId: z.string(),
  method: z.string(),
  path: z.string(),
  operation: z.string().optional(),
  status: z.number(),
  startedOn: z.string(),
  requestorId: z.string().optional(),
  query: z.string().optional(),
  body: z.string().optional(),
  answer: z.string().optional(),
});

export const delivery = z.object({
  deliveryId: z.string(),
  eventType: z.string(),
  outcome: z.string(),
  createdOn: z.string(),
  cause: z.string(),
  resendOf: z.string().optional(),
  url: z.string().optional(),
  body: z.string(),
  attempts: z.array(
    z.object({ startedOn: z.string(), status: z.number().optional(), errorMessage: z.string().optional() }),
  ),
});

type Request = z.infer<typeof request>;

type Delivery = z.infer<typeof delivery>;

/** The calls that the sandbox platform keeps. */
const maxRequests = 1_000;

const requestOptions = z.object({
  operation: z.string().optional(),
  status: z.string().optional(),
  contains: z.string().optional(),
  limit: z.number(),
});

const deliveryOptions = z.object({
  type: z.string().optional(),
  outcome: z.string().optional(),
  contains: z.string().optional(),
  limit: z.number(),
});

const fieldsOfRequest =
  '`requestId`, `method`, `path`, `query`, `operation`, `status`, `requestorId`, `body`, `answer` and `startedOn` of a call';

const limit = ['--limit <number>', 'the most to list, newest first', count, 20] as const;

/** Adds `requests ls` and `show`, and `deliveries ls`, `show` and `resend`: what the sandbox platform got and sent. */
export function addLogCommands(program: Command, deps: CommandDeps): void {
  const requests = program.command('requests').description('The API calls that the sandbox platform received.');
  const ls = addControlOption(
    requests
      .command('ls')
      .description('Lists the latest calls. The bodies are in --json.')
      .option('--operation <id>', 'only calls of this operationId')
      .option('--status <number>', 'only calls that were answered with this status')
      .option('--contains <text>', 'only calls with this text, such as an id, in path, body or answer')
      .option(...limit),
  ).action(async (given: unknown) => {
    const { limit: most, ...query } = requestOptions.parse(given);
    const { output, control } = createControl(ls, deps);
    const page = z.object({ data: z.array(request) });
    const ask = { method: 'GET', path: '/requests', query: { ...query, limit: String(most) } } as const;
    output.list((await control.send(ask, page)).data, {
      head: ['id', 'time', 'method', 'path', 'operation', 'status'],
      row: (one) => [one.requestId, one.startedOn, one.method, one.path, one.operation, one.status],
      none: 'No call matches.',
    });
  });
  documentCommand(ls, {
    examples: ['drawbridge requests ls --status 400', 'drawbridge requests ls --operation createNaturalPerson --json'],
    json: `${fieldsOfRequest}, one a line`,
  });

  const showRequest = addControlOption(
    requests
      .command('show')
      .description('Shows a call with its body and its answer.')
      .argument('<id>', 'an id of drawbridge requests ls, such as req-12'),
  ).action(async (id: string) => {
    const { output, control } = createControl(showRequest, deps);
    // The control API has no call by its id: it keeps few.
    const ask = { method: 'GET', path: '/requests', query: { limit: String(maxRequests) } } as const;
    const { data } = await control.send(ask, z.object({ data: z.array(request) }));
    const one = data.find(({ requestId }) => requestId === id);
    if (one === undefined)
      throw new CommandError(
        `There is no call ${id}, or the log no longer has it.`,
        'drawbridge requests ls lists the ids.',
      );
    output.answer(one, () => formatRequest(one));
  });
  documentCommand(showRequest, { examples: ['drawbridge requests show req-12'], json: fieldsOfRequest });

  const deliveries = program.command('deliveries').description('The webhooks that the sandbox platform has sent.');
  const list = addControlOption(
    deliveries
      .command('ls')
      .description('Lists the latest deliveries.')
      .option('--type <name>', 'only this event type')
      .option('--outcome <name>', 'only delivered, retrying, undelivered, unregistered or sending')
      .option('--contains <text>', 'only bodies with this text, such as an id')
      .option(...limit),
  ).action(async (given: unknown) => {
    const { limit: most, type: eventType, ...query } = deliveryOptions.parse(given);
    const { output, control } = createControl(list, deps);
    const page = z.object({ data: z.array(delivery) });
    const ask = { method: 'GET', path: '/deliveries', query: { ...query, eventType, limit: String(most) } } as const;
    output.list((await control.send(ask, page)).data, {
      head: ['id', 'time', 'event type', 'outcome', 'attempts'],
      row: (one) => [one.deliveryId, one.createdOn, one.eventType, one.outcome, one.attempts.length],
      none: 'No delivery matches.',
    });
  });
  const json =
    '`deliveryId`, `eventType`, `cause`, `resendOf`, `url`, `body`, `outcome`, `attempts` and `createdOn` of a delivery';
  documentCommand(list, { examples: ['drawbridge deliveries ls --outcome undelivered'], json: `${json}, one a line` });

  function addOne(name: 'show' | 'resend', description: string): Command {
    const command = addControlOption(
      deliveries
        .command(name)
        .description(description)
        .argument('<id>', 'an id of drawbridge deliveries ls, such as dlv-12'),
    ).action(async (id: string) => {
      const { output, control } = createControl(command, deps);
      const ask =
        name === 'show'
          ? ({ method: 'GET', path: requestPath`/deliveries/${id}` } as const)
          : ({ method: 'POST', path: requestPath`/deliveries/${id}/resend` } as const);
      const one = await control.send(ask, delivery);
      output.answer(one, () => format(one));
    });
    return command;
  }
  documentCommand(addOne('show', 'Shows a delivery with its attempts and its body.'), {
    examples: ['drawbridge deliveries show dlv-12'],
    json,
  });
  documentCommand(addOne('resend', 'Sends the body of a delivery again, to the webhook that is registered now.'), {
    examples: ['drawbridge deliveries resend dlv-12'],
    json: `${json}: the new one`,
    writes: 'the sandbox platform, without a question',
  });
}

function formatRequest({
  requestId,
  startedOn,
  method,
  path,
  query = '',
  operation,
  requestorId,
  status,
  body,
  answer,
}: Request): string {
  const fields = formatFields([
    ['requestId', requestId],
    ['startedOn', startedOn],
    ['call', `${method} ${path}${query}`],
    ['operation', operation],
    ['requestorId', requestorId],
    ['status', status],
  ]);
  const texts = [['body', body] as const, ['answer', answer] as const];
  return [fields, ...texts.flatMap(([name, text]) => (text === undefined ? [] : [name, `  ${text}`]))].join('\n');
}

function format({ deliveryId, eventType, outcome, resendOf, url, attempts, body }: Delivery): string {
  const tried = attempts.map(({ startedOn, status, errorMessage }) => `  ${startedOn}  ${status ?? errorMessage}`);
  const fields = formatFields([
    ['deliveryId', deliveryId],
    ['resendOf', resendOf],
    ['eventType', eventType],
    ['url', url],
    ['outcome', outcome],
  ]);
  return [fields, 'attempts', ...tried, 'body', `  ${body}`].join('\n');
}
