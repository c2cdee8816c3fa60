import { isSchema } from '../../../openapi/schemas.ts'
import {
  dataSchemaOf,
  jsonSchemaOf,
  type ReadOperation,
  readDocument,
  type Schema,
} from '../../javascript/build/document.ts'
import { clientRoutes, lineOf, listsItems } from '../../javascript/build/operations.ts'
import { isNullable, pythonType, snake, textOf, typedDict } from './schema-type.ts'

const upper = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

/** The type of an operation's result. An object without a name gets one, which is declared in `named`. */
const returnedType = (operation: ReadOperation, named: Map<string, Schema>): string => {
  const data = dataSchemaOf(operation)
  if (data === undefined) return 'Any'
  if (data['type'] !== 'object' || data['properties'] === undefined) return pythonType(data)
  const name = `${operation.operationId.split('.').map(upper).join('')}Data`
  named.set(name, data)
  return name
}

const itemType = (operation: ReadOperation): string => {
  const properties = dataSchemaOf(operation)?.['properties']
  const items = (properties as Record<string, Schema> | undefined)?.['items']?.['items']
  return items === undefined ? 'Any' : pythonType(items as Schema)
}

interface Parameter {
  name: string
  declared: string
  sent: string
  help: string
  required: boolean
}

/** The names of `CallOptions`, and names that a method already uses. */
const takenNames = [
  'self',
  'body',
  'timeout',
  'max_retries',
  'idempotency_key',
  'if_match',
  'request_id',
  'workspace_id',
]

const queryOf = ({ parameters = [] }: ReadOperation): Parameter[] =>
  parameters
    .filter((each) => each.in === 'query')
    .map(({ name = '', required, description, schema = {} }) => {
      const type = pythonType(schema)
      const own = snake(name)
      const declared = required ? `${own}: ${type}` : `${own}: Optional[${type}] = None`
      return { name: own, declared, sent: `"${name}": ${own}`, help: textOf(description), required: required ?? false }
    })

/** The fields of a body as keywords; undefined for a body that is no object. */
const fieldsOf = (
  { requestBody, path }: ReadOperation,
  schemas: Readonly<Record<string, Schema>>,
  query: readonly Parameter[],
): Parameter[] | undefined => {
  const body = jsonSchemaOf(requestBody?.content) ?? {}
  const { properties, required = [] } = schemas[String(body['$ref']).split('/').at(-1) ?? ''] ?? body
  // Names with a dot are no keywords.
  if (!isSchema(properties) || Object.keys(properties).some((name) => !/^\w+$/.test(name))) return undefined
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => snake(id))
  const taken = new Set([...takenNames, ...ids, ...query.map(({ name }) => name)])
  return Object.entries(properties as Record<string, Schema>).map(([name, schema]) => {
    const own = taken.has(snake(name)) ? `${snake(name)}_` : snake(name)
    const type = pythonType(schema)
    const isRequired = (required as string[]).includes(name)
    const optional = isNullable(schema) ? `Union[${type}, Omitted] = OMITTED` : `Optional[${type}] = None`
    // None is omitted where it is not a value of the field.
    const value = isRequired || isNullable(schema) ? own : `OMITTED if ${own} is None else ${own}`
    return {
      name: own,
      declared: `${own}: ${isRequired ? type : optional}`,
      sent: `"${name}": ${value}`,
      help: textOf(schema['description']),
      required: isRequired,
    }
  })
}

const docstring = (operation: ReadOperation, keywords: readonly Parameter[]): string[] => {
  const { summary = '', description = '', path } = operation
  const help = keywords.map(({ name, help }) => `${name}: ${help}`)
  const text = [`${summary}.`, '', ...textOf(description).split('\n'), ...(help.length > 0 ? ['', ...help] : [])]
  return ['"""', ...text, '', `${operation.method} ${path}`, '"""'].map((line) => (line ? `        ${line}` : ''))
}

/** The inputs of the modules of both clients. */
interface Described {
  schemas: Readonly<Record<string, Schema>>
  /** Objects without a name, which get one. */
  named: Map<string, Schema>
  async: boolean
}

