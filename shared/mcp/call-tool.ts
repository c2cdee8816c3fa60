import type { CallToolResult } from '@modelcontextprotocol/server'
import type { VerifiedCaller } from '../access/in-process.ts'
import type { Context } from '../context.ts'
import { type Arguments, keyArgument, placeArguments, versionArgument } from './place-arguments.ts'
import type { Tool, ToolEntry, Tools } from './tool.ts'
import { type OperationError, toolError } from './tool-error.ts'

/** A call of a tool. */
export interface ToolCall {
  ctx: Context
  caller: VerifiedCaller
  tools: Tools
  tool: Tool
  entry: ToolEntry
  sent: Arguments
}

const invalid = ({ ctx }: ToolCall, field: string, error: string): OperationError => ({
  error,
  code: 'invalid_input',
  field,
  docUrl: `${ctx.env('BASE_URL')}/api/docs/errors/invalid_input`,
})

/** What is wrong with the arguments that the operation does not see. */
const faultIn = (call: ToolCall): OperationError | undefined => {
  const { entry, tool, sent } = call
  const key = sent[keyArgument]
  if (entry.takesKey && (typeof key !== 'string' || !/^[\x21-\x7e]{8,100}$/.test(key))) {
    const rule = `"${keyArgument}" is required: 8 to 100 letters, digits, or signs of your choice, without spaces.`
    return invalid(call, keyArgument, `${rule} Send the same value when you repeat the call.`)
  }
  const version = sent[versionArgument]
  if (entry.takesVersion && version !== undefined && !(Number.isSafeInteger(version) && Number(version) >= 0)) {
    return invalid(call, versionArgument, `"${versionArgument}" must be the "version" that you read, a whole number.`)
  }
  const { picks } = tool
  if (picks !== undefined && !picks.values.some((value) => value === sent[picks.argument])) {
    const one = `"${picks.argument}" must be one of ${picks.values.join(', ')}.`
    return invalid(call, picks.argument, one)
  }
  return undefined
}

const structured = ({ tool: { picks }, sent }: ToolCall, data: unknown): Record<string, unknown> => {
  if (!Array.isArray(data)) return data as Record<string, unknown>
  return picks === undefined ? { items: data } : data.find((item) => item[picks.field] === sent[picks.argument])
}

const resultOf = async (call: ToolCall): Promise<CallToolResult & { code?: string }> => {
  const { ctx, caller, tools, tool, entry, sent } = call
  const fault = faultIn(call)
  if (fault !== undefined) return { ...(await toolError(ctx, tools, fault)), code: fault.code }
  const placed = placeArguments(tool, entry, sent, caller.workspace)
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
