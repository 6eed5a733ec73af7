import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { HostingError } from '#sandbox/aws/stacks/hosting-error.ts';
import { writeAssembly } from './written-assembly.ts';

const queue = { Type: 'AWS::SQS::Queue' };

function reading(template: Readonly<Record<string, unknown>>): () => unknown {
  const assembly = writeAssembly({ stack: { template } });
  return () => readCloudAssembly(assembly);
}

describe('the stacks of a cloud assembly', () => {
  it('come each after those that they depend on', () => {
    const template = { Resources: { Queue: queue } };
    const assembly = writeAssembly({
      service: { template, dependencies: ['data', 'service.assets'] },
      alarms: { template, dependencies: ['service'] },
      data: { template },
    });
    expect(readCloudAssembly(assembly).map(({ name }) => name)).toEqual(['data', 'service', 'alarms']);
  });

  it('know where the files of their assets are', () => {
    const assembly = writeAssembly({ stack: { template: { Resources: {} } } });
    const [stack] = readCloudAssembly(assembly);
    expect(stack?.assets).toEqual(new Map([['hash-of-stack', join(assembly, 'asset.stack')]]));
  });
});

describe('a section of a template that the sandbox does not know', () => {
  it.each(['Conditions', 'Mappings', 'Transform', 'Hooks'])('stops it, and is named: %s', (section) => {
    const read = reading({ Resources: { Queue: queue }, [section]: {} });
    expect(read).toThrow(HostingError);
    expect(read).toThrow(section);
    expect(read).toThrow('stack.template.json');
  });

  it('stops it when it is a parameter beyond the one of the CDK bootstrap', () => {
    const parameters = { BootstrapVersion: { Type: 'String' }, Stage: { Type: 'String' } };
    expect(reading({ Resources: {}, Parameters: parameters })).toThrow(/Stage/);
  });
});

describe('an attribute of a resource that the sandbox does not know', () => {
  it.each(['Condition', 'CreationPolicy', 'UpdatePolicy'])('stops it, and is named with the resource: %s', (name) => {
    const read = reading({ Resources: { Orders: { ...queue, [name]: 'IsProduction' } } });
    expect(read).toThrow(HostingError);
    expect(read).toThrow(name);
    expect(read).toThrow('Resources.Orders');
  });
});

describe('what has no meaning on a laptop', () => {
  it('is read over: the bootstrap of CDK, deletion policies, the order of creation', () => {
    const template = {
      Description: 'Queues',
      Resources: { Queue: { ...queue, DependsOn: ['Key'], DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' } },
      Parameters: { BootstrapVersion: { Type: 'String' } },
      Rules: { CheckBootstrapVersion: {} },
      Outputs: { Name: { Value: 'text', Description: 'of the queue' } },
    };
    expect(reading(template)).not.toThrow();
  });
});

describe('the stacks of the project', () => {
  it('are all read, and the data stack first', () => {
    const names = readCloudAssembly(inject('assembly')).map(({ name }) => name);
    expect(names.map((name) => name.split('-').at(-1))).toEqual(['data', 'service']);
  });
});
