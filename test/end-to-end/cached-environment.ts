import { join } from 'node:path';
import { inject } from 'vitest';

/** The environment of a command. All commands of a test run share what Node has compiled, as they load the same modules. */
export function cachedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: join(inject('assembly'), 'compile-cache') };
}
