import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Route, routes } from '../../functions/routes.ts'
import { proxyEvent } from '../../infra/local/gateway/event.ts'
import type { Kit } from '../support/start.ts'

/** An answer with what matters of it here. */
export interface Told {
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

/** Calls a path over a connection of its own, from an address of its own. */
export const ask = ({ url }: Kit, path: string, { token, workspaceId, headers, from, method }: Sent = {}) =>
  new Promise<Told>((resolve, reject) => {
    const all = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(workspaceId === undefined ? {} : { 'X-Workspace-Id': workspaceId }),
      ...headers,
    }
    const options = { method: method ?? 'GET', headers: all, ...(from === undefined ? {} : { localAddress: from }) }
    const outgoing = request(`${url}${path}`, options, async (incoming) => {
      const told = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])
      const body = await text(incoming)
      const isJson = incoming.headers['content-type']?.startsWith('application/json')
      resolve({ status: incoming.statusCode ?? 0, headers: new Headers(told), body: isJson ? JSON.parse(body) : {} })
    })
    outgoing.on('error', reject).end()
  })

/** The same call so many times at once; answers how often each status came. */
export const tally = async (times: number, call: (n: number) => Promise<Told>) => {
  const answers = await Promise.all(Array.from({ length: times }, (_, n) => call(n)))
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  return {
    answers,
    statuses: Object.fromEntries([...new Set(answers.map(({ status }) => status))].map((s) => [s, count(s)])),
  }
}

export const routeOf = (operation: string): Route => {
  const route = routes.find((one) => one.operation === operation)
  if (route === undefined) throw new Error(`there is no operation ${operation}`)
  return route
}

/** Hands a function the event that API Gateway would make of a call from this address. */
export const askFrom = async ({ service, clock }: Kit, operation: string, sourceIp: string): Promise<number> => {
  const { endpoint, name } = routeOf(operation)
  const { method, path } = endpoint.contract
  const facts = { id: 'api', stageName: 'live', domainName: 'api.example.com', binaryTypes: [] }
  const baseUrl = 'https://api.example.com'
  const asked = {
    id: 'one',
    baseUrl,
    method,
    path,
    query: new URLSearchParams({ token: 'none' }),
    headers: [],
    sourceIp,
  }
  const event = proxyEvent(
    facts,
    { ...asked, body: Buffer.alloc(0) },
    { plan: { path, methods: new Map() }, params: {} },
    clock.now(),
  )
  return (await endpoint.withContext(service.contextOf(name))(event)).statusCode
}
