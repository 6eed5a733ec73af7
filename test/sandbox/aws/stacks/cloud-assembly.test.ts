import { describe, expect, it } from 'vitest';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { writeAssembly } from './written-assembly.ts';

const queue = { Type: 'AWS::SQS::Queue' };

function reading(template: Readonly<Record<string, unknown>>): () => unknown {
  const assembly = writeAssembly({ stack: { template } });
  return () => readCloudAssembly(assembly);
}

describe('sandbox aws: a stack of a cloud assembly', () => {
  it('follows the stacks that it depends on', () => {
    const template = { Resources: { Queue: queue } };
    const assembly = writeAssembly({
      service: { template, dependencies: ['data', 'service.assets'] },
      alarms: { template, dependencies: ['service'] },
      data: { template },
    });
    expect(readCloudAssembly(assembly).map(({ name }) => name)).toEqual(['data', 'service', 'alarms']);
  });
});

describe('sandbox aws: an unsupported section of a template', () => {
  it.each(['Conditions', 'Mappings', 'Transform', 'Hooks'])('is rejected by its name: %s', (section) => {
    const read = reading({ Resources: { Queue: queue }, [section]: {} });
    expect(read).toThrow(expect.objectContaining({ code: 'NOT_HOSTED' }));
    expect(read).toThrow(section);
    expect(read).toThrow('stack.template.json');
  });

  it('is rejected when it is a parameter other than that of the CDK bootstrap', () => {
    const parameters = { BootstrapVersion: { Type: 'String' }, Stage: { Type: 'String' } };
    expect(reading({ Resources: {}, Parameters: parameters })).toThrow(/Stage/);
  });
});
