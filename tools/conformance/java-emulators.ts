import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';
import { runCommand, succeeds } from '#tools/deploy/tools/command.ts';

export type JavaEmulatorsOptions = {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export type JavaEmulators = {
  readonly dynamodbOrigin: string;
  readonly sqsOrigin: string;
  readonly close: () => Promise<void>;
};

const pom = join(import.meta.dirname, 'pom.xml');

/** In milliseconds. */
const startDeadline = 120_000;

/** The first of the programs that this machine lacks. */
export async function findMissing({ root, env }: JavaEmulatorsOptions): Promise<string | undefined> {
  for (const program of ['java', 'mvn'])
    if (!(await succeeds(() => runCommand(program, ['-version'], { cwd: root, env })))) return program;
  return undefined;
}

/** Starts DynamoDB Local and ElasticMQ, each on a free port. @throws if one does not answer */
export async function startJavaEmulators(options: JavaEmulatorsOptions): Promise<JavaEmulators> {
  const libraries = await fetchLibraries(options);
  const [dynamodbPort, sqsPort] = [await freePort(), await freePort()];
  const java = (...args: readonly string[]) =>
    spawn('java', ['-cp', join(libraries, '*'), ...args], { cwd: libraries, env: options.env, stdio: 'ignore' });
  const children = [
    // Without -sharedDb each access key has tables of its own: so has each test file.
    java(
      `-Djava.library.path=${libraries}`,
      'com.amazonaws.services.dynamodbv2.local.main.ServerRunner',
      ...['-inMemory', '-port', String(dynamodbPort)],
    ),
    java(
      `-Drest-sqs.bind-port=${sqsPort}`,
      '-Drest-sqs.bind-hostname=127.0.0.1',
      '-Drest-stats.enabled=false',
      'org.elasticmq.server.Main',
    ),
  ];
  const close = async () => {
    await Promise.all(children.map(stop));
  };
  const origins = [dynamodbPort, sqsPort].map((port) => `http://127.0.0.1:${port}`);
  const [dynamodbOrigin = '', sqsOrigin = ''] = origins;
  try {
    for (const origin of origins) await answers(origin, children);
  } catch (error) {
    await close();
    throw error;
  }
  return { dynamodbOrigin, sqsOrigin, close };
}

async function fetchLibraries({ root, env }: JavaEmulatorsOptions): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12);
  const folder = join(root, 'node_modules/.cache/drawbridge', `conformance-${digest}`);
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return folder;
  rmSync(folder, { recursive: true, force: true });
  const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  await runCommand('mvn', ['--quiet', '--batch-mode', '--file', pom, ...copy], { cwd: root, env });
  writeFileSync(complete, '');
  return folder;
}

async function answers(origin: string, children: readonly ChildProcess[]): Promise<void> {
  const giveUpAt = Date.now() + startDeadline;
  while (!(await fetch(origin).then(Boolean, () => false))) {
    if (Date.now() > giveUpAt || children.some(({ exitCode }) => exitCode !== null))
      throw new Error(`No emulator answers at ${origin}.`);
    await wait(200);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
