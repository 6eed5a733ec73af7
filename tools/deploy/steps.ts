import type { Deployment } from './deployment.ts';
import type { Step } from './run-steps.ts';
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

/** What `npm run verify:deploy` does, in order. */
export const steps: readonly Step<Deployment>[] = [
  { name: 'synthesize the stacks', run: synthesize },
  { name: 'lint the templates', run: lintTemplates, isIndependent: true },
  { name: 'scan the templates', run: scanTemplates, isIndependent: true },
  { name: 'bootstrap the account', run: bootstrap },
  { name: 'fail the first deployment', run: failFirstDeployment },
  { name: 'recover from the failed deployment', run: recover },
  { name: 'deploy the stacks', run: deploy },
  { name: 'fire a test alarm', run: fireTestAlarm },
  { name: 'store the platform credentials', run: storeCredentials },
  { name: 'fire the schedule of the token refresher', run: fireTokenRefresh },
  { name: 'register the webhooks', run: register },
  { name: 'refuse a delivery without the secret header', run: deliverUnauthenticated },
  { name: 'deliver webhooks', run: deliver },
  { name: 'see the webhooks arrive', run: seeWebhooksArrive },
  { name: 'onboard a person', run: onboard },
  { name: 'drain after an outage', run: drain },
  { name: 'reconcile after lost webhooks', run: reconcile },
  { name: 'restore lost rows', run: restore },
  { name: 'run the commands', run: runCommands },
  { name: 'rotate the header secret', run: rotate },
  { name: 'enforce IAM', run: checkIam },
  { name: 'try to become an administrator', run: escalate },
  { name: 'find no refused call', run: checkPermissions },
  { name: 'remove the service', run: destroyService },
  { name: 'delete the webhooks on the platform', run: deleteWebhooks },
  { name: 'deploy the service again', run: deploy },
  { name: 'remove everything', run: removeEverything },
  { name: 'deploy the last release', run: deployLastRelease },
  { name: 'upgrade from the last release', run: upgrade },
  { name: 'roll back the service', run: rollBack },
];
