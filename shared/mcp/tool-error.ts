import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Context } from '../context.ts'
import { readErrorPages } from './files.ts'
import type { Tools } from './tool.ts'
import { inToolWords } from './words.ts'

/** The error of an operation, in the envelope of the API. */
export interface OperationError {
  error: string
  code: string
  message?: string
  [member: string]: unknown
}

/**
 * An error as the result of a tool, so that the assistant can correct the call (MCP 2025-11-25, "Error Handling" of
 * tools): a sentence, then the details as JSON.
 */
export const toolError = async (ctx: Context, tools: Tools, body: OperationError): Promise<CallToolResult> => {
  const { error, success: _, ...details } = body
  const pages = await readErrorPages(ctx)
  const fix = inToolWords(tools, pages[body.code]?.fix ?? '')
  return {
    isError: true,
    content: [
      { type: 'text', text: inToolWords(tools, error) },
      { type: 'text', text: JSON.stringify({ ...details, ...(fix === '' ? {} : { fix }) }) },
    ],
  }
}
