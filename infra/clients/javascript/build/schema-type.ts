import { isSchema } from '../../../openapi/schemas.ts'
import type { Schema } from './document.ts'

// openapi-typescript 7 does not run with TypeScript 7: it builds its types with `ts.factory`, which TypeScript 7 removed,
// and requires TypeScript 5.

const wrapped = (text: string, width: number): string[] =>
  text.split('\n').flatMap((paragraph) => {
    const lines: string[] = ['']
    for (const word of paragraph.split(' ')) {
      const last = lines.at(-1) ?? ''
      if (last !== '' && last.length + word.length >= width) lines.push(word)
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
    }
    return lines
  })

/** A documentation comment, or nothing without a text. */
export const docOf = (text: string | undefined, indent: string, more: readonly string[] = []): string => {
  if (text === undefined && more.length === 0) return ''
  const lines = [...wrapped(text ?? '', 110), ...more].map((line) => line.replaceAll('*/', '*\\/'))
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`, ''].join('\n')
}

const literal = (value: unknown) => JSON.stringify(value)

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))

/** The members of an object, one a line. */
export const membersOf = (schema: Schema, indent: string): string => {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties)
    .filter((entry): entry is [string, Schema] => isSchema(entry[1]))
    .map(([name, member]) => {
      const { description } = member
      const doc = docOf(typeof description === 'string' ? description : undefined, indent)
      const type = typeOf(member, indent)
      return required.has(name)
        ? `${doc}${indent}${keyOf(name)}: ${type}\n`
        : `${doc}${indent}${keyOf(name)}?: ${type} | undefined\n`
    })
    .join('')
}

const recordOf = (values: Schema, names: unknown, indent: string): string => {
  const value = Object.keys(values).length === 0 ? 'unknown' : typeOf(values, indent)
  if (isSchema(names) && Array.isArray(names['enum'])) {
    return `{ [Name in ${union(names['enum'].map(literal))}]?: ${value} }`
  }
  return `{ [name: string]: ${value} }`
}

const objectOf = (schema: Schema, indent: string): string => {
  const { properties, additionalProperties: more, propertyNames } = schema
  const members = isSchema(properties) ? `{\n${membersOf(schema, `${indent}  `)}${indent}}` : undefined
  if (more === undefined || more === false) return members ?? '{ [name: string]: unknown }'
  const record = recordOf(isSchema(more) ? more : {}, propertyNames, indent)
  return members === undefined ? record : `${members} & { [name: string]: unknown }`
}

const ofKind = (kind: unknown, schema: Schema, indent: string): string => {
  switch (kind) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array': {
      const item = isSchema(schema['items']) ? typeOf(schema['items'], indent) : 'unknown'
      return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`
    }
    case 'object':
      return objectOf(schema, indent)
    default:
      return 'unknown'
  }
}

/** The TypeScript type of a JSON Schema. */
export const typeOf = (schema: Schema, indent = ''): string => {
  const { $ref, const: only, enum: values, anyOf, oneOf, allOf, type } = schema
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'unknown'
  if (only !== undefined) return literal(only)
  if (Array.isArray(values)) return union(values.map(literal))
  const kinds = anyOf ?? oneOf
  if (Array.isArray(kinds)) return union(kinds.filter(isSchema).map((each) => typeOf(each, indent)))
  if (Array.isArray(allOf))
    return allOf
      .filter(isSchema)
      .map((each) => typeOf(each, indent))
      .join(' & ')
  if (Array.isArray(type)) return union(type.map((each) => ofKind(each, schema, indent)))
  return ofKind(type, schema, indent)
}
