import type { CallToolResult } from '@modelcontextprotocol/server'
import type { VerifiedCaller } from '../access/in-process.ts'
import type { Context } from '../context.ts'
import type { FieldIssue } from '../errors/issue.ts'
import { Refusal } from '../errors/refusal.ts'
import { parseOrRefuse } from '../http/parse-input.ts'
import { localTimestamp } from '../local-time.ts'
import { readErrorPages } from './files.ts'
import { type Arguments, inToolTerms, keyArgument, routeArguments, versionArgument } from './route-arguments.ts'
import type { Tool, ToolEntry, Tools } from './tool.ts'

/** The error of an operation, in the envelope of the API. */
interface OperationError {
  error: string
  code: string
  message?: string
  [member: string]: unknown
}

/**
 * An error as the result of a tool, so that the assistant can correct the call (MCP 2025-11-25, "Error Handling" of
 * tools): a sentence, then the details as JSON.
 */
const toolError = async (ctx: Context, tools: Tools, body: OperationError): Promise<CallToolResult> => {
  const { error, success: _, ...details } = body
  const pages = await readErrorPages(ctx)
  const fix = inToolTerms(tools, pages[body.code]?.fix ?? '')
  return {
    isError: true,
    content: [
      { type: 'text', text: inToolTerms(tools, error) },
      { type: 'text', text: JSON.stringify({ ...details, ...(fix === '' ? {} : { fix }) }) },
    ],
  }
}

/** A call of a tool. */
interface ToolCall {
  ctx: Context
  caller: VerifiedCaller
  tools: Tools
  tool: Tool
  entry: ToolEntry
  sent: Arguments
}

/** What is wrong with the arguments that the operation does not see. */
const faultsIn = ({ entry, tool: { picks }, sent }: ToolCall): FieldIssue[] => {
  const faults: FieldIssue[] = []
  const add = (field: string, message: string) =>
    faults.push({ field, code: sent[field] === undefined ? 'required' : 'invalid', message })
  const key = sent[keyArgument]
  if (entry.takesKey && (typeof key !== 'string' || !/^[\x21-\x7e]{8,100}$/.test(key))) {
    const rule = 'must be 8 to 100 letters, digits, or signs of your choice, without spaces'
    const state =
      key === undefined ? 'is required, and' : typeof key === 'string' && key.length < 8 ? 'is too short: it' : ''
    add(keyArgument, `"${keyArgument}" ${`${state} ${rule}`.trim()}. Send the same value when you repeat the call.`)
  }
  const version = sent[versionArgument]
  if (entry.takesVersion && version !== undefined && !(Number.isSafeInteger(version) && Number(version) >= 0)) {
    add(versionArgument, `"${versionArgument}" must be the "version" that you read, a whole number.`)
  }
  if (picks !== undefined && !picks.values.some((value) => value === sent[picks.argument])) {
    add(picks.argument, `"${picks.argument}" must be one of ${picks.values.join(', ')}.`)
  }
  return faults
}

/** What the schemas of the operation say of the other arguments, so that one answer names every mistake. */
const faultsOfOperation = ({ tool, entry, sent, caller }: ToolCall): FieldIssue[] => {
  const { params, query, body } = tool.endpoint.contract
  const placed = routeArguments(tool, entry, sent, caller.workspace)
  const parts = [
    [params, placed.params, 'path'],
    [query, placed.query, 'query'],
    [body, placed.body, 'body'],
  ] as const
  return parts.flatMap(([schema, value, root]) => {
    if (schema === undefined) return []
    try {
      parseOrRefuse<unknown>(schema, value, root)
      return []
    } catch (error) {
      if (error instanceof Refusal) return (error.details.issues ?? []) as FieldIssue[]
      throw error
    }
  })
}

const invalid = ({ ctx }: ToolCall, issues: readonly FieldIssue[]): OperationError => ({
  error: issues.map(({ message }) => message).join(' '),
  code: 'invalid_input',
  field: issues[0]?.field,
  issues,
  docUrl: `${ctx.env('BASE_URL')}/api/docs/errors/invalid_input`,
})

/** Members without a value say nothing, and a model pays for each. */
const withoutNulls = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.map(withoutNulls)
  if (typeof data !== 'object' || data === null) return data
  const present = Object.entries(data).filter(([, value]) => value !== null)
  return Object.fromEntries(present.map(([name, value]) => [name, withoutNulls(value)]))
}

const picked = ({ tool: { picks }, sent }: ToolCall, data: unknown): Record<string, unknown> => {
  if (!Array.isArray(data)) return data as Record<string, unknown>
  return picks === undefined ? { items: data } : data.find((item) => item[picks.field] === sent[picks.argument])
}

const structured = (call: ToolCall, data: unknown): Record<string, unknown> => {
  const { ctx, caller, tool } = call
  const result = withoutNulls(picked(call, data)) as Record<string, unknown>
  if (tool.adds !== 'now') return result
  const nowMs = ctx.clock.now()
  const localTime = localTimestamp(nowMs, caller.workspace.timezone)
  return { ...result, now: new Date(nowMs).toISOString(), localTime }
}

const resultOf = async (call: ToolCall): Promise<CallToolResult & { code?: string }> => {
  const { ctx, caller, tools, tool, entry, sent } = call
  const faults = faultsIn(call)
  if (faults.length > 0) {
    const fault = invalid(call, [...faults, ...faultsOfOperation(call)])
    return { ...(await toolError(ctx, tools, fault)), code: fault.code }
  }
  const placed = routeArguments(tool, entry, sent, caller.workspace)
  const { body } = await tool.endpoint.callAs(ctx, caller, placed)
  const answer = JSON.parse(body)
  if (answer.success === true) {
    const structuredContent = structured(call, answer.data)
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
  }
  return { ...(await toolError(ctx, tools, answer)), code: answer.code }
}

/**
 * Calls the operation of a tool in this process: every rule of the API holds, and no token is forwarded. Each call is
 * one line of the log. Changes are in the audit trail as well.
 */
export const callTool = async (call: ToolCall): Promise<CallToolResult> => {
  const { ctx, caller, entry } = call
  const { code, ...result } = await resultOf(call)
  ctx.log.info('assistant called a tool', {
    tool: entry.name,
    requestId: ctx.request?.requestId,
    userId: caller.principal.userId,
    connectionId: caller.principal.connectionId,
    workspaceId: caller.workspace.id,
    code: code ?? 'ok',
  })
  return result
}
