import { stripTypeScriptTypes } from 'node:module';
import { type AnyNode, parse } from 'acorn';
import { full } from 'acorn-walk';

/** A regular expression in a source file. */
export type Expression = {
  /** File and line. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
};

export type ExpressionsInSource = {
  readonly literals: readonly Expression[];
  /** File and line of each place that can make an expression of a text: nothing can check that one. */
  readonly made: readonly string[];
};

/** The methods of String that make an expression of a text. */
const makers: ReadonlySet<string> = new Set(['match', 'matchAll', 'search']);

/** The regular expressions in TypeScript source text. Reads the syntax tree: a slash in a comment or a template is none. */
export function expressionsIn(file: string, code: string): ExpressionsInSource {
  const literals: Expression[] = [];
  const made: string[] = [];
  const tree = parse(stripTypeScriptTypes(code), { ecmaVersion: 'latest', sourceType: 'module', locations: true });
  full(tree, (node) => {
    const place = `${file}:${node.loc?.start.line}`;
    // The walker declares a node by its position alone.
    const any = node as AnyNode;
    if (any.type === 'Literal' && any.regex) {
      const { pattern, flags } = any.regex;
      literals.push({ place, source: pattern, flags });
    } else if (makesExpression(any)) made.push(place);
  });
  return { literals, made };
}

function makesExpression(node: AnyNode): boolean {
  if (node.type === 'Identifier') return node.name === 'RegExp';
  if (node.type === 'MemberExpression') return nameOf(node.property) === 'RegExp';
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const [argument] = node.arguments;
  const isLiteral = argument?.type === 'Literal' && argument.regex !== undefined && argument.regex !== null;
  return makers.has(nameOf(node.callee.property)) && !isLiteral;
}

function nameOf(property: AnyNode): string {
  if (property.type === 'Identifier') return property.name;
  return property.type === 'Literal' ? String(property.value) : '';
}
