import { client } from '../../../functions/client.ts'
import type { Route } from '../../../functions/routes.ts'

/** A call of a route, as far as it differs from the bare one. */
export interface Call {
  token?: string
  workspaceId?: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged instead of `body`. */
  rawBody?: string | Uint8Array<ArrayBuffer>
  /** Of the raw body; JSON where not given, none where null. */
  contentType?: string | null
  method?: string
  headers?: Readonly<Record<string, string>>
  /** Sends no X-Request-Id but one in `headers`. */
  withoutRequestId?: boolean
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** Undefined where the answer is no JSON. */
  body: Readonly<Record<string, unknown>> | undefined
}

const addressOf = (path: string, { params = {}, query = {} }: Call) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'any'))
  return `${filled}?${new URLSearchParams(query)}`
}

const contentOf = ({ body, rawBody, contentType = 'application/json' }: Call) => {
  const content = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
  if (content === undefined) return { headers: {} }
  // The type of bytes, unlike that of text, is not guessed.
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { body: bytes, headers: contentType === null ? {} : { 'Content-Type': contentType } }
}

/** Calls a route with exactly what is given: no token and no workspace but those of the call. */
export const callRoute = async (baseUrl: string, { endpoint }: Route, call: Call): Promise<Answer> => {
  const { method, path } = endpoint.contract
  const { token, workspaceId } = call
  const { body, headers } = contentOf(call)
  const answer = await client({ baseUrl }).$raw(call.method ?? method, addressOf(path, call), {
    // Errors name their request: with the same id, answers can be compared directly.
    headers: { ...(call.withoutRequestId ? {} : { 'X-Request-Id': 'asked' }), ...headers, ...call.headers },
    redirect: 'manual',
    ...(token === undefined ? {} : { token }),
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(body === undefined ? {} : { body }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('Content-Type')?.startsWith('application/json') ?? false
  return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined }
}
