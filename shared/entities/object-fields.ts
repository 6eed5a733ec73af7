/** An object of a payload: it is never trusted to have a shape. */
export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of this name; never what every object inherits, such as `constructor`. */
export function own<Value>(fields: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
