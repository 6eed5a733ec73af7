import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Drawbridge } from '#infra/drawbridge.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import type { SynthesizedEnvironment } from './describe-cost.ts';

/**
 * Synthesizes the stacks of an environment, without bundles and without cdk-nag: neither changes what costs.
 *
 * @param name of the file with its settings
 * @throws {SettingsError} when there is no such file, or it has a wrong setting
 */
export function synthesizeTemplates(name: string): SynthesizedEnvironment {
  const settings = checkSettings(name, readSettingsFile(settingsDirectory, name));
  const outdir = mkdtempSync(join(tmpdir(), 'drawbridge-cost-'));
  // The calculation knows functions and schedules by the names of their constructs.
  const context = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true };
  try {
    const app = new App({ analyticsReporting: false, outdir, context });
    new Drawbridge(app, 'Drawbridge', { environmentName: name, settings });
    const templates = app.synth().stacks.map(({ template }): unknown => template);
    const lists = { events: settings.listEvents, entities: settings.listEntities };
    return { name, templates, eventRetentionDays: settings.eventRetentionDays, lists };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
