import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { hintAt } from '#cli/command/known-word.ts';
import { addListOptions, listOptions, resolveMoments } from '#cli/command/list-options.ts';
import { readEntities } from '#cli/deployment/api-reads.ts';
import { createIdFinder } from '#cli/ids/find-id.ts';
import { compareWithPlatform } from '#cli/reconcile/compare-with-platform.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import { entityGroups } from './entity-groups.ts';
import { addExportCommand } from './export-command.ts';
import { addPersonCommands } from './person-commands.ts';
import { addRepeatErasuresCommand } from './repeat-erasures.ts';
import { formatEntity, readEntity } from './show-entity.ts';

const showOptions = z.object({ timeline: z.boolean(), platform: z.boolean() });
const lsOptions = z.object({ ...listOptions, status: z.string().optional() });

/** Adds `ls` and `show` below `orders`, `transfers`, `persons` or `verifications`, and what only persons have. */
export function addEntityCommand(program: Command, deps: CommandDeps, kind: EntityKind): void {
  const name = entityGroups[kind];
  const group = program.command(name).description(`The ${name} that webhooks have reported.`);
  const ls = addListOptions(
    group
      .command('ls')
      .description(`Lists ${name}, the latest change of a status first. Needs the setting listEntities.`),
    'changed',
  )
    .option('--status <status>', `only ${name} with this status`)
    .action(async (given: unknown) => {
      const { output, connect } = createContext(ls, deps);
      const deployment = await connect();
      const { api } = deployment;
      const options = await resolveMoments(lsOptions.parse(given), deployment, deps);
      const { status, from: changedFrom, to: changedTo, limit } = options;
      const { items, hasMore } = await readEntities(api, kind, { status, changedFrom, changedTo }, limit);
      output.list(items, {
        head: ['id', 'status', 'changed'],
        row: (item) => [item.id, item.status, item.changedOn],
        none: `None of the ${name} match.`,
      });
      const words = entityRules[kind].statuses.table.statuses.map((row) => row.status);
      const hint = items.length === 0 ? hintAt(status, { what: `status of ${name}`, words }) : undefined;
      if (hint !== undefined) output.note(hint);
      if (hasMore) output.note(`There are more. To see them, raise --limit above ${limit}, or set --to.`);
    });
  documentCommand(ls, {
    examples: [`drawbridge ${name} ls --from 1d`],
    json: 'the items of [`GET /entities/{kind}`](../reference/api.md#get-entitieskind), one a line',
  });
  const show = group
    .command('show')
    .description('Shows the state of an entity, its anomalies, and what to do about them.')
    .argument('<id>', `an id of drawbridge ${name} ls, short or whole, or the id of an event about it`)
    .option('--timeline', 'show every event about it too', false)
    .option('--platform', 'also ask the platform now, and compare its answer with what is stored', false)
    .action(async (named: string, given: unknown) => {
      const { timeline, platform } = showOptions.parse(given);
      const { output, connect } = createContext(show, deps);
      const deployment = await connect();
      const id = await createIdFinder({ api: deployment.api, note: output.note }).findEntity(kind, named);
      const [entity, comparison] = await Promise.all([
        readEntity(deployment.api, { kind, id }, timeline),
        platform ? compareWithPlatform(deployment, { kind, id }) : undefined,
      ]);
      const shown = { ...entity, ...(comparison && { comparison }) };
      output.answer(shown, (width) => formatEntity(shown, width));
      if (entity.anomalies.length > 0) deps.exit(exitCodes.found);
    });
  documentCommand(show, {
    examples: [
      `drawbridge ${name} show 0190a6f0-5678-7abc-8def-0123456789ab --timeline`,
      `drawbridge ${name} show 0190a6f0-5678-7abc-8def-0123456789ab --platform`,
    ],
    json: 'the answer of [`GET /entities/{kind}/{id}`](../reference/api.md#get-entitieskindid); with `--timeline` also `events`, those of its [timeline](../reference/api.md#get-entitieskindidtimeline); with `--platform` also `comparison`, the answer of [`Reconcile`](../reference/api.md#reconcile)',
    found: 'the entity has an anomaly',
  });
  if (kind !== 'natural-person') return;
  addPersonCommands(group, deps);
  addExportCommand(group, deps);
  addRepeatErasuresCommand(group, deps);
}
