import { dirname, join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';

/** The code of a function, as `npm run build` bundled it beside the construct. @param entry the process entry in the repository */
export function functionCode(entry: string): Code {
  return Code.fromAsset(join(import.meta.dirname, dirname(entry)));
}
