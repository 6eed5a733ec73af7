import { describe, expect, it } from 'vitest';
import { resolveIntrinsics } from '#sandbox/aws/stacks/intrinsics.ts';

const refs = new Map([
  ['AWS::Region', 'eu-central-1'],
  ['Queue', 'http://queue'],
]);
const attributes = new Map([['Queue.Arn', 'arn:aws:sqs:queue']]);
const exported = new Map([['data:Table', 'events']]);
const noValue = { Ref: 'AWS::NoValue' };

/** Writes ‹<Name>› as templates do: with a dollar sign and braces. */
const marked = (text: string) => text.replaceAll(/<(.+?)>/g, (_, name) => `$\{${name}}`);

const resolve = (part: unknown) =>
  resolveIntrinsics(part, {
    ref: (name) => refs.get(name),
    attribute: (logicalId, attribute) => attributes.get(`${logicalId}.${attribute}`),
    exported: (name) => exported.get(name),
  });

// The stacks of the project have Ref, Fn::GetAtt, Fn::Join and Fn::ImportValue: the tests on the hosted stacks resolve them.
describe('sandbox aws: intrinsic functions', () => {
  it.each([
    [
      'a part without a function',
      { Text: marked('<Queue>'), List: ['a', null] },
      { Text: marked('<Queue>'), List: ['a', null] },
    ],
    ['a property with the name of a function beside another', { Ref: 'Queue', Other: 1 }, { Ref: 'Queue', Other: 1 }],
    ['Fn::Join without a value', { 'Fn::Join': ['-', ['a', noValue, 'b']] }, 'a-b'],
    [
      'Fn::Sub',
      { 'Fn::Sub': marked('<Queue> in <AWS::Region> is <Queue.Arn>') },
      'http://queue in eu-central-1 is arn:aws:sqs:queue',
    ],
    [
      'Fn::Sub with variables of its own',
      {
        'Fn::Sub': [
          marked('<Queue> <Table> <AWS::Region>'),
          { Queue: 'mine', Table: { 'Fn::ImportValue': 'data:Table' } },
        ],
      },
      'mine events eu-central-1',
    ],
    [
      'Fn::Sub with a literal',
      { 'Fn::Sub': marked('<!Literal> of <AWS::Region>') },
      marked('<Literal> of eu-central-1'),
    ],
    [
      'Fn::Select of Fn::Split',
      { 'Fn::Select': ['2', { 'Fn::Split': [':', { 'Fn::GetAtt': ['Queue', 'Arn'] }] }] },
      'sqs',
    ],
    ['AWS::NoValue in an object', { Kept: 1, Gone: noValue }, { Kept: 1 }],
    ['AWS::NoValue in a list', ['a', noValue, 'b'], ['a', 'b']],
    ['only AWS::NoValue', noValue, undefined],
  ])('resolves %s', (_, part, expected) => {
    expect(resolve(part)).toEqual(expected);
  });
});
