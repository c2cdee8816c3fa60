import type { SentInProcess } from '../access/in-process.ts'
import { tagOf } from '../http/etag.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Tool, ToolEntry, Tools } from './tool.ts'

/** The arguments that become headers of the operation. */
export const keyArgument = 'idempotencyKey'
export const versionArgument = 'ifVersion'

export type Arguments = Readonly<Record<string, unknown>>

/** A query contains only text. The query's schema rejects anything that is not a single value. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const headersOf = ({ takesKey, takesVersion }: ToolEntry, sent: Arguments): Record<string, string> => {
  const version = sent[versionArgument]
  return {
    ...(takesKey ? { 'Idempotency-Key': String(sent[keyArgument]) } : {}),
    ...(takesVersion && version !== undefined ? { 'If-Match': tagOf(Number(version)) } : {}),
  }
}

/** The call of the operation for the arguments of a tool. Its schemas check them, as they check any request. */
export const routeArguments = (
  { namesWorkspace, picks }: Tool,
  entry: ToolEntry,
  sent: Arguments,
  workspace: Workspace,
): SentInProcess => {
  const taken = [
    // Any tool accepts a key; a tool whose repeat has no second effect does not need one.
    keyArgument,
    ...(entry.takesVersion ? [versionArgument] : []),
    ...(picks === undefined ? [] : [picks.argument]),
  ]
  const own = Object.entries(sent).filter(([name, value]) => value !== undefined && !taken.includes(name))
  const params = own.filter(([name]) => entry.params.includes(name))
  const others = own.filter(([name]) => !entry.params.includes(name))
  const query = others.filter(([name]) => !entry.hasBody || entry.query.includes(name))
  const body = others.filter(([name]) => entry.hasBody && !entry.query.includes(name))
  const texts = (all: typeof own) => Object.fromEntries(all.map(([name, value]) => [name, asText(value)]))
  return {
    params: { ...texts(params), ...(namesWorkspace ? { id: workspace.id } : {}) },
    query: texts(query),
    body: entry.hasBody ? Object.fromEntries(body) : undefined,
    headers: headersOf(entry, sent),
  }
}

/**
 * A text of the API, rewritten for tools: an operation that a tool calls or replaces is named by its tool. Texts by people
 * never pass through here.
 */
export const inToolTerms = (tools: Tools, text: string, called?: Tool): string => {
  const names = new Map(
    Object.entries(tools).flatMap(([name, { endpoint, standsFor = [] }]) =>
      [`${endpoint.contract.method} ${endpoint.contract.path}`, ...standsFor].map((route) => [route, name] as const),
    ),
  )
  // A tool that replaces an operation does not refer the assistant to itself.
  const own = called?.standsFor?.join('|') ?? '(?!)'
  return text
    .replaceAll(new RegExp(`, or [^,.]*(?:${own})`, 'g'), '')
    .replaceAll(/(?:GET|POST|PATCH|DELETE) \/api\/[\w{}/-]*[\w}]/g, (route) => names.get(route) ?? route)
    .replaceAll('`If-Match`', `\`${versionArgument}\``)
}
