import { readDocument } from './document.ts'
import { clientRoutes, listsItems } from './operations.ts'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** The reference of the package: every method, by its group, as Markdown. */
export const referenceMarkdown = (): string => {
  const { operations } = readDocument('Date')
  const groups = Map.groupBy(clientRoutes, ({ operation }) => operation.split('.')[0] ?? '')
  const sections = [...groups].map(([group, members]) => {
    const rows = members.map((route) => {
      const {
        method,
        path,
        summary = '',
        requestBody,
        parameters = [],
      } = operations.get(route.operation) ?? {
        method: '',
        path: '',
      }
      const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const hasQuery = parameters.some((each) => each.in === 'query')
      const optional = (name: string, required: boolean | undefined) => (required ? name : `${name}?`)
      const payload = requestBody
        ? [optional('body', requestBody.required)]
        : hasQuery
          ? [
              optional(
                'query',
                parameters.some((each) => each.in === 'query' && each.required),
              ),
            ]
          : []
      const call = `${group}.${route.operation.split('.')[1]}(${[...ids, ...payload].join(', ')})`
      const notes = [cell(summary), ...(listsItems(route) ? ['Also `.all()` and `.pages()`'] : [])].join('. ')
      return `| \`${call}\` | ${notes}. | \`${method} ${path}\` |`
    })
    return [`## ${group}`, '', '| Method | What it does | Request |', '| --- | --- | --- |', ...rows, ''].join('\n')
  })
  return [
    '# Methods',
    '',
    'Every method takes the ids of the path, then the body or query, then the options of the call (`signal`, `timeoutMs`,',
    '`maxRetries`, `idempotencyKey`, `ifMatch`, `requestId`, `workspaceId`, `headers`, and `query` where there is a body as well). Its comment in the editor describes it with an example.',
    '',
    ...sections,
  ].join('\n')
}
