import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { deployedEnvironment, deployedStack } from '#test/infra/deployed-stack.ts';
import { dashboardWidgets } from '#test/infra/monitoring/dashboard-body.ts';
import { drawDashboard } from '#test/infra/monitoring/draw-dashboard.ts';
import { writeDashboard } from './write-dashboard.ts';

describe('docs/reference/dashboard.md', () => {
  const fileOf = (name: string) => join(repositoryRoot, 'docs/reference', name);

  it('is what the stack deploys: run npx vitest run test/infra/reference -u', async () => {
    await expect(writeDashboard(dashboardWidgets())).toMatchFileSnapshot(fileOf('dashboard.md'));
  });

  it('has a drawing of what the stack deploys: run npx vitest run test/infra/reference -u', async () => {
    const { Resources } = deployedStack('service');
    const nameOf = (id: string) =>
      String(Resources[id]?.Properties?.['AlarmName']).replace(deployedEnvironment(), 'production');
    await expect(drawDashboard(dashboardWidgets(), nameOf)).toMatchFileSnapshot(fileOf('dashboard.svg'));
  });
});
