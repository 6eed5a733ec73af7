/** `node tools/conformance/main.ts`: the tests of stores and queues against DynamoDB Local and ElasticMQ. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requireNode24 } from '#sandbox/terminal/command-line.ts';
import { findMissing, startJavaEmulators } from './java-emulators.ts';

requireNode24();
const root = dirname(dirname(import.meta.dirname));

/** Test files that call the emulators of DynamoDB and SQS. */
const emulators = /from '#test\/shared\/aws\/(?:http-)?emulators\.ts'|from '\.\/emulators\.ts'/;

/** They compare the rules of one emulator with the simulation, and other emulators differ in their messages. */
const ofOneEmulator = ['test/simulation/aws/'];

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

const missing = await findMissing({ root, env: process.env });
if (missing === undefined) process.exitCode = await run();
else print(`conformance skips everything: this machine lacks the program ${missing}.`);

async function run(): Promise<number> {
  const { dynamodbOrigin, sqsOrigin, close } = await startJavaEmulators({ root, env: process.env });
  try {
    const files = globSync('test/**/*.test.ts', { cwd: root })
      .filter((file) => emulators.test(readFileSync(join(root, file), 'utf8')))
      .filter((file) => !ofOneEmulator.some((folder) => file.startsWith(folder)));
    print(`${files.length} test files against DynamoDB Local at ${dynamodbOrigin} and ElasticMQ at ${sqsOrigin}`);
    // ElasticMQ has one set of queues: one file at a time.
    const child = spawn('vitest', ['run', '--project', 'tests', '--no-file-parallelism', ...files], {
      cwd: root,
      env: { ...process.env, DYNAMODB_ORIGIN: dynamodbOrigin, SQS_ORIGIN: sqsOrigin },
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    return typeof code === 'number' ? code : 1;
  } finally {
    await close();
  }
}
