import { describe, expect, it } from 'vitest';
import type { Finding } from '#cli/doctor/findings.ts';
import { formatFindings } from '#cli/doctor/print-findings.ts';
import { formatColumns } from '#cli/output/format-columns.ts';

const eventId = '5e1f'.repeat(16);
const head = ['event id', 'type', 'received', 'quarantine reason'];
const row = [eventId, 'TRADITIONAL_ASSET_ORDER_NOTIFICATION', '2026-11-23T10:19:02.115Z', 'UNKNOWN_EVENT_TYPE'];
const longestLine = (text: string) => Math.max(...text.split('\n').map(({ length }) => length));

describe('cli output: formatColumns', () => {
  it('prints a row on one line where there is no terminal, however wide', () => {
    expect(formatColumns(head, [row, row]).split('\n')).toHaveLength(3);
    expect(formatColumns(head, [row])).toContain(row.join('  '));
  });

  it('wraps cells between words to the width of the terminal', () => {
    const rows = [
      ['Webhooks', 'Store fails to store what the platform sends'],
      ['Onboarding', 'nothing'],
    ];
    expect(formatColumns(['queue', 'what is wrong'], rows, 36)).toBe(
      [
        'QUEUE       WHAT IS WRONG',
        'Webhooks    Store fails to store',
        '            what the platform sends',
        'Onboarding  nothing',
      ].join('\n'),
    );
  });

  it('puts a wide id on a line of its own, and where that is not enough each cell', () => {
    const narrow = formatColumns(head, [row], 120);
    expect(narrow.split('\n')).toEqual([
      'EVENT ID',
      expect.stringMatching(/^ {2}TYPE +RECEIVED +QUARANTINE REASON$/),
      eventId,
      `  ${row.slice(1).join('  ')}`,
    ]);
    const narrower = formatColumns(head, [row], 80);
    expect(narrower.split('\n')).toEqual([
      eventId,
      `  type               ${row[1]}`,
      `  received           ${row[2]}`,
      `  quarantine reason  ${row[3]}`,
    ]);
    const explained = formatColumns(head, [[eventId, 'A'.repeat(40), 'a word '.repeat(20).trim(), 'B'.repeat(40)]], 80);
    expect(explained).toMatch(/^ {2}received {11}(a word )+a?\n {21}(word|a)/m);
    expect(longestLine(explained)).toBeLessThanOrEqual(80);
    for (const [text, width] of [[narrow, 120] as const, [narrower, 80] as const])
      expect(longestLine(text)).toBeLessThanOrEqual(width);
  });
});

describe('cli doctor: formatFindings', () => {
  const command = `drawbridge webhooks apply --remove ${'A'.repeat(60)}`;
  const findings: readonly Finding[] = [
    {
      check: 'schedules',
      result: 'good',
      detail: '4 schedules are enabled. Last runs: TokenRefresh, DrainRuns and others',
    },
    {
      check: 'registrations',
      result: 'problem',
      detail: 'registered by Drawbridge, but no longer configured',
      remedy: command,
    },
    {
      check: 'quotas',
      result: 'unknown',
      detail: 'not allowed',
      remedy: 'Allow your role what the message names, and run doctor again.',
    },
  ];

  it.each([60, 80])(
    'fits a terminal of %d columns, and keeps the remedy of a finding whole on a line of its own',
    (width) => {
      const lines = formatFindings(findings, width).split('\n');
      expect(lines).toContain(`         → ${command}`);
      expect(longestLine(lines.filter((line) => !line.includes(command)).join('\n'))).toBeLessThanOrEqual(width);
      expect(lines.filter((line) => line.includes('→'))).toHaveLength(2);
    },
  );
});
