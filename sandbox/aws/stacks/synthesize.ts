import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { SandboxError } from '#sandbox/errors.ts';

const cdkJson = z.looseObject({ app: z.string(), context: z.record(z.string(), z.unknown()).default({}) });

export type SynthesizeProps = {
  /** Where cdk.json is. */
  readonly root: string;
  readonly outputDirectory: string;
  /** The command of the CDK app, in place of that of cdk.json. */
  readonly app?: string | undefined;
  /** What the app runs in, the path to programs among it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Context beyond that of cdk.json, as `cdk synth --context` adds it. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * Runs the CDK app of cdk.json as `cdk synth` does.
 *
 * @throws {SandboxError} NOT_SYNTHESIZED when there is no app, or the app fails, a finding of cdk-nag included
 */
export async function synthesize(props: SynthesizeProps): Promise<void> {
  const { root, outputDirectory, environment, context = {} } = props;
  if (!existsSync(join(root, 'cdk.json')))
    throw new SandboxError('NOT_SYNTHESIZED', `There is no cdk.json in ${root}: name the folder of a CDK app.`);
  const { app: ownApp, context: ownContext } = cdkJson.parse(JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')));
  const [command = '', ...commandArguments] = (props.app ?? ownApp).split(' ');
  const env = {
    // The CDK's own rules take most of the CPU time, and their findings are warnings, which `cdk synth` prints. cdk-nag runs.
    CDK_VALIDATION: 'false',
    ...environment,
    CDK_OUTDIR: outputDirectory,
    CDK_CONTEXT_JSON: JSON.stringify({ ...ownContext, ...context, 'aws:cdk:enable-path-metadata': true }),
  };
  try {
    await promisify(execFile)(command, commandArguments, { cwd: root, env });
  } catch (cause) {
    const { stdout = '', stderr = '' } = z.object({ stdout: z.string(), stderr: z.string() }).partial().parse(cause);
    throw new SandboxError('NOT_SYNTHESIZED', `The stacks could not be synthesized:\n${stdout}${stderr}`, { cause });
  }
}
