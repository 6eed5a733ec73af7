import type { DeployRun } from './deploy-run.ts';
import type { Step } from './run-steps.ts';
import { disableKeys, refuseForeignEvents, replayFromArchive } from './steps/account/data.ts';
import { changeCompositeAlarms, exceedThrottle } from './steps/account/limits.ts';
import { loseNothingToLoopDetection } from './steps/account/loop-detection.ts';
import { lintTemplates, scanTemplates } from './steps/check-templates.ts';
import { fireTokenRefresh, register, storeCredentials } from './steps/connect.ts';
import { deliver, deliverUnauthenticated, seeWebhooksArrive } from './steps/deliver.ts';
import { bootstrap, deploy, failFirstDeployment, recover } from './steps/deploy.ts';
import { deleteWebhooks, destroyService, removeEverything } from './steps/destroy.ts';
import { drain } from './steps/drain.ts';
import { escalate } from './steps/escalate.ts';
import { checkIam, checkPermissions } from './steps/iam.ts';
import { onboard } from './steps/onboard.ts';
import { reconcile } from './steps/reconcile.ts';
import { restore } from './steps/restore.ts';
import { rotate } from './steps/rotate.ts';
import { runCommands } from './steps/run-commands.ts';
import { synthesize } from './steps/synthesize.ts';
import { fireTestAlarm } from './steps/test-alarm.ts';
import { deployLastRelease, rollBack, upgrade } from './steps/upgrade.ts';

/** Where the functions reach the platform: without it no token comes, and no webhook is registered. */
const needsPlatform = ({ target }: DeployRun) =>
  target.platformUrl === undefined ? 'not run: needs --platform-url' : undefined;

const onAccount =
  (lack: string) =>
  ({ target }: DeployRun): string | undefined =>
    target.isEmulator ? `not supported here: the emulator ${lack}` : undefined;

const both =
  (...conditions: readonly ((deployment: DeployRun) => string | undefined)[]) =>
  (deployment: DeployRun): string | undefined =>
    conditions.map((condition) => condition(deployment)).find((reason) => reason !== undefined);

/** Deploys, operates and checks. Each other step needs these. */
const first: readonly Step<DeployRun>[] = [
  { name: 'synthesize the stacks', run: synthesize },
  { name: 'lint the templates', run: lintTemplates, isIndependent: true },
  { name: 'scan the templates', run: scanTemplates, isIndependent: true },
  { name: 'bootstrap the account', run: bootstrap },
  { name: 'fail the first deployment', run: failFirstDeployment },
  { name: 'recover from the failed deployment', run: recover },
  { name: 'deploy the stacks', run: deploy },
  { name: 'fire a test alarm', run: fireTestAlarm },
  { name: 'store the platform credentials', run: storeCredentials },
  { name: 'fire the schedule of the token refresher', run: fireTokenRefresh, whyNot: needsPlatform },
  { name: 'register the webhooks', run: register, whyNot: needsPlatform },
  { name: 'refuse a delivery without the secret header', run: deliverUnauthenticated },
  { name: 'deliver webhooks', run: deliver, whyNot: needsPlatform },
  { name: 'see the webhooks arrive', run: seeWebhooksArrive, whyNot: needsPlatform },
  { name: 'onboard a person', run: onboard, whyNot: needsPlatform },
  { name: 'drain after an outage', run: drain, whyNot: needsPlatform },
  { name: 'reconcile after lost webhooks', run: reconcile, whyNot: needsPlatform },
  { name: 'restore lost rows', run: restore, whyNot: needsPlatform },
  { name: 'run the commands', run: runCommands, whyNot: needsPlatform },
  { name: 'rotate the header secret', run: rotate, whyNot: needsPlatform },
  { name: 'enforce IAM', run: checkIam },
  { name: 'try to become an administrator', run: escalate },
  { name: 'find no refused call', run: checkPermissions },
];

/** What only an account has. */
const ofAccount: readonly Step<DeployRun>[] = [
  { name: 'change composite alarms', run: changeCompositeAlarms, whyNot: onAccount('has no composite alarms') },
  { name: 'exceed a throttle', run: exceedThrottle, whyNot: onAccount('throttles no route') },
  {
    name: 'refuse events of others on the bus',
    run: refuseForeignEvents,
    whyNot: onAccount('applies no policy of a bus'),
  },
  {
    name: 'replay from the archive',
    run: replayFromArchive,
    whyNot: both(onAccount('deploys no archive'), needsPlatform),
  },
  {
    name: 'wait past the loop detection of Lambda',
    run: loseNothingToLoopDetection,
    whyNot: both(onAccount('detects no loops'), needsPlatform),
  },
  { name: 'disable the keys', run: disableKeys, whyNot: onAccount('encrypts nothing with the keys') },
];

const removal: readonly Step<DeployRun>[] = [
  { name: 'remove the service', run: destroyService },
  { name: 'delete the webhooks on the platform', run: deleteWebhooks, whyNot: needsPlatform },
  { name: 'deploy the service again', run: deploy },
  { name: 'remove everything', run: removeEverything },
];

const release: readonly Step<DeployRun>[] = [
  { name: 'deploy the last release', run: deployLastRelease },
  { name: 'upgrade from the last release', run: upgrade },
  { name: 'roll back the service', run: rollBack },
];

/** What `npm run verify:deploy` does, in order. */
export const steps: readonly Step<DeployRun>[] = [...first, ...removal, ...release];

/** What `npm run verify:deploy -- --aws` does, in order. */
export const accountSteps: readonly Step<DeployRun>[] = [
  ...first,
  ...ofAccount,
  ...removal,
  // CloudFormation may create no role there without a permissions boundary.
  ...release.map((step) => ({ ...step, whyNot: () => 'not run: the kept release has no setting permissionsBoundary' })),
];
