import { describe, expect, it } from 'vitest';
import { HostingError } from '#sandbox/aws/stacks/hosting-error.ts';
import { resolveIntrinsics } from '#sandbox/aws/stacks/intrinsics.ts';

const refs = new Map([
  ['AWS::Region', 'eu-central-1'],
  ['Queue', 'http://queue'],
]);
const attributes = new Map([['Queue.Arn', 'arn:aws:sqs:queue']]);
const exported = new Map([['data:Table', 'events']]);

/** Writes ‹<Name>› as templates do: with a dollar sign and braces. */
const marked = (text: string) => text.replaceAll(/<(.+?)>/g, (_, name) => `$\{${name}}`);

const resolve = (part: unknown) =>
  resolveIntrinsics(part, {
    ref: (name) => refs.get(name),
    attribute: (logicalId, attribute) => attributes.get(`${logicalId}.${attribute}`),
    exported: (name) => exported.get(name),
  });

describe('a part of a template without intrinsic functions', () => {
  it('stays as it is', () => {
    const part = { Text: marked('<Queue>'), Number: 1, Yes: true, None: null, List: ['a', { b: [] }] };
    expect(resolve(part)).toEqual(part);
  });

  it('stays as it is when a property is only called like one among others', () => {
    expect(resolve({ Ref: 'Queue', Other: 1 })).toEqual({ Ref: 'Queue', Other: 1 });
  });
});

describe('Ref', () => {
  it('gives a resource, or a pseudo parameter', () => {
    expect(resolve({ Url: { Ref: 'Queue' }, Region: { Ref: 'AWS::Region' } })).toEqual({
      Url: 'http://queue',
      Region: 'eu-central-1',
    });
  });
});

describe('Fn::GetAtt', () => {
  it('gives an attribute of a resource', () => {
    expect(resolve({ 'Fn::GetAtt': ['Queue', 'Arn'] })).toBe('arn:aws:sqs:queue');
  });
});

describe('Fn::Join', () => {
  it('joins parts, which may be functions themselves', () => {
    expect(resolve({ 'Fn::Join': [':', ['a', { Ref: 'AWS::Region' }, { 'Fn::GetAtt': ['Queue', 'Arn'] }]] })).toBe(
      'a:eu-central-1:arn:aws:sqs:queue',
    );
  });

  it('leaves out what is no value', () => {
    expect(resolve({ 'Fn::Join': ['-', ['a', { Ref: 'AWS::NoValue' }, 'b']] })).toBe('a-b');
  });
});

describe('Fn::Sub', () => {
  it('puts in references and attributes', () => {
    expect(resolve({ 'Fn::Sub': marked('<Queue> in <AWS::Region> is <Queue.Arn>') })).toBe(
      'http://queue in eu-central-1 is arn:aws:sqs:queue',
    );
  });

  it('puts in variables of its own before anything else', () => {
    const variables = { Queue: 'mine', Table: { 'Fn::ImportValue': 'data:Table' } };
    expect(resolve({ 'Fn::Sub': [marked('<Queue> <Table> <AWS::Region>'), variables] })).toBe(
      'mine events eu-central-1',
    );
  });

  it('leaves what is written with an exclamation mark, without the mark', () => {
    expect(resolve({ 'Fn::Sub': marked('<!Literal> of <AWS::Region>') })).toBe(marked('<Literal> of eu-central-1'));
  });
});

describe('Fn::Select and Fn::Split', () => {
  it('take a part out of a text', () => {
    expect(resolve({ 'Fn::Select': ['2', { 'Fn::Split': [':', { 'Fn::GetAtt': ['Queue', 'Arn'] }] }] })).toBe('sqs');
  });

  it('stop the sandbox when there is no such part', () => {
    expect(() => resolve({ 'Fn::Select': [3, ['a']] })).toThrow(HostingError);
  });
});

describe('Fn::ImportValue', () => {
  it('gives what another stack exports, by a name that may be a function itself', () => {
    expect(resolve({ 'Fn::ImportValue': { 'Fn::Join': [':', ['data', 'Table']] } })).toBe('events');
  });
});

describe('AWS::NoValue', () => {
  const noValue = { Ref: 'AWS::NoValue' };

  it('takes the property away', () => {
    expect(resolve({ Kept: 1, Gone: noValue })).toEqual({ Kept: 1 });
  });

  it('takes the item away', () => {
    expect(resolve(['a', noValue, 'b'])).toEqual(['a', 'b']);
  });

  it('is undefined on its own', () => {
    expect(resolve(noValue)).toBeUndefined();
  });
});

describe('a reference to what there is not', () => {
  it.each([
    [{ Ref: 'Nobody' }, 'Ref of "Nobody"'],
    [{ 'Fn::GetAtt': ['Queue', 'Colour'] }, 'Fn::GetAtt of ["Queue","Colour"]'],
    [{ 'Fn::ImportValue': 'data:Nothing' }, 'Fn::ImportValue of "data:Nothing"'],
    [{ 'Fn::Sub': marked('to <Nobody>') }, marked('Fn::Sub of "<Nobody>"')],
    [{ 'Fn::Sub': marked('to <Queue.Colour>') }, marked('Fn::Sub of "<Queue.Colour>"')],
  ])('stops the sandbox, and is named: %j', (part, named) => {
    expect(() => resolve(part)).toThrow(HostingError);
    expect(() => resolve(part)).toThrow(named);
  });
});

describe('an intrinsic function that the sandbox does not know', () => {
  it.each(['Fn::If', 'Fn::FindInMap', 'Fn::Base64', 'Fn::GetAZs', 'Fn::Cidr', 'Condition'])(
    'stops it, and is named: %s',
    (name) => {
      expect(() => resolve({ Property: { [name]: [] } })).toThrow(HostingError);
      expect(() => resolve({ Property: { [name]: [] } })).toThrow(name);
    },
  );
});

describe('an intrinsic function with arguments that it does not take', () => {
  it.each([
    { 'Fn::Join': 'a' },
    { 'Fn::GetAtt': 'Queue' },
    { 'Fn::Split': [1] },
    { 'Fn::Select': ['x', []] },
    { Ref: 1 },
  ])('stops the sandbox: %j', (part) => {
    expect(() => resolve(part)).toThrow(HostingError);
  });
});
