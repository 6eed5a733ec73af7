import jsTokens from 'js-tokens';
import MarkdownIt from 'markdown-it';

/** A text that people read: a comment, a message or a title of a test in code, or a paragraph of a page. */
export type Prose = {
  readonly kind: 'comment' | 'string' | 'title' | 'paragraph';
  readonly text: string;
  readonly line: number;
};

/** The comments of a file, its strings of more than one word, and the titles of its tests. */
export function readCode(code: string): readonly Prose[] {
  const found: Prose[] = [];
  const calls = createCalls();
  let line = 1;
  for (const { type, value } of jsTokens(code)) {
    const kind = kindOf(type);
    if (kind === 'comment') found.push({ kind, text: commentText(value), line });
    if (kind === 'string') {
      const text = value.replace(/^[`'"}]/, '').replace(/(?:\$\{|[`'"])$/, '');
      if (calls.isTitleNext()) found.push({ kind: type === 'TemplateHead' ? 'string' : 'title', text, line });
      else if (text.trim().includes(' ')) found.push({ kind, text, line });
    }
    if (kind !== 'comment' && value.trim() !== '') calls.add(value);
    line += value.split('\n').length - 1;
  }
  return found;
}

/** Follows the calls of `it(…)` and `it.each(…)(…)`: the first argument of the last call is a title. */
function createCalls() {
  const open: string[] = [];
  let before = '';
  let isTitleNext = false;
  return {
    isTitleNext: () => isTitleNext,
    add(value: string) {
      isTitleNext = value === '(' && (before === 'it' || before === 'it.each(…)');
      if (value === '(') open.push(before);
      const callee = value === ')' ? open.pop() : undefined;
      if (value === '.') before = before === 'it' ? 'it.' : '.';
      else if (before === 'it.' && value === 'each') before = 'it.each';
      else before = callee === 'it.each' ? 'it.each(…)' : value;
    },
  };
}

function kindOf(type: string): 'comment' | 'string' | undefined {
  if (type.endsWith('Comment')) return 'comment';
  return type === 'StringLiteral' || type.startsWith('Template') || type === 'NoSubstitutionTemplate'
    ? 'string'
    : undefined;
}

function commentText(comment: string): string {
  return comment.replaceAll(/^\/\*\*?|\*\/$|^\s*(?:\*|\/\/)\s?/gm, '').replaceAll(/\s+/g, ' ');
}

const markdown = new MarkdownIt({ html: true });

/** The paragraphs of a page, without code. */
export function readPage(page: string): readonly Prose[] {
  return markdown.parse(page, {}).flatMap(({ type, children, map }): readonly Prose[] => {
    if (type !== 'inline' || children === null) return [];
    const text = children.map((child) => (child.type === 'code_inline' ? '`code`' : child.content || ' ')).join('');
    return [{ kind: 'paragraph', text, line: (map?.[0] ?? 0) + 1 }];
  });
}
