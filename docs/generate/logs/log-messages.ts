import { stripTypeScriptTypes } from 'node:module';
import { type AnyNode, type CallExpression, parse } from 'acorn';
import { simple } from 'acorn-walk';

/** A line that a function can log. */
export type LogMessage = {
  readonly message: string;
  readonly level: string;
  readonly fields: readonly string[];
  /** From the root of the repository. */
  readonly file: string;
};

/** Each call of `log.info`, `log.warn` or `log.error` in TypeScript source text, in its order. */
export function logMessagesIn(file: string, code: string): readonly LogMessage[] {
  const found: LogMessage[] = [];
  simple(parse(stripTypeScriptTypes(code), { ecmaVersion: 'latest', sourceType: 'module' }), {
    CallExpression: (call) => {
      const level = levelOf(call);
      if (level === undefined) return;
      const [message, fields] = call.arguments;
      found.push({ message: textOf(message), level, fields: namesIn(fields), file });
    },
  });
  return found;
}

function levelOf({ callee }: CallExpression): string | undefined {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined;
  const isLog = callee.object.type === 'Identifier' && callee.object.name === 'log';
  return isLog && /^(info|warn|error)$/.test(callee.property.name) ? callee.property.name : undefined;
}

/** The text of a message, with the name of what a template fills in. */
function textOf(node: AnyNode | undefined): string {
  if (node?.type === 'Literal') return String(node.value);
  if (node?.type !== 'TemplateLiteral') throw new Error('Log a literal text, so that a runbook can quote it.');
  return node.quasis
    .map(({ value }, index) => {
      const filled = node.expressions[index];
      return `${value.cooked}${filled?.type === 'Identifier' ? `{${filled.name}}` : ''}`;
    })
    .join('');
}

/** The names of the fields, those of a conditional spread included. */
function namesIn(node: AnyNode | undefined): readonly string[] {
  if (node === undefined) return [];
  const names: string[] = [];
  simple(node, {
    ObjectExpression: ({ properties }) => {
      for (const property of properties)
        if (property.type === 'Property' && property.key.type === 'Identifier') names.push(property.key.name);
    },
  });
  return [...new Set(names)].toSorted();
}
