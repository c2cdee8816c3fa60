import { versionArgument } from './place-arguments.ts'
import type { Tools } from './tool.ts'

/**
 * A text of the API in the words of tools: an operation that a tool calls is named by the tool. Texts of people never
 * pass through here.
 */
export const inToolWords = (tools: Tools, text: string): string => {
  const names = new Map(
    Object.entries(tools).map(
      ([
        name,
        {
          endpoint: { contract },
        },
      ]) => [`${contract.method} ${contract.path}`, name],
    ),
  )
  return text
    .replaceAll(/(?:GET|POST|PATCH|DELETE) \/api\/[\w{}/-]*[\w}]/g, (route) => names.get(route) ?? route)
    .replaceAll('`If-Match`', `\`${versionArgument}\``)
}
