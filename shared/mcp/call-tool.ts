import type { CallToolResult } from '@modelcontextprotocol/server'
import type { VerifiedCaller } from '../access/in-process.ts'
import type { Context } from '../context.ts'
import type { FieldIssue } from '../errors/issue.ts'
import { Refusal } from '../errors/refusal.ts'
import { parseBodyOrRefuse, parseOrRefuse } from '../http/parse-input.ts'
import { withoutNulls } from '../http/without-nulls.ts'
import { localTimestamp } from '../local-time.ts'
import { readErrorPages } from './files.ts'
import { inUtc } from './moments.ts'
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
const toolError = async (call: ToolCall, body: OperationError): Promise<CallToolResult> => {
  const { error, ...details } = await explained(call, body)
  return {
    isError: true,
    content: [
      { type: 'text', text: error },
      { type: 'text', text: JSON.stringify(details) },
    ],
  }
}

/** An error as text for tools, with what to do about it. */
const explained = async ({ ctx, tools, tool }: ToolCall, body: OperationError) => {
  const { success: _, ...refusal } = body
  const fix = (await readErrorPages(ctx))[body.code]?.fix
  return allInToolTerms({ tools, tool }, { ...refusal, ...(fix ? { fix } : {}) })
}

const allInToolTerms = <T>({ tools, tool }: Pick<ToolCall, 'tools' | 'tool'>, value: T): T =>
  JSON.parse(inToolTerms(tools, JSON.stringify(value), tool))

/** A call of a tool. */
interface ToolCall {
  ctx: Context
  caller: VerifiedCaller
  tools: Tools
  tool: Tool
  entry: ToolEntry
  sent: Arguments
}

/** Errors in the arguments that the operation does not see. */
const faultsIn = ({ entry, tool: { picks, rows }, sent }: ToolCall): FieldIssue[] => {
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
  if (rows !== undefined) {
    const list = sent[rows.argument]
    const isList = Array.isArray(list) && list.every((row) => typeof row === 'object' && row !== null)
    if (!isList || list.length === 0 || list.length > rows.max) {
      add(rows.argument, `"${rows.argument}" must be a list of 1 to ${rows.max} objects.`)
    }
    for (const name of Object.keys(sent).filter((other) => other !== rows.argument && other !== keyArgument)) {
      add(name, `"${name}" belongs into each object of "${rows.argument}".`)
    }
  }
  if (picks !== undefined && !picks.values.some((value) => value === sent[picks.argument])) {
    add(picks.argument, `"${picks.argument}" must be one of ${picks.values.join(', ')}.`)
  }
  return faults
}

/** What the operation's schemas report about the other arguments, so that one response names every mistake. */
const faultsOfOperation = ({ tool, entry, sent, caller }: ToolCall): FieldIssue[] => {
  const { params, query, body, method } = tool.endpoint.contract
  const placed = routeArguments(tool, entry, sent, caller.workspace)
  const parts = [
    [params, placed.params, 'path'],
    [query, placed.query, 'query'],
    [body, placed.body, 'body'],
  ] as const
  return parts.flatMap(([schema, value, root]) => {
    if (schema === undefined) return []
    try {
      if (root === 'body') parseBodyOrRefuse<unknown>(schema, value, method)
      else parseOrRefuse<unknown>(schema, value, root)
      return []
    } catch (error) {
      if (error instanceof Refusal) return (error.details.issues ?? []) as FieldIssue[]
      throw error
    }
  })
}

const errorOf = ({ ctx }: ToolCall, code: string, error: string, more: object = {}): OperationError => ({
  error,
  code,
  ...more,
  docUrl: `${ctx.env('BASE_URL')}/api/docs/errors/${code}`,
})

const invalid = (call: ToolCall, issues: readonly FieldIssue[]): OperationError =>
  errorOf(call, 'invalid_input', issues.map(({ message }) => message).join(' '), { field: issues[0]?.field, issues })

