import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { breakTemplate } from '#tools/deploy/assembly/break-template.ts';
import { asDeployable, findLatestRelease } from '#tools/deploy/assembly/release-templates.ts';

const functionWith = (key: string) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Code: { S3Key: key }, Description: `of ${key}` },
});
const bus = { Type: 'AWS::Events::EventBus', Properties: { Name: 'drawbridge-sandbox' } };

describe('findLatestRelease', () => {
  function repository(versions: readonly string[]): string {
    const root = mkdtempSync(join(tmpdir(), 'drawbridge-releases-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const version of versions) mkdirSync(join(root, 'tools/releases', version), { recursive: true });
    return root;
  }

  it('finds none without a folder of a release', () => {
    expect(findLatestRelease(repository([]))).toBeUndefined();
  });

  it('compares versions by their numbers', () => {
    const root = repository(['0.9.0', '0.10.0', '0.2.0']);
    expect(findLatestRelease(root)).toEqual({
      version: '0.10.0',
      folder: join(root, 'tools/releases/0.10.0'),
    });
  });
});

describe('asDeployable', () => {
  it('gives a template of a release the names of the environment and the code of today', () => {
    const release = {
      Resources: {
        Store: functionWith('store-then'),
        Gone: functionWith('gone-then'),
        Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'drawbridge-release' } },
      },
    };
    const today = { Resources: { Bus: bus, Store: functionWith('store-now'), Query: functionWith('query-now') } };
    expect(asDeployable(JSON.stringify(release), 'sandbox', today)).toMatchObject({
      Resources: {
        Store: { Properties: { Code: { S3Key: 'store-now' }, Description: 'of store-then' } },
        Gone: { Properties: { Code: { S3Key: 'store-now' } } },
        Bus: bus,
      },
    });
  });
});

describe('breakTemplate', () => {
  it('adds a bus with the name of the first that is created after all other resources', () => {
    expect(breakTemplate({ Resources: { Bus: bus, Store: functionWith('store') } }).Resources).toMatchObject({
      SecondBus: { Properties: { Name: 'drawbridge-sandbox' }, DependsOn: ['Bus', 'Store'] },
    });
  });
});
