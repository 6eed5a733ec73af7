import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandAbout } from '#sandbox/terminal/quote.ts';

describe('a suggested command about an id', () => {
  it.each([
    ['o1', 'orders show o1 --timeline'],
    ["it's;reboot", "orders show 'it'\\''s;reboot' --timeline"],
    ['-id', 'orders show --timeline -- -id'],
    ['--a b', "orders show --timeline -- '--a b'"],
  ])('has the id %j as one word', (id, command) => {
    expect(commandAbout('orders show', id, '--timeline')).toBe(command);
  });

  it('is a command that takes an id with a dash as its argument', () => {
    const given: unknown[] = [];
    const program = new Command();
    program
      .command('orders')
      .command('show <id>')
      .option('--timeline')
      .action((...all) => void given.push(all.slice(0, 2)));
    program.parse(commandAbout('orders show', '-id', '--timeline').split(' '), { from: 'user' });
    expect(given).toEqual([['-id', { timeline: true }]]);
  });
});
