import { html } from 'hono/html';
import { describe, expect, it } from 'vitest';
import { drawFlow } from '#sandbox/report/flow-diagram.ts';
import { formatReport, type Report, tableOf } from '#sandbox/report/page.ts';
import { drawCounts } from '#test/simulation/report/write-report.ts';

const report: Report = { title: 'A run', verdict: 'All is well.', holds: true, facts: [], sections: [] };

/** Everything that a browser would fetch. */
const requests = /<script src|<link|<img|<iframe|@import|url\((?!#)|(?:href|src)="/;

describe('an HTML report', () => {
  it('makes no request, with every kind of picture, and has a script only where it has a plot', async () => {
    const pictures = [
      await drawCounts([['lost', 3]]),
      await drawFlow([{ name: 'a', label: 'A', isFinal: true }], [{ from: 'a', to: 'a', times: 2 }]),
    ].map((content) => ({ title: 'Picture', content }));
    const plot = { axis: 'time', at: [0], curves: [{ name: '</script>', values: [1] }] } as const;
    const withoutPlot = await formatReport({ ...report, sections: pictures });
    const withPlot = await formatReport({ ...report, sections: [...pictures, { title: 'Plot', plot }] });
    for (const page of [withoutPlot, withPlot]) expect(page).not.toMatch(requests);
    expect(withoutPlot).not.toContain('<script');
    expect(withPlot.match(/<script/g)).toHaveLength(2);
    expect(withPlot.match(/<\/script/g)).toHaveLength(2);
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
});
