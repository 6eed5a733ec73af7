import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type RunningConsole, startConsole } from '#cli/console/server/start-console.ts';
import { connect } from '#cli/deployment/connect.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';

/** As the command line has them. */
export const consoleDeps = {
  fetch,
  now: () => new Date(),
  newId: () => randomUUID().slice(0, 8),
  wait: (milliseconds: number, signal?: AbortSignal) =>
    wait(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
  environment: { ...process.env, npm_command: 'exec' },
};

/** Serves the console for the hosted stacks, as `drawbridge console` does. */
export async function startConsoleOf(
  { endpointsFile }: Pick<Sandbox, 'endpointsFile'>,
  { isOperator, port }: { readonly isOperator: boolean; readonly port?: number },
): Promise<RunningConsole> {
  const deployment = await connect({ env: 'local', directory: dirname(endpointsFile) }, consoleDeps);
  return startConsole({ deployment, isOperator, port, folder: dirname(endpointsFile) }, consoleDeps);
}

/** A window that has opened the address with the token. */
export type ConsoleWindow = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser complained about: a refused script, a failed request, an error of the pages. */
  readonly complaints: () => readonly string[];
};

/** In milliseconds: a page waits for functions that wait for a core. The limit of the test ends what never comes. */
const waitLimit = 120_000;

/** Opens the console in a browser that shares nothing with others. */
export async function openWindow(browser: Browser, url: string): Promise<ConsoleWindow> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    locale: 'en-GB',
    permissions: ['clipboard-write'],
  });
  context.setDefaultTimeout(waitLimit);
  const page = await context.newPage();
  const complaints = collectComplaints(page);
  await page.goto(url);
  // The page has then exchanged the token for a session.
  await page.waitForURL(({ pathname }) => pathname === '/');
  return { page, context, complaints };
}

/** The header that a page sends with each request, for requests beside it. */
export async function sessionHeadersOf(page: Page): Promise<Readonly<Record<string, string>>> {
  return { authorization: `Bearer ${await page.evaluate<string>("localStorage.getItem('drawbridge-session')")}` };
}

/** Collects what the browser complains about on a page. */
export function collectComplaints(page: Page): ConsoleWindow['complaints'] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return () => complaints;
}
