import { describedRoutes, type Route } from '../../../../functions/routes.ts'
import { takesIdempotencyKey } from '../../../openapi/errors-of.ts'
import { codeSamples } from '../../../openapi/samples.ts'
import { collectSchemas } from '../../../openapi/schemas.ts'

/** The operations of the client: those that programs call. */
export const clientRoutes: readonly Route[] = describedRoutes.filter((route) => codeSamples(route).length > 0)

export const listsItems = ({ endpoint: { contract } }: Route): boolean => {
  if (contract.data === undefined) return false
  const { properties } = collectSchemas().schemaOf(contract.data, 'output')
  return typeof properties === 'object' && properties !== null && 'items' in properties && 'hasMore' in properties
}

/** The line of an operation in the table, which `operationOf` of the client reads. */
export const lineOf = (route: Route): string => {
  const { contract } = route.endpoint
  const { method, path, access, query, body, needs, data } = contract
  const letters = [
    [access.kind === 'anyone', 'a'],
    [access.kind === 'workspace', 'w'],
    [body !== undefined, 'b'],
    [query !== undefined, 'q'],
    [takesIdempotencyKey(contract), 'k'],
    [method === 'POST' && !needs.includes('table:write'), 's'],
    [listsItems(route), 'p'],
    [data === undefined, 'r'],
  ] as const
  const said = letters.flatMap(([holds, letter]) => (holds ? [letter] : [])).join('')
  return `${method} ${path} ${said}`.trim()
}

/** The table of operations, as a source of the client. */
export const operationsSource = (): string => {
  const groups = Map.groupBy(clientRoutes, ({ operation }) => operation.split('.')[0] ?? '')
  const lines = [...groups].flatMap(([group, members]) => [
    `  ${group}: {`,
    ...members.map((route) => `    ${route.operation.split('.')[1]}: '${lineOf(route)}',`),
    '  },',
  ])
  return [
    '// Written by `npm run build:client` from the contracts. The letters: operation.ts.',
    '/** Every operation by its group and name: method, path, and its properties. */',
    'export const operations: Readonly<Record<string, Readonly<Record<string, string>>>> = {',
    ...lines,
    '}',
    '',
  ].join('\n')
}
