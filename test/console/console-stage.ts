import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { RunningConsole } from '#cli/console/server/start-console.ts';
import { callApi, requestOnboarding } from '#test/end-to-end/call-api.ts';
import { type HostedSandbox, startHostedSandbox } from '#test/end-to-end/hosted-sandbox.ts';
import { startBrowser } from './browser.ts';
import { collectComplaints, openWindow, startConsoleOf } from './open-console.ts';

/** A page of the console in a window of its own, with the session of the stage. */
export type ConsolePage = {
  readonly page: Page;
  /** Opens a page by its address, as a deep link does. */
  readonly visit: (path: string) => Promise<void>;
  readonly text: (content: string | RegExp) => Locator;
  readonly heading: (name: string) => Locator;
  readonly button: (name: string | RegExp) => Locator;
  /** The dialog that is open. */
  readonly dialog: Locator;
  /** The button of the open dialog that does what it announces. */
  readonly confirm: Locator;
  /** Clicks a button, confirms its dialog, and closes it. @returns what the dialog announced, and what it said afterwards */
  readonly act: (button: Locator) => Promise<Said>;
  /**
   * Begins at the overview, and does the task of an on-call engineer in at most three steps: pages and buttons by their names, each
   * with its dialog. Returns what the last dialog said.
   */
  readonly inSteps: (...names: Steps) => Promise<Said>;
  readonly complaints: () => readonly string[];
  readonly close: () => Promise<void>;
};

type Said = { readonly will: string; readonly outcome: string };
type Step = string | RegExp;
type Steps = readonly [Step] | readonly [Step, Step] | readonly [Step, Step, Step];

/** The hosted stacks and a real browser, which serve all tests of a file. */
export type ConsoleLaptop = {
  readonly sandbox: HostedSandbox;
  readonly browser: Browser;
  /** Reads the API of the stacks, past the console. */
  readonly readApi: HostedSandbox['readApi'];
  /** Changes or reads the sandbox platform, past the console. */
  readonly control: (method: string, path: string, body?: object) => Promise<unknown>;
  readonly deliver: HostedSandbox['deliver'];
  /** Requests the onboarding of a person by video, past the console. */
  readonly onboard: (externalId: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A laptop with a console that may write. */
export type ConsoleStage = ConsoleLaptop & {
  readonly running: RunningConsole;
  /** The window that opened the address with the token. */
  readonly first: ConsolePage;
  /** Another window of the same browser. */
  readonly openPage: (path: string) => Promise<ConsolePage>;
};

export async function startLaptop(options: Parameters<typeof startHostedSandbox>[0] = {}): Promise<ConsoleLaptop> {
  const [sandbox, browser] = await Promise.all([startHostedSandbox(options), startBrowser()]);
  const { endpoints } = sandbox;
  return {
    sandbox,
    browser,
    readApi: sandbox.readApi,
    control: async (method, path, body) => {
      const answered = await (await callApi(endpoints.control, method, path, body)).text();
      return answered === '' ? undefined : JSON.parse(answered);
    },
    deliver: sandbox.deliver,
    onboard: async (externalId) => {
      expect((await requestOnboarding(endpoints.api, externalId)).status).toBe(202);
    },
    close: async () => {
      await browser.close();
      await sandbox.close();
    },
  };
}

export async function startStage(options: Parameters<typeof startLaptop>[0] = {}): Promise<ConsoleStage> {
  const laptop = await startLaptop(options);
  const { sandbox, browser } = laptop;
  const running = await startConsoleOf(sandbox, { isOperator: true });
  const { origin } = running;
  const window = await openWindow(browser, running.url);
  return {
    ...laptop,
    running,
    first: pageOf(origin, window.context, window.page, window.complaints),
    openPage: async (path) => {
      const page = await window.context.newPage();
      const opened = pageOf(origin, page, page, collectComplaints(page));
      await opened.visit(path);
      return opened;
    },
    close: async () => {
      await browser.close();
      await running.close();
      await sandbox.close();
    },
  };
}

/** Waits while a file prepares its stage, if `expect.poll` cannot. */
export async function waitUntil(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  await vi.waitFor(async () => expect(await read()).toEqual(expected), { timeout: 60_000, interval: 100 });
}

/** Moves the clock of the sandbox forward, and renews the token, which is then older than it may be. */
export async function advanceClock({ platform, host, log }: HostedSandbox, seconds: number): Promise<void> {
  await platform.clock.advance(seconds);
  const refreshes = () => log().split('TokensRefreshed').length;
  const before = refreshes();
  await host.schedules.all.find(({ name }) => name === 'token-refresh')?.runNow();
  await waitUntil(async () => refreshes() > before, true);
}

/** Adds what tests do to a page of the console. */
export function pageOf(
  origin: string,
  window: Pick<BrowserContext, 'close'>,
  page: Page,
  complaints: ConsolePage['complaints'],
): ConsolePage {
  const dialog = page.locator('dialog[open]');
  const said = (locator: Locator) => locator.first().innerText();
  const visit = async (path: string) => {
    await page.goto(`${origin}${path}`);
  };
  const confirmed = async (): Promise<Said> => {
    const will = await said(dialog.locator('.will'));
    await dialog.locator('.confirm').click();
    const outcome = await said(dialog.locator('.outcome, .error-title'));
    await dialog.getByRole('button', { name: 'Close' }).click();
    return { will, outcome };
  };
  return {
    page,
    visit,
    text: (content) => page.getByText(content).first(),
    heading: (name) => page.getByRole('heading', { name, level: 1 }),
    button: (name) => page.getByRole('button', { name, exact: true }),
    dialog,
    confirm: dialog.locator('.confirm'),
    act: async (button) => {
      await button.click();
      return confirmed();
    },
    inSteps: async (...names) => {
      await visit('/');
      let last: Said = { will: '', outcome: '' };
      for (const name of names) {
        const options = { name, exact: true };
        await page.getByRole('link', options).or(page.getByRole('button', options)).first().click();
        if ((await dialog.count()) > 0) last = await confirmed();
      }
      return last;
    },
    complaints,
    close: () => window.close(),
  };
}
