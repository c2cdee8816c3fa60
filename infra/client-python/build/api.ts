import {
  dataSchemaOf,
  jsonSchemaOf,
  type ReadOperation,
  readDocument,
  type Schema,
} from '../../client/build/document.ts'
import { clientRoutes, lineOf, listsItems } from '../../client/build/operations.ts'
import { pythonType, snake, textOf, typedDict } from './schema-type.ts'

const upper = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

/** The type of what an operation returns; an object without a name gets one, which is declared in `named`. */
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
}

const queryOf = ({ parameters = [] }: ReadOperation): Parameter[] =>
  parameters
    .filter((each) => each.in === 'query')
    .map(({ name = '', required, description, schema = {} }) => {
      const type = pythonType(schema)
      const own = snake(name)
      const declared = required ? `${own}: ${type}` : `${own}: Optional[${type}] = None`
      return { name: own, declared, sent: `"${name}": ${own}`, help: textOf(description) }
    })

const docstring = (operation: ReadOperation, query: readonly Parameter[]): string[] => {
  const { summary = '', description = '', path } = operation
  const help = query.map(({ name, help }) => `${name}: ${help}`)
  const text = [`${summary}.`, '', ...textOf(description).split('\n'), ...(help.length > 0 ? ['', ...help] : [])]
  return ['"""', ...text, '', `${operation.method} ${path}`, '"""'].map((line) => (line ? `        ${line}` : ''))
}

const methodsOf = (operation: ReadOperation, line: string, lists: boolean, named: Map<string, Schema>): string[] => {
  const name = snake(operation.operationId.split('.')[1] ?? '')
  const ids = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => snake(id))
  const query = queryOf(operation)
  const { requestBody } = operation
  const bodyType = requestBody && pythonType(jsonSchemaOf(requestBody.content) ?? {})
  const body = bodyType && (requestBody.required ? `body: ${bodyType}` : `body: Optional[${bodyType}] = None`)
  const positional = ['self', ...ids.map((id) => `${id}: str`), ...(body ? [body] : [])]
  const keywords = query.length > 0 ? ['*', ...query.map(({ declared }) => declared)] : []
  const all = [...positional, ...keywords, '**options: Unpack[CallOptions]'].join(', ')
  const sent = [
    ...(body ? ['body=body'] : []),
    ...(query.length > 0 ? [`query={${query.map((each) => each.sent).join(', ')}}`] : []),
    '**options',
  ].join(', ')
  const tuple = `(${ids.map((id) => `${id},`).join(' ')})`
  const call = `call(self._config, "${line}", ${tuple}, ${sent})`
  const method = [
    `    def ${name}(${all}) -> ${returnedType(operation, named)}:`,
    ...docstring(operation, query),
    `        return ${call}`,
    '',
  ]
  if (!lists) return method
  const shared = query.filter(({ name: each }) => each !== 'cursor' && each !== 'offset')
  const listed = [...positional, ...(shared.length > 0 ? ['*', ...shared.map((each) => each.declared)] : [])]
  const again = [
    ...ids,
    // What the first page begins after, the others begin after their cursor.
    ...shared.map(({ name: each }) => `${each}=${each === 'after' ? 'None if at else after' : each}`),
    '**at',
    '**options',
  ].join(', ')
  return [
    ...method,
    `    def ${name}_all(${[...listed, '**options: Unpack[CallOptions]'].join(', ')}) -> Iterator[${itemType(operation)}]:`,
    `        """Every item of \`${name}\`, page after page."""`,
    `        return items(lambda at: self.${name}(${again}))`,
    '',
  ]
}

/** The module of types and methods, generated from the OpenAPI document. */
export const pythonSource = (): string => {
  const { operations, schemas } = readDocument('datetime')
  const groups = Map.groupBy(clientRoutes, ({ operation }) => operation.split('.')[0] ?? '')
  const named = new Map<string, Schema>()
  const classes = [...groups].map(([group, members]) => {
    const methods = members.flatMap((route) => {
      const operation = operations.get(route.operation)
      if (operation === undefined) throw new Error(`${route.operation} is not in the document`)
      return methodsOf(operation, lineOf(route), listsItems(route), named)
    })
    return [`class ${upper(group)}Operations(Group):`, ...methods, ''].join('\n')
  })
  const aliases = Object.entries(schemas).filter(([, { properties }]) => properties === undefined)
  const objects = [...Object.entries(schemas).filter(([, { properties }]) => properties !== undefined), ...named]
  return [
    '"""Types and methods of the API. Generated from the OpenAPI document by `npm run build:client-python`."""',
    '',
    'from __future__ import annotations',
    '',
    'from datetime import datetime',
    'from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Literal, Optional, TypedDict, Union',
    '',
    'from ._call import Config, call',
    'from ._group import CallOptions, Group, items',
    '',
    'if TYPE_CHECKING:',
    '    from typing_extensions import NotRequired, Unpack',
    '',
    ...objects.map(([name, schema]) => typedDict(name, schema)),
    ...aliases.map(([name, schema]) => `${name} = ${pythonType(schema)}\n`),
    '',
    ...classes,
    'class Operations:',
    '    """Every operation by its group and name."""',
    '',
    '    def __init__(self, config: Config) -> None:',
    ...[...groups.keys()].map((group) => `        self.${snake(group)} = ${upper(group)}Operations(config)`),
    '',
  ].join('\n')
}
