import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeScenarioReport } from '#sandbox/scenario/report/write-scenario-report.ts';
import { startBrowser } from '#test/console/browser.ts';

let browser: Browser;
let report: string;
beforeAll(async () => {
  browser = await startBrowser();
  const hour = (hours: number) => new Date(Date.UTC(2026, 0, 2, hours));
  report = await writeScenarioReport({
    name: 'onboarding',
    description: 'Onboards persons while functions are killed.',
    promises: [6, 9],
    options: { persons: 200 },
    checks: [{ name: 'onboardings that ended', expected: '200', found: '199', holds: false }],
    story: [[3, 'the drain has run: 2 webhooks are undelivered']],
    seconds: 12,
    depths: {
      byTime: [
        {
          name: 'undelivered',
          points: [
            [hour(8), 0],
            [hour(9), 40],
            [hour(10), 0],
          ],
        },
      ],
      bySeconds: [
        {
          name: 'undelivered',
          points: [
            [0, 0],
            [6, 40],
            [12, 0],
          ],
        },
      ],
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
  it('is dark where the reader prefers that, pictures included', async () => {
    const page = await open('dark', 1_280);
    const filters = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('svg')].map((picture) => getComputedStyle(picture).filter)`,
    );
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe('rgb(16, 21, 27)');
    expect(filters).toHaveLength(3);
    for (const filter of filters) expect(filter).toContain('invert(1)');
    await page.close();
  }, 30_000);

  it('keeps the size of its pictures on a phone, and only their boxes scroll sideways', async () => {
    const page = await open('light', 390);
    const widths = await page.evaluate<readonly (readonly [number, number])[]>(
      `[...document.querySelectorAll('svg')].map((picture) => [picture.getBoundingClientRect().width, picture.width.baseVal.value])`,
    );
    expect(widths).toHaveLength(3);
    for (const [shown, drawn] of widths) expect(shown).toBeCloseTo(drawn, 0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.close();
  }, 30_000);
});
