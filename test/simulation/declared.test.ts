import { describe, expect, inject, it } from 'vitest';
import { readBlueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { batchSizes, functionTimeouts, simulatedQueues, simulatedTables } from './declared.ts';

const place = { account: '000000000000', region: 'eu-central-1', awsOrigin: 'http://aws', apiOrigin: 'http://api' };
const blueprint = readBlueprint(readCloudAssembly(inject('assembly')), place);

describe('the declaration of the simulation', () => {
  it.each(Object.entries(simulatedQueues))('has the properties of the deployed queue %s', (name, simulated) => {
    const declared = blueprint.queues.find((queue) => queue.name === name)?.properties;
    expect(declared).toBeDefined();
    const redrive = 'redrive' in simulated ? simulated.redrive.maxReceiveCount : undefined;
    expect(declared?.RedrivePolicy?.maxReceiveCount).toBe(redrive);
    expect(declared?.VisibilityTimeout ?? 30).toBe(simulated.visibilityTimeout);
    expect(declared?.FifoQueue ?? false).toBe('isFifo' in simulated);
  });

  it.each(Object.entries(simulatedTables))('has the keys and indexes of the deployed table %s', (name, simulated) => {
    const declared = blueprint.tables.find((table) => table.name === name)?.properties;
    const keys = [simulated.partition, ...('sort' in simulated ? [simulated.sort] : [])];
    expect(declared?.KeySchema.map(({ AttributeName }) => AttributeName)).toEqual(keys);
    const indexes = 'indexes' in simulated ? simulated.indexes : [];
    const held = (declared?.GlobalSecondaryIndexes ?? []).map(({ IndexName, Projection }) => ({
      index: IndexName,
      includes: Projection?.NonKeyAttributes ?? [],
    }));
    expect(held).toEqual(indexes.map(({ index, includes }) => ({ index, includes })));
  });

  it.each(Object.entries(functionTimeouts))('has the timeout of the deployed function %s', (name, timeout) => {
    const deployed = blueprint.functions.find((one) => one.name === name);
    expect(deployed?.properties.Timeout).toBe(timeout);
  });

  it.each(Object.entries(batchSizes))('has the batch size of the deployed function %s', (name, size) => {
    const lambda = blueprint.functions.find((one) => one.name === name);
    const mapping = blueprint.eventSourceMappings.find(({ properties }) => properties.FunctionName === lambda?.ref);
    expect(mapping?.properties.BatchSize).toBe(size);
  });
});
