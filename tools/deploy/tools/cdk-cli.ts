import { join } from 'node:path';
import { runCommand } from './command.ts';

export type CdkOptions = {
  /** The repository: where cdk.json is. */
  readonly root: string;
  /** See `operatorEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
};

export type Cdk = ReturnType<typeof createCdk>;

/** The CDK CLI of this repository. */
export function createCdk({ root, env, signal }: CdkOptions) {
  const run = (...args: readonly string[]) =>
    runCommand(join(root, 'node_modules/.bin/cdk'), [...args, '--ci', '--no-color', '--no-notices'], {
      cwd: root,
      env,
      signal,
    });
  return {
    /** Synthesizes the unchanged stacks. */
    synth: (output: string, context: Readonly<Record<string, string>>) => {
      const values = Object.entries(context).flatMap(([key, value]) => ['--context', `${key}=${value}`]);
      return run('synth', '--quiet', '--output', output, ...values);
    },
    deploy: (assembly: string) => run('deploy', '--all', '--app', assembly, '--require-approval', 'never'),
  };
}
