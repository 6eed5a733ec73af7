import { join } from 'node:path';
import { repositoryRoot } from '#infra/bundles/bundle.ts';

/** The folder of this repository with a file for each environment. */
export const settingsDirectory = join(repositoryRoot, 'settings');
