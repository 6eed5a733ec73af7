/** `node tools/console/load-time/main.ts`: prints how long each page of the console takes to show its data, with 100,000 events. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from 'commander';
import * as z from 'zod';
import { destinations } from '#console/app/destinations.ts';
import { root } from '#docs/generate/markdown-pages.ts';
import { startSandbox } from '#sandbox/sandbox.ts';
import { count } from '#sandbox/terminal/command-line.ts';
import { startBrowser } from '#test/console/browser.ts';
import { openWindow, sessionHeadersOf, startConsoleOf } from '#test/console/open-console.ts';
import { fillSandbox } from '#tools/console/screenshots/fill-sandbox.ts';
import { fillEvents } from './fill-events.ts';
import { type Load, measureLoad, medianOf } from './measure-load.ts';

/** In milliseconds: of a page, and of the list of all events. */
const [limit, eventsLimit] = [1_000, 500];

program
  .name('node tools/console/load-time/main.ts')
  .description(
    'Loads each page of the console on the laptop, until it shows what it reads by itself. Exit code 1 if a page takes a second or more, or the list of all events half a second.',
  )
  .option('--events <number>', 'events in the table', count, 100_000)
  .option('--loads <number>', 'loads of each page, of which the median counts', count, 5)
  .parse();

const { events, loads } = z.object({ events: z.number(), loads: z.number() }).parse(program.opts());
const print = (cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);

const directory = mkdtempSync(join(tmpdir(), 'drawbridge-load-'));
const [sandbox, browser] = await Promise.all([
  startSandbox({ root, directory, environment: process.env, redeliveryDelay: 1 }),
  startBrowser(),
]);
await fillEvents(sandbox.host, events, sandbox.platform.clock.now());
const { paths } = await fillSandbox(sandbox);
const answer = await fetch(`${sandbox.endpoints.api}/events?limit=1`);
const listed = z.object({ items: z.array(z.object({ eventId: z.string() })) }).parse(await answer.json());
const eventId = listed.items[0]?.eventId ?? '';

const running = await startConsoleOf(sandbox, { isOperator: true });
const { context, page: opened } = await openWindow(browser, running.url);
const session = await context.storageState();
const headers = await sessionHeadersOf(opened);
const alarms = z
  .array(z.object({ name: z.string() }))
  .parse(await (await context.request.get(`${running.origin}/api/read/alarms`, { headers })).json());
await context.close();
/** The pages of the navigation, and those to which they lead. */
const pages = {
  ...Object.fromEntries(destinations.map(({ title, path }) => [title, path])),
  'Events of a type': '/events?eventType=TRANSFER_NOTIFICATION',
  'One event': `/events/${eventId}`,
  'One order': paths['entity'] ?? '',
  'One onboarding': paths['onboarding'] ?? '',
  'New onboarding': '/onboardings/new',
  'One alarm': `/alarms/${z.string().parse(alarms[0]?.name)}`,
  Search: `/search?id=${eventId}`,
};
print(['Page', 'First content, ms', 'Data, ms']);
print(['---', '--:', '--:']);
for (const [name, path] of Object.entries(pages)) {
  const measured: Load[] = [];
  for (let load = 0; load < loads; load += 1)
    measured.push(await measureLoad(browser, session, `${running.origin}${path}`));
  const data = medianOf(measured.map((each) => each.data));
  print([name, Math.round(medianOf(measured.map((each) => each.content))), Math.round(data)]);
  if (data >= (name === 'Events' ? eventsLimit : limit)) process.exitCode = 1;
}
await browser.close();
await running.close();
await sandbox.close();
rmSync(directory, { recursive: true, force: true });
process.exit();
