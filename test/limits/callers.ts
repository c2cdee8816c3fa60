import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Route, routes } from '../../functions/routes.ts'
import { proxyEvent } from '../../infra/local/gateway/event.ts'
import type { Kit } from '../support/start.ts'

/** The parts of an answer that matter here. */
export interface CallResult {
  status: number
  headers: Headers
  body: Readonly<Record<string, unknown>>
}

export interface Sent {
  token?: string
  workspaceId?: string
  headers?: Readonly<Record<string, string>>
  /** The address of this machine to call from: 127.0.0.0/8 is all ours. */
  from?: string
  method?: string
}

/** Calls a path over a separate connection, from a separate address. */
export const send = ({ url }: Kit, path: string, { token, workspaceId, headers, from, method }: Sent = {}) =>
  new Promise<CallResult>((resolve, reject) => {
    const all = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(workspaceId === undefined ? {} : { 'X-Workspace-Id': workspaceId }),
      ...headers,
    }
    const options = { method: method ?? 'GET', headers: all, ...(from === undefined ? {} : { localAddress: from }) }
    const outgoing = request(`${url}${path}`, options, async (incoming) => {
      const headerPairs = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ])
      const body = await text(incoming)
      const isJson = incoming.headers['content-type']?.startsWith('application/json')
      resolve({
        status: incoming.statusCode ?? 0,
        headers: new Headers(headerPairs),
        body: isJson ? JSON.parse(body) : {},
      })
    })
    outgoing.on('error', reject).end()
  })

/** Sends the same call so many times concurrently; returns how often each status came. */
export const tally = async (times: number, call: (n: number) => Promise<CallResult>) => {
  const answers = await Promise.all(Array.from({ length: times }, (_, n) => call(n)))
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  return {
    answers,
    statuses: Object.fromEntries([...new Set(answers.map(({ status }) => status))].map((s) => [s, count(s)])),
  }
}

export const routeOf = (operation: string): Route => {
  const route = routes.find((candidate) => candidate.operation === operation)
  if (route === undefined) throw new Error(`there is no operation ${operation}`)
  return route
}

/** Passes a function the event that API Gateway would create for a call from this address. */
export const callFrom = async ({ service, clock }: Kit, operation: string, sourceIp: string): Promise<number> => {
  const { endpoint, name } = routeOf(operation)
  const { method, path } = endpoint.contract
  const requestContext = { id: 'api', stageName: 'live', domainName: 'api.example.com', binaryTypes: [] }
  const baseUrl = 'https://api.example.com'
  const gatewayEvent = {
    id: 'one',
    baseUrl,
    method,
    path,
    query: new URLSearchParams({ token: 'none' }),
    headers: [],
    sourceIp,
  }
  const event = proxyEvent(
    requestContext,
    { ...gatewayEvent, body: Buffer.alloc(0) },
    { plan: { path, methods: new Map() }, params: {} },
    clock.now(),
  )
  return (await endpoint.withContext(service.contextOf(name))(event)).statusCode
}
