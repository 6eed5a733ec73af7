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

describe('sandbox aws: a part of a template without intrinsic functions', () => {
  it('stays unchanged in the result', () => {
    const part = { Text: marked('<Queue>'), Number: 1, Yes: true, None: null, List: ['a', { b: [] }] };
    expect(resolve(part)).toEqual(part);
  });

  it('stays unchanged when one of several properties has the name of a function', () => {
    expect(resolve({ Ref: 'Queue', Other: 1 })).toEqual({ Ref: 'Queue', Other: 1 });
  });
});

describe('sandbox aws: Ref', () => {
  it('resolves to a resource or a pseudo parameter', () => {
    expect(resolve({ Url: { Ref: 'Queue' }, Region: { Ref: 'AWS::Region' } })).toEqual({
      Url: 'http://queue',
      Region: 'eu-central-1',
    });
  });
});

describe('sandbox aws: Fn::GetAtt', () => {
  it('resolves to an attribute of a resource', () => {
    expect(resolve({ 'Fn::GetAtt': ['Queue', 'Arn'] })).toBe('arn:aws:sqs:queue');
  });
});

describe('sandbox aws: Fn::Join', () => {
  it('joins parts, which may be functions', () => {
    expect(resolve({ 'Fn::Join': [':', ['a', { Ref: 'AWS::Region' }, { 'Fn::GetAtt': ['Queue', 'Arn'] }]] })).toBe(
      'a:eu-central-1:arn:aws:sqs:queue',
    );
  });

  it('omits parts that are AWS::NoValue', () => {
    expect(resolve({ 'Fn::Join': ['-', ['a', { Ref: 'AWS::NoValue' }, 'b']] })).toBe('a-b');
  });
});

describe('sandbox aws: Fn::Sub', () => {
  it('inserts references and attributes', () => {
    expect(resolve({ 'Fn::Sub': marked('<Queue> in <AWS::Region> is <Queue.Arn>') })).toBe(
      'http://queue in eu-central-1 is arn:aws:sqs:queue',
    );
  });

  it('prefers its own variables', () => {
    const variables = { Queue: 'mine', Table: { 'Fn::ImportValue': 'data:Table' } };
    expect(resolve({ 'Fn::Sub': [marked('<Queue> <Table> <AWS::Region>'), variables] })).toBe(
      'mine events eu-central-1',
    );
  });

  it('keeps text with an exclamation mark, without the mark', () => {
    expect(resolve({ 'Fn::Sub': marked('<!Literal> of <AWS::Region>') })).toBe(marked('<Literal> of eu-central-1'));
  });
});

describe('sandbox aws: Fn::Select and Fn::Split', () => {
  it('pick a part of a text', () => {
    expect(resolve({ 'Fn::Select': ['2', { 'Fn::Split': [':', { 'Fn::GetAtt': ['Queue', 'Arn'] }] }] })).toBe('sqs');
  });

  it('reject a part that does not exist', () => {
    expect(() => resolve({ 'Fn::Select': [3, ['a']] })).toThrow(HostingError);
  });
});

describe('sandbox aws: Fn::ImportValue', () => {
  it('resolves to the export of another stack, by a name that may be a function', () => {
    expect(resolve({ 'Fn::ImportValue': { 'Fn::Join': [':', ['data', 'Table']] } })).toBe('events');
  });
});

describe('sandbox aws: AWS::NoValue', () => {
  const noValue = { Ref: 'AWS::NoValue' };

  it('removes the property of an object', () => {
    expect(resolve({ Kept: 1, Gone: noValue })).toEqual({ Kept: 1 });
  });

  it('removes the list item', () => {
    expect(resolve(['a', noValue, 'b'])).toEqual(['a', 'b']);
  });

  it('is undefined on its own', () => {
    expect(resolve(noValue)).toBeUndefined();
  });
});

describe('sandbox aws: a reference to an unknown resource', () => {
  it.each([
    [{ Ref: 'Missing' }, 'Ref of "Missing"'],
    [{ 'Fn::GetAtt': ['Queue', 'Colour'] }, 'Fn::GetAtt of ["Queue","Colour"]'],
    [{ 'Fn::ImportValue': 'data:Nothing' }, 'Fn::ImportValue of "data:Nothing"'],
    [{ 'Fn::Sub': marked('to <Missing>') }, marked('Fn::Sub of "<Missing>"')],
    [{ 'Fn::Sub': marked('to <Queue.Colour>') }, marked('Fn::Sub of "<Queue.Colour>"')],
  ])('is rejected by its name: %j', (part, named) => {
    expect(() => resolve(part)).toThrow(HostingError);
    expect(() => resolve(part)).toThrow(named);
  });
});

describe('sandbox aws: an unsupported intrinsic function', () => {
  it.each(['Fn::If', 'Fn::FindInMap', 'Fn::Base64', 'Fn::GetAZs', 'Fn::Cidr', 'Condition'])(
    'is rejected by its name: %s',
    (name) => {
      expect(() => resolve({ Property: { [name]: [] } })).toThrow(HostingError);
      expect(() => resolve({ Property: { [name]: [] } })).toThrow(name);
    },
  );
});

describe('sandbox aws: an intrinsic function with invalid arguments', () => {
  it.each([
    { 'Fn::Join': 'a' },
    { 'Fn::GetAtt': 'Queue' },
    { 'Fn::Split': [1] },
    { 'Fn::Select': ['x', []] },
    { Ref: 1 },
  ])('is rejected with an error: %j', (part) => {
    expect(() => resolve(part)).toThrow(HostingError);
  });
});
