import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '#docs/generate/markdown-pages.ts';
import { version } from '#shared/version.ts';
import { commandsOf } from '#tools/deploy/run-page.ts';

const page = readFileSync(join(root, 'docs/how-to/upgrade.md'), 'utf8');

/** The commands of a section that change the repository. */
const gitCommandsOf = (heading: string) =>
  commandsOf(page, heading)
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('git '));

/** Git without the settings of the machine. */
const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'partner',
  GIT_AUTHOR_EMAIL: 'partner@partner.example',
  GIT_COMMITTER_NAME: 'partner',
  GIT_COMMITTER_EMAIL: 'partner@partner.example',
};

it('keeps the committed files of a partner over the commands of the upgrade and of the rollback', () => {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-upgrade-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const upstream = join(directory, 'upstream');
  const clone = join(directory, 'clone');
  const run = (cwd: string, command: string) => execFileSync('sh', ['-eu', '-c', command], { cwd, env, stdio: 'pipe' });
  const commit = (cwd: string, files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    run(cwd, 'git add . && git commit --quiet --message "Change files"');
  };
  const codeOf = () => readFileSync(join(clone, 'code.ts'), 'utf8');
  const partnersFiles = ['settings/production.json', 'cdk.context.json'];
  const missing = () => partnersFiles.filter((name) => !existsSync(join(clone, name)));

  run(directory, 'git init --quiet --initial-branch main upstream');
  commit(upstream, { 'code.ts': 'earlier', 'settings/example.json': '{}' });
  run(directory, 'git clone --quiet --bare upstream fork && git clone --quiet fork clone');
  run(clone, `git remote add upstream ${upstream}`);
  commit(clone, Object.fromEntries(partnersFiles.map((name) => [name, '{}'])));
  run(clone, 'git push --quiet origin main');
  commit(upstream, { 'code.ts': 'released' });
  run(upstream, `git tag v${version}`);

  const rollback = gitCommandsOf('Roll back');
  const upgrade = gitCommandsOf('Upgrade Drawbridge').filter((line) => !rollback.includes(line));
  run(clone, upgrade.join('\n'));
  expect([codeOf(), missing()]).toEqual(['released', []]);
  run(clone, rollback.join('\n'));
  expect([codeOf(), missing()]).toEqual(['earlier', []]);
});
