import { describe, expect, it } from 'vitest';
import { comparedCost, costOfServices, designs, judgeCost, partsAboveFloor } from '#infra/cost/compared-cost.ts';
import { billedDuration } from '#infra/cost/lambda-duration.ts';
import { readMeasuredUsage } from '#infra/cost/measured-usage.ts';
import { readDeployment } from '#infra/cost/read-deployment.ts';
import { synthesizeTemplates } from '#infra/cost/synthesize-templates.ts';

const deployment = readDeployment(synthesizeTemplates('example').templates);
const props = { deployment, measured: readMeasuredUsage(), region: 'eu-central-1', webhooksPerBatch: 1 } as const;

const lineOf = (design: (typeof designs)[number], price: string) =>
  comparedCost(design, props).lines.find((line) => line.price === price);

describe('the duration of an invocation', () => {
  it('takes twice as long on half a processor', () => {
    expect(billedDuration({ cpuMs: 2 }, 884.5, {})).toBe(4);
  });

  it('takes no less above a whole processor', () => {
    expect(billedDuration({ cpuMs: 2 }, 3_000, {})).toBe(2);
  });

  it('waits for requests however much memory there is', () => {
    expect(billedDuration({ cpuMs: 2 }, 3_000, { SendMessage: 1, UpdateItem: 2 })).toBe(22);
  });
});

describe('the compared cost of a million webhooks', () => {
  it('counts one request of API Gateway, three of SQS and one event of the bus for each design', () => {
    for (const design of designs) {
      expect(lineOf(design, 'httpRequest')?.quantity).toBe(1_000_000);
      expect(lineOf(design, 'queueRequest')?.quantity).toBe(3_000_000);
      expect(lineOf(design, 'busEvent')?.quantity).toBe(1_000_000);
    }
  });

  it('has the writes of `store`, half of those of the reference, and no logs for the floor', () => {
    expect(designs.map((design) => lineOf(design, 'writeUnit')?.quantity)).toEqual([2_000_000, 4_000_000, 2_000_000]);
    expect(lineOf('API Gateway → SQS → function', 'loggedGigabyte')?.quantity).toBe(0);
  });

  it.each([1, 10] as const)('has a part for each cent above the floor, in batches of %d', (webhooksPerBatch) => {
    const [own, , floor] = designs.map((design) => comparedCost(design, { ...props, webhooksPerBatch }).usd);
    const above = partsAboveFloor({ ...props, webhooksPerBatch }).reduce((sum, { usd }) => sum + usd, 0);
    expect(above).toBeCloseTo((own ?? 0) - (floor ?? 0), 6);
  });

  it('pays more than half of the reference to services that no function replaces', () => {
    expect(costOfServices(props) / comparedCost('middy + Powertools', props).usd).toBeGreaterThan(0.5);
  });

  it('stays below 0.8 of the reference and 1.25 of the floor', () => {
    const [reference, floor] = judgeCost(props).map(({ ratio }) => ratio);
    expect(reference).toBeLessThan(0.8);
    expect(floor).toBeLessThan(1.25);
  });
});
