import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { checkKnown } from '#cli/command/known-word.ts';
import { typedKeys } from '#cli/command/typed-keys.ts';
import { entityGroups } from '#cli/entities/entity-groups.ts';
import { formatFields } from '#cli/output/format-columns.ts';
import { commandAbout, quote } from '#sandbox/terminal/quote.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import { parseJson } from '#shared/parse-json.ts';
import { type EntityKind, eventTypes } from '#shared/platform/profile/event-place.ts';
import { addControlOption, createControl } from './control-client.ts';

const triggerOptions = z.object({
  set: z.record(z.string(), z.unknown()),
  list: z.boolean(),
  control: z.string().optional(),
});

export const triggered = z.object({
  type: z.string(),
  ids: z.record(z.string(), z.string()),
  deliveryId: z.string().optional(),
  body: z.record(z.string(), z.unknown()).optional(),
});

export const lifeCycles = z.array(z.object({ type: z.string(), means: z.string() }));

const kinds = {
  orderId: 'order',
  transferId: 'transfer',
  identificationVerificationId: 'identification-verification',
  naturalPersonId: 'natural-person',
} as const satisfies Readonly<Record<string, EntityKind>>;

/** The entity that a trigger is about. An order and a transfer have the id of their person, too. */
export function entityOf(ids: Readonly<Record<string, string>>): EntityKey | undefined {
  const name = typedKeys(kinds).find((each) => ids[each] !== undefined);
  return name && { kind: kinds[name], id: ids[name] ?? '' };
}

/** Adds `trigger`: a webhook, or a life cycle with all its webhooks, from the sandbox platform. */
export function addTriggerCommand(program: Command, deps: CommandDeps): void {
  const command = addControlOption(
    program
      .command('trigger')
      .description('Sends a webhook from the sandbox platform, or plays a life cycle with all its webhooks.')
      .argument('[type]', 'an event type such as TRANSFER_NOTIFICATION, or a life cycle such as order.settled')
      .option(
        '--set <field=value>',
        'a field of the body, or of the person, order or transfer; can be repeated',
        field,
        {},
      )
      .option('--list', 'list the life cycles', false),
  ).action(async (type: string | undefined, given: unknown) => {
    const { set, list, control: origin } = triggerOptions.parse(given);
    const { output, control } = createControl(command, deps);
    if (list || type === undefined) {
      const cycles = await control.send({ method: 'GET', path: '/triggers' }, lifeCycles);
      output.list(cycles, {
        head: ['life cycle', 'what happens'],
        row: ({ type: name, means }) => [name, means],
        none: 'There is no life cycle.',
      });
      return;
    }
    const request = { method: 'POST', path: '/triggers', body: { type, set } } as const;
    const answer = await control.send(request, triggered).catch(async (error: unknown) => {
      const cycles = await control.send({ method: 'GET', path: '/triggers' }, lifeCycles);
      const words = [...cycles.map((cycle) => cycle.type), ...eventTypes];
      checkKnown(type, { what: 'event type or life cycle', words }, 'drawbridge trigger --list lists the life cycles.');
      throw error;
    });
    output.answer(answer, () => formatFields([...Object.entries(answer.ids), ['deliveryId', answer.deliveryId]]));
    const entity = entityOf(answer.ids);
    if (entity === undefined) return;
    const { kind, id } = entity;
    output.note(
      origin === undefined
        ? `To see the result: ${commandAbout(`drawbridge ${entityGroups[kind]} show`, id, '--timeline')}`
        : `To see the deliveries: drawbridge deliveries ls --contains ${quote(id)} --control ${quote(origin)}`,
    );
  });
  documentCommand(command, {
    examples: [
      'drawbridge trigger order.settled',
      'drawbridge trigger TRANSFER_NOTIFICATION --set amount=12.5 --set status=PENDING',
      'drawbridge trigger --list',
    ],
    json: '`type` and `ids`; of a single webhook also `deliveryId` and `body`. With `--list`, `type` and `means` of each life cycle, one a line',
    writes: 'the sandbox platform, without a question',
  });
}

/** A value that is JSON counts as JSON, any other as text. @throws {InvalidArgumentError} */
function field(text: string, others: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const [, name, value] = /^([A-Za-z]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('The value must be a field and a value, such as amount=12.5.');
  const parsed = value === '' ? undefined : parseJson(value);
  return { ...others, [name]: parsed === undefined ? value : parsed };
}
