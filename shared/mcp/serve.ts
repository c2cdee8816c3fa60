import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { VerifiedCaller } from '../access/in-process.ts'
import { type Context, withAssistant, withRequest } from '../context.ts'
import { Raw } from '../http/reply.ts'
import { resourceOf } from '../oauth/resource.ts'
import type { VerifiedAssistant } from '../oauth/verify.ts'
import { authenticateMcp, jsonAnswer, type McpCall } from './gate.ts'
import { type AssistantRequest, makeServer } from './server.ts'
import type { Tools } from './tool.ts'

interface McpPost extends McpCall {
  request: McpCall['request'] & { rawBody: string; userAgent: string }
}

/** The headers of the protocol; the token is not one of them, and is not passed on. */
const passedOn = ['Accept', 'Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Last-Event-ID'] as const

const webRequest = ({ ctx, request }: McpPost): Request => {
  const headers = new Headers()
  for (const name of passedOn) {
    const value = request.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  // The address comes from the configuration, whatever host the request names.
  return new Request(resourceOf(ctx), { method: 'POST', headers, body: request.rawBody })
}

const rpcError = (status: number, code: number, message: string, id: unknown = null): Raw =>
  jsonAnswer(status, { jsonrpc: '2.0', id, error: { code, message } })

const methodNotFound = -32601
const invalidRequest = -32600

/** What this server does not support although the library would: several calls in one request, and a stream of events. */
const refusedForm = (rawBody: string): Raw | undefined => {
  let body: unknown
  try {
    body = JSON.parse(rawBody)
  } catch {
    return undefined
  }
  // Revisions since 2025-06-18 have no batches. A batch would count as one call.
  if (Array.isArray(body)) return rpcError(400, invalidRequest, 'Send one JSON-RPC message in each request.')
  const { method, id } = (body ?? {}) as { method?: unknown; id?: unknown }
  if (method !== 'subscriptions/listen') return undefined
  return rpcError(404, methodNotFound, 'This server sends no events. Ask again instead.', id)
}

/** The size that the contract allows, instead of the library's limit. */
interface Sizes {
  maxRequestBodySize: number
}

const answerLegacy = async (request: AssistantRequest, sent: Request, sizes: Sizes): Promise<Response> => {
  // Without a generator of session ids the transport is stateless.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, ...sizes })
  const server = makeServer(request, false)
  await server.connect(transport)
  try {
    return await transport.handleRequest(sent)
  } finally {
    await server.close()
  }
}

const answerModern = (request: AssistantRequest, sent: Request, sizes: Sizes): Promise<Response> =>
  createMcpHandler(({ era }) => makeServer(request, era === 'modern'), { legacy: 'reject', ...sizes }).fetch(sent)

const callerOf = ({ userId, connectionId, workspaceId, scopes, workspace, member }: VerifiedAssistant) =>
  ({
    principal: { kind: 'assistant', userId, connectionId, workspaceId, scopes },
    workspace,
    member,
  }) satisfies VerifiedCaller

/** The context in which the assistant acts: its log lines name the connection, and its limits apply. */
const contextOf = ({ ctx, request }: McpPost, assistant: VerifiedAssistant): Context => {
  const { userId, connectionId, workspaceId, clientName, safety } = assistant
  const acting = withAssistant(ctx, { connectionId, clientName, safety, userAgent: request.userAgent })
  return ctx.request === undefined ? acting : withRequest(acting, { ...ctx.request, userId, connectionId, workspaceId })
}

/** Answers one request of the MCP server, of a limited size: the token first, then the message. */
export const serveMcp = async (
  call: McpPost,
  { tools, maxBodyBytes: maxRequestBodySize }: { tools: Tools; maxBodyBytes: number },
): Promise<Raw> => {
  const passed = await authenticateMcp(call)
  if (passed instanceof Raw) return passed
  const refused = refusedForm(call.request.rawBody)
  if (refused !== undefined) return refused
  const sent = webRequest(call)
  const request = { ctx: contextOf(call, passed), caller: callerOf(passed), tools }
  const sizes = { maxRequestBodySize }
  const isLegacy = await isLegacyRequest(sent, undefined, sizes)
  const answer = await (isLegacy ? answerLegacy : answerModern)(request, sent, sizes)
  const text = await answer.text()
  await passed.noted
  const type = answer.headers.get('Content-Type') ?? 'application/json; charset=utf-8'
  return new Raw(text, type, { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }, answer.status)
}
