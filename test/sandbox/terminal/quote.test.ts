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
});
