import { catalog } from '../../../../shared/errors/catalog.ts'
import { dataSchemaOf, jsonSchemaOf, type ReadOperation, readDocument, type Schema } from './document.ts'
import { clientRoutes, listsItems } from './operations.ts'
import { docOf, membersOf, typeOf } from './schema-type.ts'

const upper = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

/** The longest example that a comment shows. */
const longestExample = 900

const exampleOf = ({ operationId, requestBody, path }: ReadOperation): string[] => {
  const [example] = Object.values(requestBody?.content?.['application/json']?.examples ?? {})
  if (example?.['value'] === undefined) return []
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const call = `await client.${operationId}(${[...ids, JSON.stringify(example['value'], null, 2)].join(', ')})`
  return call.length > longestExample ? [] : ['', '@example', ...call.split('\n')]
}

const queryOf = ({ parameters = [] }: ReadOperation) => parameters.filter((each) => each.in === 'query')

/** The type of a query in a program; on the wire, all of it is text. */
const queryType = (operation: ReadOperation): string => {
  const properties = Object.fromEntries(
    queryOf(operation).map(({ name = '', description, schema = {} }) => [
      name,
      { ...schema, ...(description ? { description } : {}) },
    ]),
  )
  const required = queryOf(operation).flatMap((each) => (each.required ? [each.name] : []))
  return `{\n${membersOf({ properties, required }, '    ')}  }`
}

const idsOf = ({ path, parameters = [] }: ReadOperation): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const schema = parameters.find((each) => each.name === name)?.schema ?? { type: 'string' }
    return `${name}: ${typeOf(schema)}`
  })

const payloadOf = (operation: ReadOperation): string[] => {
  const { requestBody } = operation
  if (requestBody !== undefined) {
    const binary = Object.keys(requestBody.content ?? {}).length > 1 ? ' | Blob' : ''
    const type = typeOf(jsonSchemaOf(requestBody.content) ?? {}, '  ')
    return [`body${requestBody.required ? '' : '?'}: ${type}${binary}`]
  }
  const query = queryOf(operation)
  if (query.length === 0) return []
  return [`query${query.some(({ required }) => required) ? '' : '?'}: ${queryType(operation)}`]
}

/** The options of a call, which have the query of an operation that takes a body as well. */
const optionsOf = (operation: ReadOperation): string => {
  if (operation.requestBody === undefined || queryOf(operation).length === 0) return 'CallOptions'
  return `(CallOptions & { query?: ${queryType(operation)} })`
}

const methodOf = (operation: ReadOperation, lists: boolean): string => {
  const { operationId, summary = '', description = '' } = operation
  const name = operationId.split('.')[1]
  const data: Schema | undefined = dataSchemaOf(operation)
  const returned = data === undefined ? 'unknown' : typeOf(data, '  ')
  const args = [...idsOf(operation), ...payloadOf(operation), `options?: ${optionsOf(operation)} | undefined`]
  const doc = docOf(`${summary}.\n\n${description}`, '  ', exampleOf(operation))
  return lists
    ? `${doc}  ${name}: ListCall<[${args.join(', ')}], ${returned}>\n`
    : `${doc}  ${name}(${args.join(', ')}): ApiCall<${returned}>\n`
}

const interfaceOf = ([name, schema]: [string, Schema]): string => {
  const doc = docOf(typeof schema['description'] === 'string' ? schema['description'] : undefined, '')
  const { type, properties, additionalProperties: more } = schema
  const isInterface = type === 'object' && properties !== undefined && (more === undefined || more === false)
  return isInterface
    ? `${doc}export interface ${name} {\n${membersOf(schema, '  ')}}\n`
    : `${doc}export type ${name} = ${typeOf(schema)}\n`
}

/** The types of the API as a source of the package: objects, operations, events, and error codes. */
export const typesSource = (): string => {
  const { operations, webhooks, schemas } = readDocument('Date')
  const groups = Map.groupBy(clientRoutes, ({ operation }) => operation.split('.')[0] ?? '')
  const groupTypes = [...groups].map(([group, members]) => {
    const methods = members.map((route) => {
      const operation = operations.get(route.operation)
      if (operation === undefined) throw new Error(`${route.operation} is not in the document`)
      return methodOf(operation, listsItems(route))
    })
    return `export interface ${upper(group)}Operations {\n${methods.join('\n')}}\n`
  })
  const events = Object.values(webhooks).map(({ post }) => typeOf(jsonSchemaOf(post?.requestBody?.content) ?? {}))
  return [
    '// Generated from the OpenAPI document by `npm run build:client`.',
    "import type { ApiCall, CallOptions, ListCall } from './options.ts'",
    '',
    '/** Every code of an error of the service. */',
    `export type ErrorCode =\n${Object.keys(catalog)
      .map((code) => `  | '${code}'`)
      .join('\n')}`,
    '',
    ...Object.entries(schemas).map(interfaceOf),
    '/** What a webhook carries. Types that this version does not know have another `type`: ignore them. */',
    `export type ReceivedEvent =\n${events.map((event) => `  | ${event}`).join('\n')}`,
    '',
    ...groupTypes,
    '/** Every operation by its group and name. */',
    `export interface Operations {\n${[...groups.keys()].map((group) => `  ${group}: ${upper(group)}Operations`).join('\n')}\n}`,
    '',
  ].join('\n')
}
