import type { HttpEndpoint } from '../shared/access/endpoint.ts'
import type { ErrorCode } from '../shared/errors/catalog.ts'
import type { Raw } from '../shared/http/reply.ts'
import type * as api from './api/index.ts'
import { type Route, routes } from './routes.ts'

export interface ClientOptions {
  baseUrl: string
  /** The token of a session, or a personal access token. */
  token?: string
  workspaceId?: string
  fetch?: typeof fetch
}

type Scalar = string | number | boolean

/** Options of any call; they override the options of the client. */
interface Extras {
  token?: string
  workspaceId?: string
  idempotencyKey?: string
  ifMatch?: string
}

// A route without parameters, query, or body has the endpoint's defaults: an empty record, and undefined.
type Params<P> = string extends keyof P ? unknown : { params: P }
type Query<Q> = string extends keyof Q ? unknown : { query?: { [Name in keyof Q]?: Scalar } }
type Body<B> = [B] extends [undefined] ? unknown : object extends B ? { body?: B } : { body: B }
type Sent<P, Q, B> = Extras & Params<P> & Query<Q> & Body<B>

/** A response without the envelope has no type. */
type Answer<D> = D extends Raw ? unknown : D

type CallOf<E> =
  E extends HttpEndpoint<infer _A, infer P, infer Q, infer B, infer D>
    ? object extends Sent<P, Q, B>
      ? (sent?: Sent<P, Q, B>) => Promise<Answer<D>>
      : (sent: Sent<P, Q, B>) => Promise<Answer<D>>
    : never

type Api = typeof api
type Operations = { [Group in keyof Api]: { [Action in keyof Api[Group]]: CallOf<Api[Group][Action]> } }

/** The API as functions: `api.posts.schedule({ body })` returns the data or throws ApiError. */
export type Client = Operations & {
  /** Sends any request with the client's headers, and returns the raw response. */
  $raw(method: string, path: string, init?: RequestInit & Extras): Promise<Response>
}

/** An error of the API; `body` is the error envelope. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** Undefined if the API itself did not send the response. */
  readonly code: ErrorCode | undefined
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
  constructor(status: number, body: Readonly<Record<string, unknown>>, headers: Headers) {
    super(`${status}: ${String(body['error'])}`)
    this.status = status
    // The API returns only codes from the catalog.
    this.code = body['code'] as ErrorCode | undefined
    this.body = body
    this.headers = headers
  }
}

interface AnySent extends Extras {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, Scalar | undefined>>
  body?: unknown
}

const addressOf = ({ endpoint }: Route, { params = {}, query = {} }: AnySent): string => {
  const path = endpoint.contract.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? path : `${path}?${search}`
}

const headersOf = (extras: Extras): Record<string, string> => ({
  ...(extras.token === undefined ? {} : { Authorization: `Bearer ${extras.token}` }),
  ...(extras.workspaceId === undefined ? {} : { 'X-Workspace-Id': extras.workspaceId }),
  ...(extras.idempotencyKey === undefined ? {} : { 'Idempotency-Key': extras.idempotencyKey }),
  ...(extras.ifMatch === undefined ? {} : { 'If-Match': extras.ifMatch }),
})

/** Returns the data of an envelope, and a body without one (the OpenAPI document, a page) unchanged. */
const read = async (answer: Response): Promise<unknown> => {
  const text = await answer.text()
  const isJson = answer.headers.get('Content-Type')?.startsWith('application/json')
  const body = isJson ? JSON.parse(text) : text
  if (!answer.ok) throw new ApiError(answer.status, isJson ? body : { error: text }, answer.headers)
  return isJson && body.success === true ? body.data : body
}

/** Creates a client of the API from its route table. */
export const client = (options: ClientOptions): Client => {
  const { baseUrl, fetch: send = fetch, ...own } = options
  const $raw: Client['$raw'] = (method, path, init = {}) => {
    const { token, workspaceId, idempotencyKey, ifMatch, headers, ...rest } = init
    const extras = Object.entries({ token, workspaceId, idempotencyKey, ifMatch }).filter(
      ([, value]) => value !== undefined,
    )
    const all = new Headers(headersOf({ ...own, ...Object.fromEntries(extras) }))
    for (const [name, value] of new Headers(headers)) all.set(name, value)
    return send(`${baseUrl}${path}`, { ...rest, method, headers: all })
  }
  const callOf =
    (route: Route) =>
    async (sent: AnySent = {}) => {
      const { params: _params, query: _query, body, ...extras } = sent
      const json =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
      return read(await $raw(route.endpoint.contract.method, addressOf(route, sent), { ...extras, ...json }))
    }
  const operations: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const [group = '', action = ''] = route.operation.split('.')
    operations[group] = { ...operations[group], [action]: callOf(route) }
  }
  // The route table is read from the same endpoints as the types.
  return { ...operations, $raw } as Client
}
