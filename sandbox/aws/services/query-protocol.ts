import type { AwsAnswer } from './aws-service.ts';

/** An element of XML: a list has its items as `member`. Absent values have no element. */
export type Xml = string | undefined | readonly Xml[] | { readonly [name: string]: Xml };

const metadata = { ResponseMetadata: { RequestId: 'sandbox' } };

/** How an API with the query protocol answers. */
export function queryAnswer(operation: string, result: Xml): AwsAnswer {
  return xml(200, `${operation}Response`, { [`${operation}Result`]: result, ...metadata });
}

/** How it answers with an error. */
export function queryFailure(type: string, message: string): AwsAnswer {
  return xml(400, 'ErrorResponse', { Error: { Type: 'Sender', Code: type, Message: message }, RequestId: 'sandbox' });
}

function xml(status: number, root: string, content: Xml): AwsAnswer {
  return { status, headers: { 'content-type': 'text/xml' }, body: write(root, content) };
}

function write(name: string, content: Xml): string {
  return content === undefined ? '' : `<${name}>${writeContent(content)}</${name}>`;
}

function writeContent(content: Exclude<Xml, undefined>): string {
  if (typeof content === 'string') return escapeXml(content);
  if (isList(content)) return content.map((item) => write('member', item)).join('');
  return Object.entries(content)
    .map(([name, part]) => write(name, part))
    .join('');
}

function isList(content: Exclude<Xml, undefined | string>): content is readonly Xml[] {
  return Array.isArray(content);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
