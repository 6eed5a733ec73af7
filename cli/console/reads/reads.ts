import * as z from 'zod';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { drawArchitecture } from '#cli/console/diagrams/draw-architecture.ts';
import type { OverviewSampler } from '#cli/console/live/overview-sampler.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { readLastHour } from '#cli/status/read-last-hour.ts';
import { version } from '#shared/version.ts';
import { createAlarmReads } from './alarm-reads.ts';
import { createAuditReads } from './audit-reads.ts';
import { createCostReads } from './cost-reads.ts';
import { defineRead, shareRead } from './define-read.ts';
import { createEntityReads } from './entity-reads.ts';
import { createEventReads } from './event-reads.ts';
import { createOnboardingReads } from './onboarding-reads.ts';
import { createQuarantineReads } from './quarantine-reads.ts';
import { createReconciliationReads } from './reconciliation-reads.ts';
import { createRegistrationReads } from './registration-reads.ts';
import { createSandboxReads } from './sandbox-reads.ts';
import { createSearchRead } from './search-read.ts';

/** What every page needs to know. */
function sessionOf({ deployment, isOperator }: ConsoleContext) {
  const { environment, region, isLaptop, outputs } = deployment;
  return { environment, region, isLaptop, isOperator, version: outputs.get('Version'), consoleVersion: version };
}

const direction = z.object({ direction: z.enum(['LR', 'TB']) });

/** In milliseconds: how long windows share one answer. Each request costs a cent for every thousand metrics on AWS. */
const keepLastHour = { laptop: 1_000, aws: 30_000 };

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
    search: createSearchRead(context),
    ...createAlarmReads(context),
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
