import { isSchema } from '../../../openapi/schemas.ts'
import type { Schema } from '../../javascript/build/document.ts'

const literals = (values: readonly unknown[]) => `Literal[${values.map((value) => pythonLiteral(value)).join(', ')}]`

const pythonLiteral = (value: unknown): string => {
  if (value === true) return 'True'
  if (value === false) return 'False'
  return value === null ? 'None' : JSON.stringify(value)
}

const union = (types: readonly string[]): string => {
  const different = [...new Set(types)]
  return different.length === 1 ? (different[0] ?? 'Any') : `Union[${different.join(', ')}]`
}

const ofKind = (kind: unknown, schema: Schema): string => {
  switch (kind) {
    case 'string':
      return 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'array':
      return `List[${isSchema(schema['items']) ? pythonType(schema['items']) : 'Any'}]`
    case 'object': {
      const values = schema['additionalProperties']
      return `Dict[str, ${isSchema(values) && Object.keys(values).length > 0 ? pythonType(values) : 'Any'}]`
    }
    default:
      return 'Any'
  }
}

/** The Python type of a JSON Schema. Objects without a name are dictionaries. */
export const pythonType = (schema: Schema): string => {
  const { $ref, const: only, enum: values, anyOf, oneOf, type } = schema
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'Any'
  if (only !== undefined) return literals([only])
  if (Array.isArray(values)) return literals(values)
  const kinds = anyOf ?? oneOf
  if (Array.isArray(kinds)) return union(kinds.filter(isSchema).map(pythonType))
  if (Array.isArray(type)) return union(type.map((each) => ofKind(each, schema)))
  return ofKind(type, schema)
}

/** A text that is safe in a docstring or comment. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"') : ''

const reservedNames = new Set([
  'from',
  'import',
  'class',
  'global',
  'in',
  'is',
  'not',
  'pass',
  'return',
  'with',
  'as',
  'def',
])

/** Whether null is a distinct value, different from an omitted one. */
export const isNullable = (schema: Schema): boolean => /\bNone\b/.test(pythonType(schema))

/** The name of a parameter or method in snake case. */
export const snake = (name: string): string => {
  const text = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return reservedNames.has(text) ? `${text}_` : text
}

/** A named object as a TypedDict, with the descriptions as comments. */
export const typedDict = (name: string, schema: Schema): string => {
  const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : []
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const members = properties.filter((entry): entry is [string, Schema] => isSchema(entry[1]))
  if (members.length === 0 || members.some(([key]) => reservedNames.has(key) || !/^[A-Za-z_]\w*$/.test(key))) {
    return `${name} = Dict[str, Any]\n`
  }
  const description = textOf(schema['description'])
  return [
    `class ${name}(TypedDict):`,
    ...(description ? [`    """${description}"""`, ''] : []),
    ...members.flatMap(([key, member]) => [
      ...textOf(member['description'])
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `    # ${line}`),
      `    ${key}: ${required.has(key) ? pythonType(member) : `NotRequired[${pythonType(member)}]`}`,
    ]),
    '',
  ].join('\n')
}
