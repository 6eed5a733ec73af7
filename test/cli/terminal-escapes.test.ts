import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { showEvent } from '#cli/events/show-event.ts';
import { createOutput, type OutputDeps } from '#cli/output/output.ts';
import { formatLine, type TailLine } from '#cli/tail/tail-line.ts';
import { runForTests } from './program-for-tests.ts';

/** Clears the screen by C0, sets the title by C1, and goes back over the line. */
const hostile = 'A\u001b[2J\u009b31m\u009d0;title\u0007\r\u0008\u007fB';
const visible = 'A\\u001b[2J\\u009b31m\\u009d0;title\\u0007\\u000d\\u0008\\u007fB';

function printer(isJson = false, more: Partial<OutputDeps> = {}) {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const deps = { isJson, stdout: print, stderr: print, terminalWidth: () => undefined, ...more };
  return { output: createOutput(deps), printed };
}

const line: TailLine = {
  source: 'webhook',
  time: '2026-01-02T03:04:05Z',
  type: hostile,
  eventId: 'e1',
  about: 'one\ntwo',
  status: undefined,
};

describe('cli: a control character of others', () => {
  it('is visible in a line of tail, which stays one line, and in its body, whose lines stay', () => {
    const { output, printed } = printer();
    output.item(line, () => formatLine(line, { body: `{\r\n\t"${hostile}"\n}` }));
    const type = visible.replace('\\u000d', ' ');
    const [first, ...body] = printed.join('').split('\n');
    expect(first?.replaceAll(/ {2,}/g, '  ')).toBe(`2026-01-02T03:04:05Z  webhook  ${type}  one two  event e1`);
    expect(body).toEqual(['{\r', `\t"${visible}"`, '}', '']);
  });

  it('is visible in a revealed body, and in the quoted id of a suggested command', async () => {
    const { output, printed } = printer();
    const event = {
      eventId: '5e1f'.repeat(16),
      eventType: hostile,
      receivedOn: '2026-01-02T03:04:05Z',
      deliveries: 1,
      bodyBytes: 20,
      body: hostile,
      entity: { kind: 'order', id: "it's;reboot" },
    };
    await showEvent({ api: { send: async () => event } as never, output, eventId: event.eventId, reveal: true });
    expect(printed.join('')).not.toMatch(/[^\P{Cc}\n]/u);
    expect(printed[0]).toContain(`\n\n${visible}\n`);
    expect(printed[1]).toBe(`To see the result: drawbridge orders show 'it'\\''s;reboot' --timeline\n`);
  });

  it('is an escape in JSON, which reads back as the same text', () => {
    const { output, printed } = printer(true);
    output.item({ body: hostile }, () => '');
    output.answer({ body: hostile }, () => '');
    for (const json of printed) {
      expect(json).not.toMatch(/[^\P{Cc}\n]/u);
      expect(json).toContain('\\u009b31m');
      expect(JSON.parse(json)).toEqual({ body: hostile });
    }
  });

  it('is visible in the answer of a command that writes to stdout itself', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'drawbridge-escapes-'));
    mkdirSync(join(directory, 'settings'));
    const settings = JSON.parse(readFileSync('settings/laptop.json', 'utf8'));
    const platformProfile = { token: { scope: hostile } };
    writeFileSync(join(directory, 'settings/laptop.json'), JSON.stringify({ ...settings, platformProfile }));
    const { stdout } = await runForTests(['settings', '--app', directory, '--env', 'local']);
    rmSync(directory, { recursive: true });
    expect(stdout).toContain('\\u009b31m');
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it('is visible on a screen, whose own control sequences stay', () => {
    const moves: string[] = [];
    const moveCursor = (text: string) => void moves.push(text);
    const { output } = printer(false, { moveCursor, terminalWidth: () => 80 });
    output.screen({}, () => hostile);
    expect(moves.join('')).toBe(`\u001b[2J\u001b[H${visible}\u001b[K\n\u001b[J`);
  });

  it('is visible in what a command says about an error', async () => {
    const { stderr } = await runForTests([hostile]);
    expect(stderr).toContain(visible);
    expect(stderr).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
