/** `node tools/console/screenshots/main.ts`: takes the pictures of the console for the documents, from the laptop with some webhooks. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { program } from 'commander';
import * as z from 'zod';
import { root } from '#docs/generate/markdown-pages.ts';
import { startSandbox } from '#sandbox/sandbox.ts';
import { startBrowser } from '#test/console/browser.ts';
import { openWindow, startConsoleOf } from '#test/console/open-console.ts';
import { fillSandbox } from './fill-sandbox.ts';

program
  .name('node tools/console/screenshots/main.ts')
  .description('Takes the pictures that the folder has again; of an empty folder all, in both widths.')
  .argument('[folder]', 'where to write them', join(root, 'docs/images'))
  .parse();

const folder = z.string().parse(program.processedArgs[0]);
mkdirSync(folder, { recursive: true });
const taken = readdirSync(folder);
const directory = mkdtempSync(join(tmpdir(), 'drawbridge-console-'));
const [sandbox, browser] = await Promise.all([
  startSandbox({ root, directory, environment: process.env, redeliveryDelay: 0 }),
  startBrowser(),
]);
const { paths, deliverNow } = await fillSandbox(sandbox);
const running = await startConsoleOf(sandbox, { isOperator: true });
const { page } = await openWindow(browser, running.url);
// A page reads much if the machine is busy.
page.setDefaultTimeout(120_000);
// The plots show some samples.
await wait(12_000);
for (const [name, path] of Object.entries(paths))
  for (const { suffix, width, height, colorScheme } of [
    { suffix: '', width: 1_280, height: 720, colorScheme: 'light' },
    { suffix: '-narrow', width: 390, height: 844, colorScheme: 'dark' },
  ] as const) {
    const file = `console-${name}${suffix}.png`;
    if (taken.length > 0 && !taken.includes(file)) continue;
    // The timeline of an entity is below its states.
    await page.setViewportSize({ width, height: name === 'entity' ? 900 : height });
    await page.emulateMedia({ colorScheme });
    await page.goto(`${running.origin}${path}`);
    await page.locator('#main h1').waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    if (name === 'live') {
      await page.getByText('Waiting for webhooks').waitFor();
      await deliverNow();
      await page.getByText('OrderStatusChanged').nth(2).waitFor();
      await page.getByText('webhook', { exact: true }).nth(2).waitFor();
    }
    if (name === 'event') await page.getByText('applied').waitFor();
    await wait(500);
    writeFileSync(join(folder, file), await page.screenshot());
    process.stdout.write(`${file}\n`);
  }
await browser.close();
await running.close();
await sandbox.close();
rmSync(directory, { recursive: true, force: true });
process.exit();