/** Whether the person allows no change but of drafts, and this is another one. */
const isBeyondDrafts = ({ ctx, tool }: ToolCall): boolean => {
  const { access } = tool.endpoint.contract
  const writesDrafts = access.kind === 'workspace' && access.scope === 'drafts:write'
  return ctx.assistant?.safety.draftsOnly === true && tool.effect !== 'read' && !writesDrafts
}

const picked = ({ tool: { picks }, sent }: ToolCall, data: unknown): Record<string, unknown> => {
  if (!Array.isArray(data)) return data as Record<string, unknown>
  return picks === undefined ? { items: data } : data.find((item) => item[picks.field] === sent[picks.argument])
}

const structured = (call: ToolCall, data: unknown): Record<string, unknown> => {
  const { ctx, caller, tool } = call
  const { issues, ...own } = withoutNulls(picked(call, data)) as Record<string, unknown>
  const result = issues === undefined ? own : { ...own, issues: allInToolTerms(call, issues) }
  if (tool.adds !== 'now') return result
  const nowMs = ctx.clock.now()
  const localTime = localTimestamp(nowMs, caller.workspace.timezone)
  return { ...result, now: new Date(nowMs).toISOString(), localTime }
}

/** What one call of the operation returns: its data, or its error, after the faults of arguments that it does not see. */
const outcomeOf = async (
  call: ToolCall,
  ofOthers: readonly FieldIssue[] = [],
): Promise<{ data: unknown } | { failed: OperationError }> => {
  const { ctx, caller, tool, entry } = call
  const { sent, faults: ofTimes } = inUtc(call.sent, entry.moments, caller.workspace.timezone)
  const faults = [...ofOthers, ...ofTimes]
  if (faults.length > 0) {
    const others = faultsOfOperation({ ...call, sent }).filter(({ field }) => !ofTimes.some((at) => at.field === field))
    return { failed: invalid(call, [...faults, ...others]) }
  }
  const { body } = await tool.endpoint.callAs(ctx, caller, routeArguments(tool, entry, sent, caller.workspace))
  const answer = JSON.parse(body)
  return answer.success === true ? { data: answer.data } : { failed: answer }
}

/**
 * The outcome of each row, one after the other. Each has a separate key, so that a repeat of the whole call does nothing
 * twice, also if the first call did not finish.
 */
const outcomesOf = async (call: ToolCall, { argument, keeps }: NonNullable<Tool['rows']>) => {
  const items: Record<string, unknown>[] = []
  for (const [n, row] of (call.sent[argument] as Arguments[]).entries()) {
    const sent = { ...row, [keyArgument]: `${call.sent[keyArgument]}-${n + 1}` }
    const outcome = await outcomeOf({ ...call, sent })
    if ('failed' in outcome) items.push({ row: n + 1, error: await explained(call, outcome.failed) })
    else {
      const made = withoutNulls(outcome.data) as Record<string, unknown>[]
      const shown = made.map((post) =>
        Object.fromEntries(Object.entries(post).filter(([name]) => keeps.includes(name))),
      )
      items.push({ row: n + 1, made: shown })
    }
  }
  return { items, refused: items.filter(({ error }) => error !== undefined).length }
}

const succeeded = (structuredContent: Record<string, unknown>): CallToolResult => ({
  structuredContent,
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
})

const resultOf = async (call: ToolCall): Promise<CallToolResult & { code?: string }> => {
  const { tool } = call
  const failed = async (body: OperationError) => ({ ...(await toolError(call, body)), code: body.code })
  if (isBeyondDrafts(call)) {
    const text = 'This connection may only write drafts. Save a draft, and leave the rest to the person.'
    return failed(errorOf(call, 'assistant_drafts_only', text))
  }
  const faults = faultsIn(call)
  if (tool.rows !== undefined) {
    return faults.length > 0 ? failed(invalid(call, faults)) : succeeded(await outcomesOf(call, tool.rows))
  }
  const outcome = await outcomeOf(call, faults)
  return 'failed' in outcome ? failed(outcome.failed) : succeeded(structured(call, outcome.data))
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
