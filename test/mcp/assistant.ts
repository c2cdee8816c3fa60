import {
  type CallToolResult,
  Client,
  type ClientCapabilities,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { scopes } from '../../shared/identity/scope.ts'
import { consent, exchanged, registered, requestOf } from '../oauth/assistant.ts'
import type { Kit } from '../support/start.ts'

export const allScopes = scopes.join(' ')

interface Wishes {
  /** The requested scopes; all by default. */
  scope?: string
  /** What the person fills in on the consent page. */
  fields?: Record<string, string>
  session?: string
}

/** An assistant that a person has connected: its tokens, as the authorization server gave them. */
export const connectedAssistant = async (kit: Kit, { scope = allScopes, fields = {}, session }: Wishes = {}) => {
  const assistant = await registered(kit)
  const request = await requestOf(kit, assistant, { scope })
  const allowed = Object.fromEntries(scope.split(' ').map((name) => [`allow ${name}`, 'on']))
  const { back } = await consent(kit, request.path, { ...allowed, ...fields }, session)
  if (back === undefined) throw new Error('the person was not led back')
  const tokens = await exchanged(assistant, request, back)
  return { ...assistant, token: tokens.access_token, refreshToken: tokens.refresh_token ?? '' }
}

interface ClientWishes {
  mode?: 'auto' | 'legacy'
  capabilities?: ClientCapabilities
}

/** The official client with a token it already has. */
export const mcpClient = async (
  { url }: Pick<Kit, 'url'>,
  token: string,
  { mode = 'auto', capabilities = {} }: ClientWishes = {},
): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode }, capabilities })
  const headers = { Authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

/** What a tool returned, or why it did not. */
export interface Called {
  data: Record<string, unknown>
  error: string | undefined
  details: Record<string, unknown>
}

export const readResult = ({ content, structuredContent, isError }: CallToolResult): Called => {
  const texts = content.map((block) => (block.type === 'text' ? block.text : ''))
  return {
    data: (structuredContent ?? {}) as Record<string, unknown>,
    error: isError === true ? texts[0] : undefined,
    details: isError === true ? JSON.parse(texts[1] ?? '{}') : {},
  }
}

export const callTool = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> =>
  readResult(await client.callTool({ name, arguments: args }))

/** A request as sent, for what no official client would send. */
export const rawCall = async (
  { url }: Pick<Kit, 'url'>,
  token: string | undefined,
  body: unknown,
  more: { method?: string; headers?: Record<string, string> } = {},
) => {
  const { method = 'POST' } = more
  const answer = await fetch(`${url}/api/mcp`, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...more.headers,
    },
    ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

/** A message of the 2025 revisions. */
export const message = (method: string, params: Record<string, unknown> = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
})
