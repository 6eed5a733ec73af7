import { html } from 'hono/html';
import { describe, expect, it } from 'vitest';
import { drawCounts, drawCurves } from '#sandbox/report/charts.ts';
import { drawFlow } from '#sandbox/report/flow-diagram.ts';
import { formatReport, type Report, tableOf } from '#sandbox/report/page.ts';

const report: Report = { title: 'A run', verdict: 'All is well.', holds: true, facts: [], sections: [] };

/** Everything that a browser would fetch or run. */
const requests = /<script|<link|<img|<iframe|@import|url\((?!#)|(?:href|src)="/;

describe('an HTML report', () => {
  it('makes no request and runs no script, with every kind of picture', async () => {
    const pictures = [
      drawCounts([['lost', 3]]),
      drawCurves([{ name: 'waiting', points: [[new Date(0), 1]] }], 'time'),
      await drawFlow([{ name: 'a', label: 'A', isFinal: true }], [{ from: 'a', to: 'a', times: 2 }]),
    ];
    const page = await formatReport({
      ...report,
      sections: pictures.map((content) => ({ title: 'Picture', content })),
    });
    expect(page.match(/<svg/g)).toHaveLength(3);
    expect(page).not.toMatch(requests);
  });

  it('shows text as text everywhere', async () => {
    const text = '<b>&"';
    const content = await tableOf([text], [[text]]);
    const page = await formatReport({
      title: text,
      verdict: text,
      holds: false,
      facts: [[text, text]],
      sections: [
        { title: text, note: text, content },
        { title: 'x', content: await html`${text}` },
      ],
    });
    expect(page).not.toContain('<b>');
    expect(page.match(/&lt;b&gt;&amp;&quot;/g)).toHaveLength(11);
  });

  it('marks the rows that fail', async () => {
    const table = await tableOf(
      ['check', 'found'],
      [
        ['lost', 1],
        ['doubled', 0],
      ],
      (row) => row[1] !== 0,
    );
    expect(String(table).match(/<tr class="fails">.*?<\/tr>/g)).toEqual([expect.stringContaining('lost')]);
  });
});

describe('a chart', () => {
  const draw = (y: number) => String(drawCurves([{ name: 'waiting', points: [[new Date(0), y]] }], 'time'));

  it('is the same text each time it is drawn', () => {
    expect(draw(1)).toBe(draw(1));
  });

  it('has names of its own, because a page holds several', () => {
    const names = (svg: string) => [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(names(draw(1))).not.toHaveLength(0);
    expect(new Set([...names(draw(1)), ...names(draw(2))]).size).toBe(2 * names(draw(1)).length);
  });
});

describe('a chart of counts', () => {
  it('has a name for each count, and no bar for 0', () => {
    const svg = String(
      drawCounts([
        ['often', 1_000],
        ['never', 0],
      ]),
    );
    expect(svg).toContain('never');
    expect(svg).toContain('1000');
    expect(svg).not.toContain('>0<');
  });
});

describe('a flow diagram', () => {
  it('labels each arrow with how often it was taken', async () => {
    const nodes = ['requested', 'DONE'].map((name) => ({ name, label: name, isFinal: false }));
    const svg = String(await drawFlow(nodes, [{ from: 'requested', to: 'DONE', times: 17 }]));
    expect(svg).toContain('<title>requested&#45;&gt;DONE</title>');
    expect(svg).toMatch(/;17<\/text>/);
  });
});
