import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '#docs/generate/markdown-pages.ts';
import { commandsOf } from '#tools/deploy/run-page.ts';

const script = commandsOf(readFileSync(join(root, 'docs/how-to/remove.md'), 'utf8'), 'Remove everything').join('');

/** An AWS CLI that writes down its calls, lists two names of everything, and fails for a call with the words in FAIL. */
const aws = `#!/bin/sh
echo "$1 $2" >> "$CALLS"
case "$*" in *"$FAIL"*) exit 5 ;; esac
case "$2" in list-* | describe-log-groups) printf 'one\\ttwo\\n' ;; *) echo id ;; esac
`;

/** The exit code of the commands of the page, and the calls of the AWS CLI that they made. */
async function run(failingCall: string) {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-remove-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ aws, npx: '#!/bin/sh\n' })) {
    writeFileSync(join(directory, name), text);
    chmodSync(join(directory, name), 0o755);
  }
  const file = join(directory, 'calls');
  const env = { PATH: `${directory}:${process.env['PATH']}`, CALLS: file, FAIL: failingCall };
  const code = await new Promise<unknown>((resolve) => {
    execFile('sh', ['-eu', '-c', script], { env }, (error) => resolve(error?.code ?? 0));
  });
  return { code, calls: existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [] };
}

describe('the list of commands in docs/how-to/remove.md', () => {
  it('ends the replication of each secret before its deletion', async () => {
    const { code, calls } = await run('no call');
    const secret = ['describe-secret', 'remove-regions-from-replication', 'delete-secret'];
    expect(code).toBe(0);
    expect(calls.filter((call) => call.startsWith('secretsmanager'))).toEqual(
      [...secret, ...secret].map((call) => `secretsmanager ${call}`),
    );
  });

  it('deletes each backup before the vault, and the role of backups and the key after the last backup', async () => {
    const { code, calls } = await run('no call');
    const ofBackups = calls.filter((call) => /^backup delete|^iam d|^kms/.test(call));
    const vault = [
      'backup delete-backup-vault-lock-configuration',
      'backup delete-recovery-point',
      'backup delete-recovery-point',
      'backup delete-backup-vault',
    ];
    expect(code).toBe(0);
    const role = ['iam detach-role-policy', 'iam detach-role-policy', 'iam delete-role'];
    expect(ofBackups).toEqual([
      ...vault,
      ...vault,
      ...role,
      ...role,
      'kms schedule-key-deletion',
      'kms schedule-key-deletion',
    ]);
  });

  it.each([
    ['the list of what stays', 'list-stack-resources', 'cloudformation list-stack-resources'],
    ['the deletion of one resource of several', 'sqs delete-queue', 'sqs delete-queue'],
    ['the list of backups', 'list-recovery-points', 'backup list-recovery-points-by-backup-vault'],
    ['the list of older log groups', 'describe-log-groups', 'logs describe-log-groups'],
  ])('stops when this fails: %s', async (_, failingCall, last) => {
    const { code, calls } = await run(failingCall);
    expect(code).toBe(5);
    expect(calls.at(-1)).toBe(last);
  });
});
