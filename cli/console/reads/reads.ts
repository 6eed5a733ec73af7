import * as z from 'zod';
import { listAlarms } from '#cli/alarms/list-alarms.ts';
import { readActions } from '#cli/audit/read-actions.ts';
import { readSubscriptions } from '#cli/bus/subscriber-rules.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { drawArchitecture } from '#cli/console/diagrams/draw-architecture.ts';
import type { OverviewSampler } from '#cli/console/live/overview-sampler.ts';
import { regions } from '#cli/cost/price-list.ts';
import { readLastWalks } from '#cli/reconcile/compare-with-platform.ts';
import { readDrift } from '#cli/reconcile/read-drift.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { readLastHour } from '#cli/status/read-last-hour.ts';
import { acceptsBoth, isChange, pendingLines, readPlanRow, readRegisterReport } from '#cli/webhooks/register-report.ts';
import { version } from '#shared/version.ts';
import { createCostReads } from './cost-reads.ts';
import { defineRead, shareRead } from './define-read.ts';
import { createEntityReads } from './entity-reads.ts';
import { createEventReads } from './event-reads.ts';
import { createOnboardingReads } from './onboarding-reads.ts';
import { createQuarantineReads } from './quarantine-reads.ts';
import { createSandboxReads } from './sandbox-reads.ts';
import { createSearchRead } from './search-read.ts';

/** What every page needs to know. */
function sessionOf({ deployment, isOperator, typedCommand }: ConsoleContext) {
  const { environment, region, isLaptop, outputs } = deployment;
  return {
    environment,
    region,
    isLaptop,
    isOperator,
    typedCommand,
    pricedRegions: regions,
    version: outputs.get('Version'),
    consoleVersion: version,
  };
}

const direction = z.object({ direction: z.enum(['LR', 'TB']) });

/** In milliseconds: how long windows share one answer. Each request costs a cent for every thousand metrics on AWS. */
const keepLastHour = { laptop: 1_000, aws: 30_000 };

/** Days of actions that the page offers. */
const days = z.enum(['7', '30', '365']);

/** In milliseconds. */
const day = 24 * 3_600_000;

/** A page of more actions helps no one: the command lists up to 10,000. */
const maxActions = 500;

/** All that the pages read, by name. The pages take their types from here. */
export function createReads(context: ConsoleContext, sampler: Pick<OverviewSampler, 'read'>) {
  const { deployment, deps } = context;
  const lastHour = shareRead(
    async () => readLastHour(deployment, await readClock(deployment, deps)),
    deployment.isLaptop ? keepLastHour.laptop : keepLastHour.aws,
    deps.now,
  );
  return {
    session: defineRead(z.object({}), async () => sessionOf(context)),
    overview: defineRead(z.object({}), () => sampler.read()),
    /** The metrics of the last hour. */
    lastHour: defineRead(z.object({}), lastHour),
    architecture: defineRead(direction, async (query) => ({ svg: await drawArchitecture(query.direction) })),
    /** The alarms, with what each means and what to do. */
    alarms: defineRead(z.object({}), () => listAlarms(deployment)),
    /** Who gets the bus events. */
    subscriptions: defineRead(z.object({}), () => readSubscriptions(deployment)),
    search: createSearchRead(context),
    ...createAuditReads(context),
    ...createCostReads(context),
    ...createEventReads(context),
    ...createEntityReads(context),
    ...createOnboardingReads(context),
    ...createQuarantineReads(context),
    ...createRegistrationReads(context),
    ...createReconciliationReads(context),
    ...createSandboxReads(context),
  };
}

export type Reads = ReturnType<typeof createReads>;
export type ReadName = keyof Reads;
/** What a read answers. */
export type ReadAnswer<Name extends ReadName> = Awaited<ReturnType<Reads[Name]['read']>>;
/** What a read is asked. */
export type ReadQuery<Name extends ReadName> = Parameters<Reads[Name]['read']>[0];

/** The webhooks that are registered on the platform. */
function createRegistrationReads({ deployment }: Pick<ConsoleContext, 'deployment'>) {
  return {
    registrations: defineRead(z.object({}), async () => {
      const report = readRegisterReport(
        await deployment.invoke('Register', { mode: 'plan', takeOver: [], remove: [] }),
      );
      const pending = pendingLines(report);
      const changes = pending.filter(isChange).length;
      return {
        rows: report.plan.map(readPlanRow),
        rotation: report.rotation,
        isRotating: acceptsBoth(report),
        changes,
        decisions: pending.length - changes,
      };
    }),
  };
}

/** What reconciliation found. */
function createReconciliationReads({ deployment, deps, reports }: ConsoleContext) {
  return {
    /** The drift of the last day by the metrics, and the reports of the runs that this console has started, the latest first. */
    reconciliation: defineRead(z.object({}), async () => {
      const now = await readClock(deployment, deps);
      // A role that may not read metrics can compare nevertheless.
      const drift = await readDrift(deployment, now).catch(() => undefined);
      return { drift, reports: reports.toReversed() };
    }),
    /** The walks of repairs, those of the schedule too. Invokes Reconcile, which a reader may not. */
    lastWalks: defineRead(z.object({}), () => readLastWalks(deployment)),
  };
}

/** What operators did with the deployment. */
function createAuditReads({ deployment, deps }: Pick<ConsoleContext, 'deployment' | 'deps'>) {
  return {
    /** The actions of the last days, the latest first. Searches the logs, which costs on AWS. */
    actions: defineRead(z.object({ days }), async (query) => {
      const now = await readClock(deployment, deps);
      const from = new Date(now.getTime() - Number(query.days) * day).toISOString();
      const actions = await readActions(deployment, { from, limit: maxActions }, deps);
      return { actions, isAll: actions.length < maxActions };
    }),
  };
}
