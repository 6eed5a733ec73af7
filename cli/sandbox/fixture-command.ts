import type { Command } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { docsPage } from '#cli/command/docs-page.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { readJsonFile } from '#cli/command/read-json-file.ts';
import { plainIssues } from '#shared/plain-message.ts';
import { addControlOption, type ControlClient, createControl } from './control-client.ts';
import { type FixtureFile, fixtureFile } from './fixture-file.ts';
import { triggered } from './trigger-command.ts';

const loadOptions = z.object({ reset: z.boolean() });

/** What a fixture has made: the ids to look up. */
type Loaded = {
  readonly name: string | undefined;
  readonly lifeCycle: string;
  readonly ids: Readonly<Record<string, string>>;
};

/** Adds `fixture load`: persons with their orders and transfers, from a file. */
export function addFixtureCommand(program: Command, deps: CommandDeps): void {
  const group = program.command('fixture').description('Named sets of persons, orders and transfers for tests.');
  const load = addControlOption(
    group
      .command('load')
      .description(
        'Creates the persons, orders and transfers of a file on the sandbox platform, with all their webhooks.',
      )
      .argument('<file>', `a fixture in JSON: ${docsPage('docs/how-to/test-a-client.md')} has an example`)
      .option('--reset', 'empty the sandbox platform first', false),
  ).action(async (file: string, given: unknown) => {
    const { reset } = loadOptions.parse(given);
    const { output, control } = createControl(load, deps);
    const fixture = parseFixture(file, readJsonFile(file, deps));
    if (reset) await control.send({ method: 'POST', path: '/reset' }, z.unknown());
    const loaded = await loadFixture(fixture, control);
    output.list(loaded, {
      head: ['name', 'life cycle', 'ids'],
      row: ({ name, lifeCycle, ids }) => [
        name,
        lifeCycle,
        Object.entries(ids)
          .map(([field, id]) => `${field} ${id}`)
          .join('  '),
      ],
      none: 'The fixture has no person.',
    });
  });
  documentCommand(load, {
    examples: ['drawbridge fixture load traders.json', 'drawbridge fixture load traders.json --reset --json'],
    json: '`name`, `lifeCycle` and `ids` of each person, order and transfer, one a line',
    writes: 'the sandbox platform, without a question',
  });
}

/** @throws {CommandError} naming each field that is wrong */
function parseFixture(file: string, content: unknown): FixtureFile {
  const result = fixtureFile.safeParse(content);
  if (result.success) return result.data;
  throw new CommandError(
    `${file} is not a fixture:\n  ${plainIssues(result.error.issues, content).join('\n  ')}`,
    `correct the file: ${docsPage('docs/how-to/test-a-client.md')} has an example. drawbridge trigger --list lists the life cycles.`,
  );
}

/** Persons first: orders and transfers name them. */
async function loadFixture(
  { persons, orders, transfers }: FixtureFile,
  control: ControlClient,
): Promise<readonly Loaded[]> {
  const trigger = async (type: string, set: object) =>
    (await control.send({ method: 'POST', path: '/triggers', body: { type, set } }, triggered)).ids;
  const loaded: Loaded[] = [];
  const personIds = new Map<string, string | undefined>();
  for (const { name, lifeCycle, set } of persons) {
    const ids = await trigger(lifeCycle, set);
    personIds.set(name, ids['naturalPersonId']);
    loaded.push({ name, lifeCycle, ids });
  }
  for (const { name, person, lifeCycle, set } of [...orders, ...transfers]) {
    const ids = await trigger(lifeCycle, { ...set, naturalPersonId: personIds.get(person) });
    loaded.push({ name, lifeCycle, ids });
  }
  return loaded;
}
