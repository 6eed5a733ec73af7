import * as fc from 'fast-check';

// The same cases on every machine, so that a failure is of the change. `NEW_CASES=yes npm run verify` looks for new ones.
if (process.env['NEW_CASES'] !== 'yes') fc.configureGlobal({ seed: 20_261_122 });
