import { expect, it } from 'vitest';
import { findCommands } from '#console/app/palette-commands.ts';

const commands = ['Replay all', 'Events', 'Events in quarantine', 'Quarantine'].map((title) => ({ title }));

it.each([
  ['', ['Replay all', 'Events', 'Events in quarantine', 'Quarantine']],
  ['QUA', ['Quarantine', 'Events in quarantine']],
  ['quarantine ev', ['Events in quarantine']],
  ['nothing', []],
])('finds for %j the commands with each word, first those that begin with the text', (text, expected) => {
  expect(findCommands(commands, text).map(({ title }) => title)).toEqual(expected);
});
