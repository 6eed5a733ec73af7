import { describe, expect, it } from 'vitest';
import { logQueries } from '#infra/monitoring/log-queries.ts';
import { parseInsightsQuery } from '#sandbox/aws/logs/insights-query.ts';
import { runInsightsQuery } from '#sandbox/aws/logs/run-insights-query.ts';

const start = Date.parse('2026-01-02T03:00:00Z');

/** Lines of a group, a minute apart, the oldest first. */
const linesOf = (...contents: readonly object[]) =>
  contents.map((content, index) => ({ group: 'group', at: start + index * 60_000, text: JSON.stringify(content) }));

const run = (query: string, lines: ReturnType<typeof linesOf>, limit = 100) =>
  runInsightsQuery({ commands: parseInsightsQuery(query), lines, account: '111122223333', limit }).rows;

describe('sandbox aws: queries of CloudWatch Logs Insights', () => {
  it.each(logQueries)('understands the saved query $name', ({ query }) => {
    expect(parseInsightsQuery(query.join('\n| '))).toHaveLength(query.length);
  });

  it('filters, sorts and limits lines, and shows fields by their paths', () => {
    const lines = linesOf(
      { level: 'ERROR', message: 'message failed', error: { name: 'A' } },
      { level: 'INFO', message: 'event applied' },
      { level: 'WARN', message: 'call failed: timeout' },
    );
    const query =
      'fields @timestamp, @log, message, error.name | filter message in ["message failed"] or message like /^call failed: /';
    expect(run(`${query} | sort @timestamp asc`, lines)).toEqual([
      {
        '@timestamp': '2026-01-02 03:00:00.000',
        '@log': '111122223333:group',
        message: 'message failed',
        'error.name': 'A',
      },
      { '@timestamp': '2026-01-02 03:02:00.000', '@log': '111122223333:group', message: 'call failed: timeout' },
    ]);
    expect(run(`${query} | limit 1`, lines)).toMatchObject([{ message: 'call failed: timeout' }]);
    expect(run('filter level = "INFO" and message = "event applied"', lines)).toEqual([
      { '@timestamp': '2026-01-02 03:01:00.000', '@message': lines[1]?.text },
    ]);
  });

  it('has a field of each item of a list, and none of the whole, as CloudWatch', () => {
    const lines = linesOf({ ids: ['a', 'b'], of: { ids: 1 } });
    expect(run('fields ids, ids.1, of, of.ids', lines)).toEqual([{ 'ids.1': 'b', 'of.ids': '1' }]);
  });

  it('counts, sums and takes percentiles and the latest time by fields and by periods', () => {
    const lines = linesOf(...[1, 2, 3, 4, 5, 6, 7].map((count) => ({ reason: count < 3 ? 'a' : 'b', count })));
    expect(
      run(
        'stats count(*) as n, sum(`count`) as total, pct(count, 50) as median, max(@timestamp) as last by reason | sort n desc',
        lines,
      ),
    ).toEqual([
      { reason: 'b', n: '5', total: '25', median: '5', last: '2026-01-02 03:06:00.000' },
      { reason: 'a', n: '2', total: '3', median: '1', last: '2026-01-02 03:01:00.000' },
    ]);
    expect(run('stats count(*) by bin(5m) | sort bin(5m) asc', lines)).toEqual([
      { 'bin(5m)': '2026-01-02 03:00:00.000', 'count(*)': '5' },
      { 'bin(5m)': '2026-01-02 03:05:00.000', 'count(*)': '2' },
    ]);
  });

  it.each([
    ['parse @message "a * b" as x', 'parse'],
    ['stats avg(count) by reason', 'avg()'],
    ['filter count > 3', '> 3'],
    ['filter not level = "INFO"', 'level'],
    ['fields a | sort a', 'ends here'],
    ['fields a b', '"b"'],
  ])('refuses %s by what the laptop does not understand', (query, named) => {
    expect(() => parseInsightsQuery(query)).toThrow(expect.objectContaining({ type: 'MalformedQueryException' }));
    expect(() => parseInsightsQuery(query)).toThrow(named);
  });
});
