import * as fc from 'fast-check';
import { isFullSize } from './full-size.ts';

// `npm test` has the same cases on every machine, so that a failure is of the change; `npm run verify` looks for new ones.
if (!isFullSize) fc.configureGlobal({ seed: 20_261_122 });
