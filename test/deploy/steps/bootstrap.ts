import { join } from 'node:path';
import type { Deployment } from '#test/deploy/deployment.ts';

/** `cdk bootstrap`, once per account and region. */
export async function bootstrap({ cdk, emulator, directory, environment }: Deployment): Promise<string> {
  const place = `aws://${emulator.account}/${emulator.region}`;
  await cdk.bootstrap(place, join(directory, 'bootstrap.out'), environment);
  return place;
}
