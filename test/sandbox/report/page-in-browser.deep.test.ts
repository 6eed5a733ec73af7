import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeScenarioReport } from '#sandbox/scenario/report/write-scenario-report.ts';
import { startBrowser } from '#test/console/browser.ts';

let browser: Browser;
let report: string;
beforeAll(async () => {
  browser = await startBrowser();
  const curves = [{ name: 'undelivered', values: [0, 40, 0] }];
  report = await writeScenarioReport({
    name: 'onboarding',
    description: 'Onboards persons while functions are killed.',
    promises: [6, 9],
    options: { persons: 200 },
    checks: [{ name: 'onboardings that ended', expected: '200', found: '199', holds: false }],
    story: [[3, 'the drain has run: 2 webhooks are undelivered']],
    seconds: 12,
    depths: {
      byTime: { axis: 'time', at: [8, 9, 10].map((hours) => Date.UTC(2026, 0, 2, hours) / 1_000), curves },
      bySeconds: { axis: 'seconds', at: [0, 6, 12], curves },
    },
    flows: [
      { from: 'requested', to: 'REQUESTED', times: 202 },
      { from: 'REQUESTED', to: 'AWAITING_CHECKS', times: 200 },
      { from: 'AWAITING_CHECKS', to: 'COMPLETED', times: 128 },
      { from: 'AWAITING_CHECKS', to: 'REJECTED', times: 2 },
    ],
  });
}, 60_000);
afterAll(() => browser.close());

async function open(colorScheme: 'light' | 'dark', width: number) {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
  await page.setContent(report);
  return page;
}

describe('an HTML report in a browser', () => {
  it('is dark where the reader prefers that, its diagram included', async () => {
    const page = await open('dark', 1_280);
    const filters = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('svg')].map((picture) => getComputedStyle(picture).filter)`,
    );
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe('rgb(16, 21, 27)');
    expect(filters).toEqual([expect.stringContaining('invert(1)')]);
    await page.close();
  }, 30_000);

  it.each([390, 1_280])(
    'draws each plot as wide as its box, %i pixels wide, and the page never scrolls sideways',
    async (width) => {
      const page = await open('light', width);
      await expect.poll(() => page.evaluate<readonly (readonly [number, number])[]>(plotWidths)).toHaveLength(2);
      for (const [plot, box] of await page.evaluate<readonly (readonly [number, number])[]>(plotWidths))
        expect(plot).toBe(box);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.close();
    },
    30_000,
  );

  it('shows the values of a plot at the pointer', async () => {
    const page = await open('light', 1_280);
    const plot = page.locator('.plot').nth(1);
    await plot.locator('.u-over').hover();
    await expect.poll(() => plot.locator('.u-value').allTextContents()).toEqual(['6 s', '40']);
    await page.close();
  }, 30_000);
});

/** Of each plot that is drawn, the width and that of its box. */
const plotWidths = `[...document.querySelectorAll('.plot canvas')].map((canvas) => [canvas.clientWidth, canvas.closest('.plot').clientWidth])`;
