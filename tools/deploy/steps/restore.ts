import { join } from 'node:path';
import * as z from 'zod';
import { type DeployRun, findResource, until, untilActive } from '#tools/deploy/deploy-run.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { runCommand } from '#tools/deploy/tools/command.ts';

const continuous = z.object({
  ContinuousBackupsDescription: z.object({
    PointInTimeRecoveryDescription: z.object({ LatestRestorableDateTime: z.coerce.date().optional() }),
  }),
});
const counted = z.object({ Count: z.number() });
const scanned = z.object({ Items: z.tuple([z.object({ entity: z.unknown(), item: z.unknown() })]) });

/** docs/how-to/recover.md, "Restore missing rows": restores the entities into a new table, and copies back a row that is lost meanwhile. */
export async function restore(deployment: DeployRun): Promise<string> {
  const { aws, root, env } = deployment;
  const table = await findResource(deployment, 'data', 'AWS::DynamoDB::Table', 'Entities');
  const restored = `${table}-restored`;
  const dynamodb = (command: string, ...options: readonly string[]) => aws.run('dynamodb', command, ...options);
  const count = async () =>
    (await aws.read(counted, 'dynamodb', 'scan', '--table-name', table, '--select', 'COUNT')).Count;
  const rows = await count();
  if (!deployment.target.isEmulator) await untilRestorable(deployment, table);
  const begin = performance.now();
  await dynamodb(
    'restore-table-to-point-in-time',
    ...['--source-table-name', table, '--target-table-name', restored, '--use-latest-restorable-time'],
    ...['--global-secondary-index-override', '[]'],
  );
  await untilActive(deployment, restored);
  const isRestored = performance.now();
  const {
    Items: [key],
  } = await aws.read(
    scanned,
    'dynamodb',
    'scan',
    '--table-name',
    table,
    ...['--max-items', '1', '--projection-expression', '#entity, #item'],
    '--expression-attribute-names',
    JSON.stringify({ '#entity': 'entity', '#item': 'item' }),
  );
  await dynamodb('delete-item', '--table-name', table, '--key', JSON.stringify(key));
  const copying = performance.now();
  const copy = [join(root, 'cli/main.ts'), 'copy-rows', '--from', restored, '--to', table, '--yes'];
  const printed = await runCommand(process.execPath, copy, { cwd: root, env });
  const end = performance.now();
  await dynamodb('delete-table', '--table-name', restored);
  if (!printed.includes('1 rows copied') || (await count()) !== rows)
    throw new DeploymentError(`The lost row did not come back:\n${printed}`);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return `${rows} rows restored in ${seconds(isRestored - begin)}, the missing one copied in ${seconds(end - copying)}`;
}

/** In milliseconds: DynamoDB can restore what is about 5 minutes old. */
const restorableDeadline = 900_000;

/** Waits until the rows of now can be restored. */
function untilRestorable({ aws }: DeployRun, table: string): Promise<boolean> {
  const now = Date.now();
  return until(
    'The rows can be restored',
    async () => {
      const described = await aws.read(continuous, 'dynamodb', 'describe-continuous-backups', '--table-name', table);
      const { LatestRestorableDateTime: latest } =
        described.ContinuousBackupsDescription.PointInTimeRecoveryDescription;
      return latest !== undefined && latest.getTime() > now;
    },
    restorableDeadline,
  );
}
