import { programForTests } from '#test/cli/program-for-tests.ts';
import { listTests } from '#test/spec/list-tests.ts';
import { measureCoverage, writeCoverage } from '#test/spec/write-coverage.ts';
import { dashboardWidgets } from '#tools/stacks/dashboard-widgets.ts';
import { writeLogMessages } from './logs/write-log-messages.ts';
import { writeLogQueries } from './logs/write-log-queries.ts';
import { writeMetrics } from './logs/write-metrics.ts';
import { builtFolder } from './markdown-pages.ts';
import type { PageSources } from './pages.ts';
import { writeCapacity } from './stacks/write-capacity.ts';
import { writeCost } from './stacks/write-cost.ts';
import { writeDashboard } from './stacks/write-dashboard.ts';
import { writeCliPage } from './write-cli-page.ts';

/** The pages that say what a command or CloudWatch shows as well, by path from the root of the repository. */
export function builtPages({ stacks, trialApps }: PageSources): Readonly<Record<string, () => string>> {
  return {
    [`${builtFolder}/capacity.md`]: () => writeCapacity(trialApps),
    [`${builtFolder}/cli.md`]: () => writeCliPage(programForTests()),
    [`${builtFolder}/cost.md`]: () => writeCost(trialApps),
    [`${builtFolder}/dashboard.md`]: () => writeDashboard(dashboardWidgets(stacks.service)),
    [`${builtFolder}/log-messages.md`]: writeLogMessages,
    [`${builtFolder}/log-queries.md`]: writeLogQueries,
    [`${builtFolder}/metrics.md`]: () => writeMetrics(trialApps.createTrialApp().service),
    [`${builtFolder}/spec-coverage.md`]: () => writeCoverage(measureCoverage(listTests())),
  };
}
