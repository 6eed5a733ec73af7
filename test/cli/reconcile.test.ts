import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatReport } from '#cli/reconcile/format-report.ts';
import { InvokeError } from '#cli/reconcile/invoke.ts';
import { reconcileWhole } from '#cli/reconcile/reconcile-whole.ts';
import type { Gap, GapCounts, GapReport } from '#shared/bus/gap-report.ts';

const root = dirname(dirname(import.meta.dirname));
const none: GapCounts = { checked: 3, drifted: 0, repaired: 0, readBack: 0, stale: 0, gone: 0, unanswered: 0 };

function reportOf(more: Partial<GapReport> = {}, ofPersons: Partial<GapCounts> = {}): GapReport {
  return {
    mode: 'report',
    outcome: 'complete',
    beganOn: '2026-01-02T03:04:05.678Z',
    counts: {
      'natural-person': { ...none, ...ofPersons },
      'identification-verification': none,
      order: none,
      transfer: none,
    },
    onboardingsDue: 0,
    gaps: [],
    furtherGaps: 0,
    ...more,
  };
}

const gap: Gap = {
  kind: 'natural-person',
  id: 'p-1',
  what: 'drifted',
  differed: ['status', 'modifiedOn'],
  status: 'CREATED',
  platformStatus: 'ACTIVE',
};

describe('cli reconcile: formatReport', () => {
  it('prints the counts of each kind, and each gap with the differing fields and both statuses', () => {
    const text = formatReport(reportOf({ gaps: [gap], furtherGaps: 2 }, { drifted: 3 }));
    expect(text).toMatch(/natural-person +3 +3 +0 /);
    expect(text).toMatch(/drifted +natural-person +p-1 +status, modifiedOn +CREATED +ACTIVE/);
    expect(text).toContain('… and 2 more');
    expect(text).toContain('run reconcile without --report');
  });

  it('does not say that entities match the platform when some are stale or unanswered', () => {
    for (const counts of [{ unanswered: 2 }, { stale: 2 }]) {
      const text = formatReport(reportOf({}, counts));
      expect(text).toContain('2 stale or unanswered entities is unknown');
      expect(text).not.toContain('All entities match the platform.');
    }
  });

  it('prints the overdue onboardings and the oldest stale entity, and says that all entities match', () => {
    const text = formatReport(reportOf({ onboardingsDue: 2, oldestStale: '2025-12-24T00:00:00Z' }));
    expect(text).toContain('2025-12-24T00:00:00Z');
    expect(text).toContain('2 onboardings');
    expect(text).toContain('All entities match the platform.');
  });
});

describe('cli reconcile: reconcileWhole', () => {
  it('invokes again from the returned position until the walk is complete, and keeps the gaps of every invocation', async () => {
    const events: object[] = [];
    const answers = [
      reportOf({ outcome: 'time is over', next: { stumbles: 1 }, gaps: [gap], furtherGaps: 1 }),
      reportOf({ outcome: 'time is over', next: { stumbles: 2 }, gaps: [gap] }),
      reportOf({ gaps: [gap], furtherGaps: 1 }),
    ];
    const seen: GapReport[] = [];
    const invoke = async (event: object) => {
      events.push(event);
      return answers[events.length - 1];
    };
    const report = await reconcileWhole(invoke, 'report', (one) => seen.push(one));
    expect(report).toMatchObject({ outcome: 'complete', gaps: [gap, gap, gap], furtherGaps: 2 });
    expect(events).toEqual([
      { mode: 'report', seconds: 45 },
      { mode: 'report', seconds: 45, from: { stumbles: 1 } },
      { mode: 'report', seconds: 45, from: { stumbles: 2 } },
    ]);
    expect(seen).toEqual(answers.slice(0, 2));
  });

  it('rejects an answer that is not a gap report', async () => {
    await expect(
      reconcileWhole(
        async () => ({ counts: {} }),
        'repair',
        () => undefined,
      ),
    ).rejects.toThrow();
  });
});

describe('cli reconcile --function: a deployed function', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'drawbridge-tool-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Runs the command with a fake `aws` that returns this answer. */
  async function run(
    answer: unknown,
    { metadata = { StatusCode: 200 }, code = 0 }: { metadata?: object; code?: number } = {},
  ) {
    const script = `#!/bin/sh
printf '%s\\n' "$@" > ${directory}/arguments
for last; do :; done
cp ${directory}/answer "$last"
cat ${directory}/metadata
echo 'An error occurred' >&2
exit ${code}
`;
    writeFileSync(join(directory, 'aws'), script);
    chmodSync(join(directory, 'aws'), 0o755);
    writeFileSync(join(directory, 'answer'), JSON.stringify(answer));
    writeFileSync(join(directory, 'metadata'), JSON.stringify(metadata));
    const tool = ['cli/main.ts', 'reconcile', '--report', '--function', 'the-function'];
    return new Promise<{ exit: unknown; printed: string }>((resolve) => {
      const env = { ...process.env, PATH: `${directory}:${process.env['PATH']}` };
      execFile(process.execPath, tool, { cwd: root, env }, (error, stdout, stderr) =>
        resolve({ exit: error?.code ?? 0, printed: stdout + stderr }),
      );
    });
  }

  it('invokes the function with the AWS CLI and exits with 0 when nothing has drifted', async () => {
    const { exit, printed } = await run(reportOf());
    expect({ exit, printed }).toMatchObject({ exit: 0, printed: expect.stringContaining('match the platform') });
    const given = readFileSync(join(directory, 'arguments'), 'utf8').split('\n');
    expect(given.slice(0, 6)).toEqual([
      'lambda',
      'invoke',
      '--function-name',
      'the-function',
      '--payload',
      '{"mode":"report","seconds":45}',
    ]);
  });

  it('exits with 1 when an entity has drifted or is gone', async () => {
    expect(await run(reportOf({ gaps: [gap] }, { drifted: 1 }))).toMatchObject({ exit: 1 });
    expect(await run(reportOf({}, { gone: 1 }))).toMatchObject({ exit: 1 });
  });

  it('exits with 2 and prints the reason when the function fails or another run is in progress', async () => {
    const failed = { errorType: 'Error', errorMessage: 'Get natural persons: no answer.' };
    const metadata = { StatusCode: 200, FunctionError: 'Unhandled' };
    expect(await run(failed, { metadata })).toMatchObject({ exit: 2, printed: expect.stringContaining('no answer') });
    expect(await run({}, { code: 254 })).toMatchObject({
      exit: 2,
      printed: expect.stringContaining('An error occurred'),
    });
    expect(await run('no report')).toMatchObject({ exit: 2 });
    const busy = await run(reportOf({ outcome: 'another run is at work' }, { drifted: 1 }));
    expect(busy).toMatchObject({
      exit: 2,
      printed: expect.stringContaining('Another run of reconcile is in progress'),
    });
  });
});

describe('cli reconcile before the first token', () => {
  it('fails with what the function says to do', async () => {
    const skipped = 'Put the credentials into the secret PlatformCredentials.';
    const error: unknown = await reconcileWhole(
      async () => ({ skipped }),
      'report',
      () => undefined,
    ).catch((reason: unknown) => reason);
    expect(error).toEqual(new InvokeError(skipped));
  });
});
