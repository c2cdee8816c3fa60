import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import { type Kit, type StartOptions, start } from '../support/start.ts'
import { type Answer, type Call, callRoute } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'
import { removeHooks } from '../webhooks/hooks.ts'
import type { Shape } from './shape.ts'
import { routes as specified } from './spec/routes.mjs'
import { makeWorld, type World } from './world.ts'

/** One sentence of the specification about one call. */
export interface Check {
  /** What is called, as the specification writes it: `GET /api/posts/{id}`. */
  route: string
  title: string
  /** What is sent in addition to the token and the workspace that the route needs; a good call of the route where not given. */
  call?: (world: World) => Call | Promise<Call>
  /** Changes the call as a whole, its token and workspace too. */
  change?: (call: Call, world: World) => Call | Promise<Call>
  /** The status; that of the specification's table where not given. */
  status?: number
  /** The `error` or the `code` of a refusal. */
  error?: string
  code?: string
  /** What `data` is. */
  data?: Shape
  /** What the whole body is. */
  body?: Shape
  headers?: Readonly<Record<string, RegExp>>
  /** What else is wrong with the answer, or with the service after it. */
  also?: (answer: Answer, world: World) => string[] | Promise<string[]>
}

const addressOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const specifiedAt = new Map(specified.map((route) => [addressOf(route), route]))
const ours = new Map(routes.map((route) => [addressOf(route.endpoint.contract), route]))

const routeAt = (address: string) => {
  const [route, row] = [ours.get(address), specifiedAt.get(address)]
  if (route === undefined || row === undefined) throw new Error(`the service has no ${address}`)
  return { route, row }
}

/** The token and the workspace that the specification's table requires. */
const callerAt = (address: string, { kit }: World): Call => {
  const { row } = routeAt(address)
  if (row.scope === 'public') return {}
  const token = row.scope === null ? kit.sessionToken : kit.pat
  return row.workspace ? { token, workspaceId: kit.workspaceId } : { token }
}

const statusOf = ({ route, status }: Check) => status ?? routeAt(route).row.status

/** Good calls for checks that mutate them: a call that is refused uses nothing up. */
const goodCalls = new WeakMap<World, Map<string, Promise<Call>>>()
const freshCall = async (route: string, { kit }: World): Promise<Call> => {
  // A workspace has at most 10.
  if (route.includes('/api/webhooks')) await removeHooks(kit)
  return happyCall(routeAt(route).route, kit)
}
const goodCall = (route: string, world: World): Promise<Call> => {
  const known = goodCalls.get(world) ?? new Map<string, Promise<Call>>()
  goodCalls.set(world, known)
  const call = known.get(route) ?? freshCall(route, world)
  known.set(route, call)
  return call
}

/** The call that a check sends. */
const callOf = async (check: Check, world: World): Promise<Call> => {
  const { route, call, change } = check
  const isGood = statusOf(check) < 400
  const made = call
    ? { ...callerAt(route, world), ...(await call(world)) }
    : await (isGood ? freshCall(route, world) : goodCall(route, world))
  return change ? change(made, world) : made
}

const envelopeFaults = ({ body, text: sent }: Answer, isGood: boolean): string[] => {
  if (body === undefined) return [`answers no JSON: ${sent.slice(0, 200)}`]
  if (isGood) return body['success'] === true && 'data' in body ? [] : [`no success envelope: ${sent.slice(0, 200)}`]
  const { success, error, message, code } = body
  const isText = (value: unknown) => value === undefined || typeof value === 'string'
  const isRefusal = success === false && typeof error === 'string' && error !== '' && !('data' in body)
  return isRefusal && isText(message) && isText(code) ? [] : [`no error envelope: ${sent.slice(0, 200)}`]
}

const valueFaults = (name: string, value: unknown, expected: string | undefined) =>
  expected === undefined || value === expected ? [] : [`${name} is ${JSON.stringify(value)}, not ${expected}`]

const headerFaults = (answer: Answer, headers: Readonly<Record<string, RegExp>>) =>
  Object.entries({ 'X-Request-Id': /./, ...headers }).flatMap(([name, pattern]) => {
    const value = answer.headers.get(name)
    return value !== null && pattern.test(value) ? [] : [`the header ${name} is ${value}, not ${pattern}`]
  })

const faultsOf = async (check: Check, world: World): Promise<string[]> => {
  const answer = await callRoute(world.kit.url, routeAt(check.route).route, await callOf(check, world))
  const status = statusOf(check)
  if (answer.status !== status) return [`answers ${answer.status}, not ${status}: ${answer.text.slice(0, 300)}`]
  return [
    ...envelopeFaults(answer, status < 400),
    ...valueFaults('error', answer.body?.['error'], check.error),
    ...valueFaults('code', answer.body?.['code'], check.code),
    ...(check.data?.faults(answer.body?.['data'], 'data') ?? []),
    ...(check.body?.faults(answer.body, 'body') ?? []),
    ...headerFaults(answer, check.headers ?? {}),
    ...((await check.also?.(answer, world)) ?? []),
  ]
}

/** Runs the checks of an area against a separate service, one test each. */
export const holds = (checks: readonly Check[], options: StartOptions = {}): void => {
  let kit: Kit | undefined
  let world: World
  beforeAll(async () => {
    kit = await start(options)
    world = await makeWorld(kit)
  })
  afterAll(() => kit?.close())
  test.each(checks.map((check) => [`${check.route}: ${check.title}`, check] as const))('%s', async (_, check) => {
    expect(await faultsOf(check, world)).toEqual([])
  })
}
