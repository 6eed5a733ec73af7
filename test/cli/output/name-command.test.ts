import { describe, expect, it } from 'vitest';
import { commandNameOf, nameCommands } from '#cli/output/name-command.ts';
import { runForTests } from '#test/cli/program-for-tests.ts';

describe('cli: commandNameOf', () => {
  it.each([
    ['npx --no -- drawbridge', { npm_lifecycle_event: 'npx', npm_command: 'exec' }],
    ['npx --no -- drawbridge', { npm_lifecycle_event: 'drawbridge', npm_command: 'run' }],
    ['npx --no -- drawbridge', { npm_lifecycle_event: 'tour', npm_command: 'run-script' }],
    ['npx --no -- drawbridge', { npm_lifecycle_event: 'start', npm_command: 'start' }],
    [undefined, { npm_lifecycle_event: 'test', npm_command: 'test' }],
    [undefined, {}],
  ])('gives %s for the process that npm started with %j', (name, environment) => {
    expect(commandNameOf(environment)).toBe(name);
  });
});

describe('cli: nameCommands', () => {
  const named = (text: string) => nameCommands(text, { name: 'npx --no -- drawbridge', options: {} });

  it('puts the name before each command', () => {
    expect(named('Next: drawbridge events ls, or drawbridge --help.')).toBe(
      'Next: npx --no -- drawbridge events ls, or npx --no -- drawbridge --help.',
    );
    expect(named('(drawbridge copy-rows)')).toBe('(npx --no -- drawbridge copy-rows)');
  });

  it('leaves names of resources, words that are no command, and commands that have a name', () => {
    for (const text of [
      'drawbridge-laptop-data-events',
      'the bus drawbridge events-archive',
      'npx --no -- drawbridge events ls',
      'Where a text says drawbridge, run it.',
      '/node_modules/drawbridge events',
    ])
      expect(named(text)).toBe(text);
  });
});

describe('cli: the options of the deployment in a hint', () => {
  it.each([
    ['--env production', 'Next: drawbridge --env production onboardings ls --stalled\n'],
    ['--region eu-central-1', 'Next: drawbridge --region eu-central-1 onboardings ls --stalled\n'],
    ['--env=test --region x;y', "Next: drawbridge --env test --region 'x;y' onboardings ls --stalled\n"],
    ['--env local', 'Next: drawbridge onboardings ls --stalled\n'],
    ['--directory /tmp/a', 'Next: drawbridge --directory /tmp/a onboardings ls --stalled\n'],
  ])('are those of the command line: %s', async (options, hint) => {
    const { stderr } = await runForTests(`onboardings ls --stalled --from 2d ${options}`.split(' '));
    expect(stderr).toContain(hint);
  });

  it('are not repeated where a command names an environment of its own', async () => {
    const { stderr } = await runForTests(['tour', '--env', 'production']);
    expect(stderr).toContain('Next: run drawbridge tour without --env.');
    const options = { '--env': 'production' };
    const text = 'drawbridge dlq ls --env test\ndrawbridge events ls, or drawbridge dlq ls --env test';
    expect(nameCommands(text, { name: 'drawbridge', options })).toBe(
      'drawbridge dlq ls --env test\ndrawbridge --env production events ls, or drawbridge dlq ls --env test',
    );
  });
});

describe('cli: the name in the output', () => {
  const run = (...commandLine: readonly string[]) =>
    runForTests(commandLine, { commandName: 'npx --no -- drawbridge' });

  it('is in help, examples and errors, and not in what a script reads', async () => {
    const { stdout: help } = await run('events', 'ls', '--help');
    expect(help).toContain('Usage: npx --no -- drawbridge events ls');
    expect(help).toContain('  npx --no -- drawbridge events ls --from 2h');
    expect((await run('events', 'list')).stderr).toContain('Next: npx --no -- drawbridge events --help.');
    expect((await run('completion', 'bash')).stdout).not.toContain('npx');
  });
});
