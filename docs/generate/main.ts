/** `npm run docs`: writes every page of the documentation that is generated from code. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { synthesize } from '#sandbox/aws/stacks/synthesize.ts';
import { requireNode24 } from '#sandbox/terminal/command-line.ts';
import { programForTests } from '#test/cli/program-for-tests.ts';
import { dashboardWidgets } from '#test/infra/stacks/dashboard-widgets.ts';
import { readStacks } from '#test/infra/stacks/readable-stack.ts';
import { createTrialApps } from '#test/infra/stacks/trial-apps.ts';
import { listTests } from '#test/spec/list-tests.ts';
import { measureCoverage, writeCoverage } from '#test/spec/write-coverage.ts';
import { writeEventSchemas } from './bus/event-reference.ts';
import { writeLogMessages } from './logs/write-log-messages.ts';
import { writeLogQueries } from './logs/write-log-queries.ts';
import { writeMetrics } from './logs/write-metrics.ts';
import { builtFolder, root } from './markdown-pages.ts';
import { generatedPages, type PageSources } from './pages.ts';
import { writeCapacity } from './stacks/write-capacity.ts';
import { writeCost } from './stacks/write-cost.ts';
import { writeDashboard } from './stacks/write-dashboard.ts';
import { statePages } from './states/state-pages.ts';
import { writeCliPage } from './write-cli-page.ts';

requireNode24();
const scratch = mkdtempSync(join(tmpdir(), 'drawbridge-docs-'));
try {
  const outputDirectory = join(scratch, 'laptop');
  await synthesize({ root, outputDirectory, environment: process.env, context: { environment: 'laptop' } });
  const sources = {
    stacks: readStacks(readCloudAssembly(outputDirectory)),
    trialApps: createTrialApps(() => mkdtempSync(join(scratch, 'trial-'))),
  };
  for (const [path, write] of Object.entries({ ...statePages, ...generatedPages(sources), ...builtPages(sources) })) {
    const file = join(root, path);
    const text = write();
    if (readTextOf(file) === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`${path}\n`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function readTextOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** What Git ignores, by path from the root of the repository: pages that say what a command or CloudWatch shows as well, and the schemas of asyncapi.json one by one. */
function builtPages({ stacks, trialApps }: PageSources): Readonly<Record<string, () => string>> {
  return {
    [`${builtFolder}/capacity.md`]: () => writeCapacity(trialApps),
    [`${builtFolder}/cli.md`]: () => writeCliPage(programForTests()),
    [`${builtFolder}/cost.md`]: () => writeCost(trialApps),
    [`${builtFolder}/dashboard.md`]: () => writeDashboard(dashboardWidgets(stacks.service)),
    [`${builtFolder}/log-messages.md`]: writeLogMessages,
    [`${builtFolder}/log-queries.md`]: writeLogQueries,
    [`${builtFolder}/metrics.md`]: () => writeMetrics(trialApps.createTrialApp().service),
    [`${builtFolder}/spec-coverage.md`]: () => writeCoverage(measureCoverage(listTests())),
    ...Object.fromEntries(
      [...writeEventSchemas()].map(([name, schema]) => [
        `${builtFolder}/events/${name}.json`,
        () => `${JSON.stringify(schema, undefined, 2)}\n`,
      ]),
    ),
  };
}
