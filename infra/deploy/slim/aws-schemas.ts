const constant = /^const (_\w+) = ("(?:[^"\\]|\\.)*");$/gm
const registration = /^n0_registry\.registerError\(\w+\$, (\w+)\);$/gm

/**
 * An error of AWS without a separate class still comes with its name, status, and message, and is retried by them.
 * `used` is the text in which the names of the classes are searched.
 */
const dropErrors = (schemas: string, used: string): string =>
  schemas.replace(registration, (line, name) => (used.includes(name) ? line : ''))

/**
 * A computed key like `[_h]:` may have a side effect, so a bundler keeps every schema with one and all that it refers
 * to. The same key as a literal leaves the schemas of unused operations out.
 */
const inlineKeys = (schemas: string): string => {
  const values = new Map([...schemas.matchAll(constant)].map(([, name, value]) => [name, value]))
  return schemas.replace(/\[(_\w+)\]:/g, (key, name) => (values.has(name) ? `${values.get(name)}:` : key))
}

/** The schemas of a client of the SDK without what no operation in use needs. */
export const slimSchemas = (schemas: string, used: string): string => inlineKeys(dropErrors(schemas, used))
