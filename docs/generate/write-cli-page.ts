import type { Command } from 'commander';
import { documentOf } from '#cli/command/document-command.ts';
import { commandPermissions } from '#cli/policy/permissions.ts';
import { writeTable } from './write-table.ts';

/** Each command, from the program itself. */
export function writeCliPage(program: Command): string {
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup());
  return [
    '# Command line',
    '',
    '*For developers and operators who look up a command.* `npx --no -- drawbridge <command> --help` prints the same.',
    '',
    ...[...groups].map(([heading, commands]) => {
      const links = commands.map((command) => `[${command.name()}](#${command.name()})`);
      return `- ${heading} ${links.join(' · ')}`;
    }),
    '',
    '## For every command',
    '',
    writeOptions(program),
    '',
    'The laptop is the environment `local`. A deployed environment is found by its stacks, in the account of the AWS credentials at hand.',
    '',
    writeTable(
      ['Exit code', 'Meaning'],
      [
        ['0', 'the command did what it says'],
        ['1', 'the command found something that needs an operator. Each command below says what'],
        ['2', 'the command could not be done, or was not confirmed. The message names the next command to try'],
      ],
    ),
    '',
    'A command that writes says what it will do. It asks first, except on the laptop and with `--yes`. Without a terminal and without `--yes` it does nothing.',
    '',
    '## Permissions',
    '',
    'A role with the permissions of a reader sees ids, statuses and counts, and changes nothing. An operator may use every command, and needs both policies: of a reader, and of an operator. [policy](#policy) prints each.',
    '',
    writeTable(
      ['Role', 'Actions', 'On', 'For'],
      commandPermissions.map(({ role, actions, on, commands }) => [
        role,
        actions.map((action) => `\`${action}\``).join(', '),
        on,
        commands,
      ]),
    ),
    '',
    '`copy-rows` needs more, which [Recover](../how-to/recover.md#restore-missing-rows) names.',
    '',
    ...program.commands.flatMap((command) => writeGroup(command)),
  ].join('\n');
}

function writeGroup(group: Command): readonly string[] {
  const leaves = leafCommands(group);
  const isGroup = group.commands.length > 0;
  return [
    `## ${group.name()}`,
    '',
    ...(isGroup && documentOf(group) === undefined ? [group.description(), ''] : []),
    ...leaves.flatMap(([name, command]) => [
      ...(command === group ? [] : [`### ${name}`, '']),
      ...writeCommand(name, command),
    ]),
  ];
}

function writeCommand(name: string, command: Command): readonly string[] {
  const { examples, json, found, failed, writes } = documentOf(command) ?? { examples: [], json: undefined };
  if (examples.length === 0 || !examples.every((example) => example.includes(`drawbridge ${name}`)))
    throw new Error(`Give examples of drawbridge ${name}, and of it alone.`);
  const options = command.options.length === 0 ? [] : [writeOptions(command), ''];
  const facts = [
    ...(writes === undefined ? [] : [`- Writes: ${writes}.`]),
    `- \`--json\`: ${json ?? 'nothing'}`,
    ...(found === undefined ? [] : [`- Exit code 1: ${found}.`]),
    ...(failed === undefined ? [] : [`- Exit code 2: ${failed}.`]),
  ];
  const usage = `drawbridge ${name} ${command.usage().replace('[options] ', '').replace('[options]', '')}`.trim();
  return [
    command.description(),
    '',
    '```text',
    usage,
    '```',
    '',
    ...writeArguments(command),
    ...options,
    ...facts,
    '',
    '```sh',
    ...examples.map((example) => example.replace(/^drawbridge/, 'npx --no -- drawbridge')),
    '```',
    '',
  ];
}

function writeArguments(command: Command): readonly string[] {
  if (command.registeredArguments.length === 0) return [];
  const rows = command.registeredArguments.map((argument) => [
    `\`${argument.name()}\``,
    withChoices(argument.description, argument.argChoices),
  ]);
  return [writeTable(['Argument', 'Meaning'], rows), ''];
}

function writeOptions(command: Command): string {
  const shown = command.options.filter(({ hidden }) => !hidden);
  const rows = shown.map(({ flags, description, defaultValue, argChoices }) => [
    `\`${flags}\``,
    withChoices(description, argChoices),
    defaultValue === undefined ||
    defaultValue === false ||
    String(defaultValue) === '' ||
    typeof defaultValue === 'object'
      ? ''
      : `\`${defaultValue}\``,
  ]);
  return writeTable(['Option', 'Meaning', 'Default'], rows);
}

function withChoices(description: string, choices: readonly string[] | undefined): string {
  return choices === undefined ? description : `${description}: ${choices.map((one) => `\`${one}\``).join(', ')}`;
}

/** Each command that does something, with its whole name, such as `events ls`. */
function leafCommands(command: Command, path = ''): readonly (readonly [string, Command])[] {
  const name = `${path} ${command.name()}`.trim();
  const children = command.commands.flatMap((child) => leafCommands(child, name));
  const isDoing = command.commands.length === 0 || documentOf(command) !== undefined;
  return isDoing ? [[name, command], ...children] : children;
}
