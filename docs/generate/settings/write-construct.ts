import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generated } from '#docs/generate/generated.ts';
import { repositoryRoot } from '#infra/bundles/bundle.ts';

type Member = { readonly name: string; readonly type: string; readonly isOptional: boolean; readonly meaning: string };

/** `docs/reference/construct.md`, from the types and docstrings of the construct. */
export function writeConstruct(): string {
  const source = readFileSync(join(repositoryRoot, 'infra/drawbridge.ts'), 'utf8');
  const construct = blockOf(source, 'export class Drawbridge extends Construct {');
  const typeOf = (name: string) => membersOf(blockOf(source, `export type ${name} = {`));
  return `${generated}
# The construct

*For engineers who write a CDK app with Drawbridge.* [Deploy from your own CDK app](../how-to/use-the-construct.md) shows the construct in use.

## Properties

${writeMembers(typeOf('DrawbridgeProps'))}

[Settings](settings.md) has each setting of \`settings\`. A setting that names what is deployed, such as a subnet or a certificate, takes a token too.

### network

${writeMembers(typeOf('DrawbridgeNetwork'))}

### webhookDomain

${writeMembers(typeOf('DrawbridgeWebhookDomain'))}

## Attributes

${writeMembers(membersOf(construct))}

## Methods

${methodsOf(construct)
  .map(([signature, meaning]) => writeItem(signature, meaning))
  .join('\n')}

\`Tags.of(drawbridge)\`, \`PermissionsBoundary.of(drawbridge)\` and \`Aspects.of(drawbridge)\` reach both stacks.
`;
}

/** The text between a line and the brace that closes it. */
function blockOf(source: string, start: string): string {
  const begin = source.indexOf(start);
  if (begin < 0) throw new Error(`infra/drawbridge.ts has no "${start}".`);
  return source.slice(begin + start.length, source.indexOf('\n}', begin));
}

function membersOf(block: string): readonly Member[] {
  const members = block.matchAll(/\n {2}\/\*\*((?:[^*]|\*(?!\/))*)\*\/\n {2}readonly (\w+)(\??): ([^;]+);/g);
  return [...members].map(([, comment = '', name = '', mark, type = '']) => ({
    name,
    type,
    isOptional: mark === '?',
    meaning: textOf(comment),
  }));
}

function methodsOf(block: string): readonly (readonly [signature: string, meaning: string])[] {
  const methods = block.matchAll(/\n {2}\/\*\*((?:[^*]|\*(?!\/))*)\*\/\n {2}(\w+\([^)]*\)): \w+ \{/g);
  return [...methods].map(([, comment = '', signature = '']) => [signature, textOf(comment)]);
}

function textOf(comment: string): string {
  const lines = comment.split('\n').map((line) => line.trim().replace(/^\*/, '').trim());
  return lines.filter((line) => line !== '' && !line.startsWith('@throws')).join(' ');
}

function writeMembers(members: readonly Member[]): string {
  return members
    .map(({ name, type, isOptional, meaning }) => writeItem(`${name}${isOptional ? '?' : ''}: ${type}`, meaning))
    .join('\n');
}

const writeItem = (declaration: string, meaning: string) => `- \`${declaration}\`: ${meaning}`;
