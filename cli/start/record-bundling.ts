/**
 * A module that the CDK app of `start --watch` loads first. It notes each bundling of a function by esbuild, as the CDK's NodejsFunction
 * runs it: the templates do not say from which source a function is.
 */
import childProcess from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { DRAWBRIDGE_BUNDLINGS: file = '' } = process.env;

function note(command: unknown, parameters: unknown, options: unknown): void {
  if (!Array.isArray(parameters) || !parameters.includes('--bundle')) return;
  const folder = options instanceof Object && 'cwd' in options ? options.cwd : undefined;
  appendFileSync(file, `${JSON.stringify({ command: [command, ...parameters], folder: folder ?? process.cwd() })}\n`);
}

Object.assign(childProcess, {
  spawnSync: new Proxy(childProcess.spawnSync, {
    apply: (spawnSync, self, all) => {
      note(all[0], all[1], all[2]);
      return Reflect.apply(spawnSync, self, all);
    },
  }),
});
syncBuiltinESMExports();