const methodsOf = (operation: ReadOperation, lists: boolean, { schemas, named, async }: Described): string[] => {
  const name = snake(operation.operationId.split('.')[1] ?? '')
  const ids = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => snake(id))
  const query = queryOf(operation)
  const { requestBody } = operation
  const bodyType = requestBody && pythonType(jsonSchemaOf(requestBody.content) ?? {})
  const fields = fieldsOf(operation, schemas, query)
  const body =
    fields === undefined &&
    bodyType &&
    (requestBody.required ? `body: ${bodyType}` : `body: Optional[${bodyType}] = None`)
  const positional = ['self', ...ids.map((id) => `${id}: str`), ...(body ? [body] : [])]
  const keywords = [...(fields ?? []), ...query].sort((a, b) => Number(b.required) - Number(a.required))
  const declared = keywords.length > 0 ? ['*', ...keywords.map((each) => each.declared)] : []
  const all = [...positional, ...declared, '**options: Unpack[CallOptions]'].join(', ')
  const sent = [
    ...(fields ? [`body={${fields.map((each) => each.sent).join(', ')}}`] : []),
    ...(body ? ['body=body'] : []),
    ...(query.length > 0 ? [`query={${query.map((each) => each.sent).join(', ')}}`] : []),
    '**options',
  ].join(', ')
  const tuple = `(${ids.map((id) => `${id},`).join(' ')})`
  const call = `self._run(call(self._config, "${operation.operationId}", ${tuple}, ${sent}))`
  const method = [
    `    ${async ? 'async ' : ''}def ${name}(${all}) -> ${returnedType(operation, named)}:`,
    ...docstring(operation, keywords),
    `        data: ${returnedType(operation, named)} = ${async ? 'await ' : ''}${call}`,
    '        return data',
    '',
  ]
  if (!lists) return method
  const shared = query.filter(({ name: each }) => each !== 'cursor' && each !== 'offset')
  const listed = [...positional, ...(shared.length > 0 ? ['*', ...shared.map((each) => each.declared)] : [])]
  const again = [
    ...ids,
    // The offset of the first page; later pages start after their cursor.
    ...shared.map(({ name: each }) => `${each}=${each === 'after' ? 'None if at else after' : each}`),
    '**at',
    '**options',
  ].join(', ')
  return [
    ...method,
    `    def ${name}_all(${[...listed, '**options: Unpack[CallOptions]'].join(', ')}) -> ${async ? 'Async' : ''}Iterator[${itemType(operation)}]:`,
    `        """Every item of \`${name}\`, page after page."""`,
    `        return ${async ? 'async_' : ''}items(lambda at: self.${name}(${again}))`,
    '',
  ]
}

/** The table of operations by which both clients send their requests. */
const linesSource = (): string =>
  [
    '"""The operations. Generated from the contracts by `npm run build:client-python`."""',
    '',
    'LINES = {',
    ...clientRoutes.map((route) => `    "${route.operation}": "${lineOf(route)}",`),
    '}',
    '',
  ].join('\n')

/** The modules that are generated from the OpenAPI document, by their names. */
export const pythonSources = (): Readonly<Record<string, string>> => ({
  '_operations.py': linesSource(),
  'api.py': source(false),
  'async_api.py': source(true),
})

/** A module of methods; that of coroutines has its types from the other one. */
const source = (async: boolean): string => {
  const { operations, schemas } = readDocument('datetime')
  const groups = Map.groupBy(clientRoutes, ({ operation }) => operation.split('.')[0] ?? '')
  const named = new Map<string, Schema>()
  const classes = [...groups].map(([group, members]) => {
    const methods = members.flatMap((route) => {
      const operation = operations.get(route.operation)
      if (operation === undefined) throw new Error(`${route.operation} is not in the document`)
      return methodsOf(operation, listsItems(route), { schemas, named, async })
    })
    return [
      `class ${async ? 'Async' : ''}${upper(group)}Operations(${async ? 'AsyncGroup' : 'Group'}):`,
      ...methods,
      '',
    ].join('\n')
  })
  const aliases = Object.entries(schemas).filter(([, { properties }]) => properties === undefined)
  const objects = [...Object.entries(schemas).filter(([, { properties }]) => properties !== undefined), ...named]
  return [
    '"""Types and methods of the API. Generated from the OpenAPI document by `npm run build:client-python`."""',
    '',
    'from __future__ import annotations',
    '',
    'from datetime import datetime',
    'from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, Iterator, List, Literal, Optional, TypedDict, Union',
    '',
    'from ._call import OMITTED, Config, Omitted, call',
    'from ._group import AsyncGroup, CallOptions, Group, async_items, items',
    ...(async ? ['from .api import *'] : []),
    '',
    'if TYPE_CHECKING:',
    '    from typing_extensions import NotRequired, Unpack',
    '',
    ...(async
      ? []
      : [
          ...objects.map(([name, schema]) => typedDict(name, schema)),
          ...aliases.map(([name, schema]) => `${name} = ${pythonType(schema)}\n`),
        ]),
    '',
    ...classes,
    `class ${async ? 'Async' : ''}Operations:`,
    '    """Every operation by its group and name."""',
    '',
    '    def __init__(self, config: Config) -> None:',
    ...[...groups.keys()].map(
      (group) => `        self.${snake(group)} = ${async ? 'Async' : ''}${upper(group)}Operations(config)`,
    ),
    '',
  ].join('\n')
}
