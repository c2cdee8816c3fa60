import type { CallableEndpoint } from '../access/endpoint.ts'
import type { Need } from '../resources.ts'

/**
 * The effect of a tool call: it reads, adds something, changes something that exists, removes something, or publishes, which
 * is irreversible.
 */
export type ToolEffect = 'read' | 'add' | 'change' | 'remove' | 'publish'

/** A tool: an operation of the API, named for what an assistant wants to do. */
export interface Tool {
  endpoint: Pick<CallableEndpoint, 'contract' | 'callAs'>
  effect: ToolEffect
  /** Other operations with the same purpose, which texts of the API name: `POST /api/media/upload-url`. */
  standsFor?: readonly string[]
  /** Whether a call can reach a social platform, now or later. */
  reachesPlatforms?: true
  /** Replaces the description of the operation if that one refers to requests. */
  description?: string
  /** What an assistant should know in addition to the description of the operation. */
  hint?: string
  /** The path names the workspace of the connection: no argument is needed. */
  namesWorkspace?: true
  /** Fields that are no arguments: another one says the same, or an assistant has no use for them. */
  without?: readonly string[]
  /** The argument that picks one item of the list that the operation returns, and the field of the item. */
  picks?: { argument: string; field: string; values: readonly string[]; description: string }
  /**
   * One call of the operation for each item of this argument: items have the arguments of the operation. The result has
   * the outcome of each, with these fields of what was created.
   */
  rows?: { argument: string; max: number; keeps: readonly string[]; description: string }
  /**
   * What the result contains in addition to the data of the operation: the present time, also in the time zones of the
   * workspace.
   */
  adds?: 'now'
  /** The question before an irreversible call; undefined if these arguments need none. */
  question?: (sent: Readonly<Record<string, unknown>>) => string | undefined
}

export type Tools = Readonly<Record<string, Tool>>

/**
 * The description of each tool in the tools file, generated from the contracts when the service is built
 * (infra/openapi/tools.ts).
 */
export interface ToolEntry {
  name: string
  /** As `tools/list` returns it. */
  listed: Readonly<Record<string, unknown>>
  /** Where the arguments belong. Any other argument is put into the body, otherwise into the query, which rejects it. */
  params: readonly string[]
  query: readonly string[]
  hasBody: boolean
  /** The arguments that are times; without an offset, on the clocks of the workspace. */
  moments: readonly string[]
  /** Whether a repeat with the same key returns the first result. */
  takesKey: boolean
  /** Whether the change can require the version that was read. */
  takesVersion: boolean
}

/** What a function needs to verify the token of an assistant and to count the call. */
export const gateNeeds = ['table:read', 'count', 'token-keys'] as const satisfies readonly Need[]

/** The needs of a function that calls any of the tools. */
export const needsOfTools = (tools: Tools): Need[] => [
  ...new Set(Object.values(tools).flatMap(({ endpoint }) => endpoint.contract.needs)),
]
