/**
 * The process entry of `drawbridge` on the emulator: like `cli/main.ts`, with requests to the API that find the emulator. The
 * host of the API is below `localhost`, which not every machine resolves.
 */
import { readFileSync } from 'node:fs';
import { runDrawbridge } from '#test/end-to-end/run-drawbridge.ts';
import { createEmulatorFetch } from './emulator-fetch.ts';

const { AWS_ENDPOINT_URL = '', NODE_EXTRA_CA_CERTS = '' } = process.env;
const port = Number(new URL(AWS_ENDPOINT_URL).port);
const fetch = createEmulatorFetch({ port, certificate: () => readFileSync(NODE_EXTRA_CA_CERTS, 'utf8') });
const { exit, stdout, stderr } = await runDrawbridge({ endpointsFile: 'none' }, process.argv.slice(2), { fetch });
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exit(exit);
