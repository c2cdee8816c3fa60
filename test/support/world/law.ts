import { isDeepStrictEqual } from 'node:util'
import { type Route, routes } from '../../../functions/routes.ts'
import type { FunctionEffect } from '../../../infra/local/service/invocation.ts'
import type { Access } from '../../../shared/access/access.ts'
import { countKeys } from '../../../shared/resources.ts'
import type { Kit } from '../start.ts'
import type { Actors } from './actors.ts'
import { type Answer, type Call, callRoute } from './ask.ts'

/** Everything a law needs: the service, its callers, a valid request of each route, and the effects of the functions. */
export interface Fixture {
  kit: Kit
  actors: Actors
  /** A request that succeeds; each law changes one thing in it. */
  goodCall(route: Route): Call
  effects: FunctionEffect[]
}

/** The expected response: its status and the fields that matter. */
export interface Expected {
  status: number
  members?: Readonly<Record<string, unknown>>
}

/** What a rejection may do: read rows and token keys. */
const harmless = new Set(['BatchGetItem', 'GetSecretValue'])

/** What a success may do in addition without changing anything. */
const isRead = ({ action }: FunctionEffect) => action === 'Query'

/** Every request is counted, whatever its outcome. */
export const isCount = ({ resource }: FunctionEffect): boolean => resource.endsWith(`/${countKeys}`)

const isText = (value: unknown) => typeof value === 'string' && value.length > 0

/** Deviations of a response from the envelope. */
export const envelopeFaults = ({ status, body }: Answer): string[] => {
  const refused = status >= 400
  const hasDocumentedShape = refused ? isText(body?.['error']) : body !== undefined && 'data' in body
  return [
    ...(body?.['success'] === !refused ? [] : ['"success" is missing or wrong']),
    ...(hasDocumentedShape ? [] : [refused ? '"error" is no sentence' : '"data" is missing']),
  ]
}

const differences = (answer: Answer, expected: Expected): string[] => {
  const { status, body, text } = answer
  if (status !== expected.status) return [`answers ${status} instead of ${expected.status}: ${text.slice(0, 300)}`]
  return Object.entries(expected.members ?? {})
    .filter(([name, value]) => !isDeepStrictEqual(body?.[name], value))
    .map(([name, value]) => `has ${name} ${JSON.stringify(body?.[name])} instead of ${JSON.stringify(value)}`)
}

/** The routes with an access of these kinds. */
export const routesOf = (...kinds: readonly Access['kind'][]): Route[] =>
  routes.filter(({ endpoint }) => kinds.includes(endpoint.contract.access.kind))

/** Turns a valid request of a route into the one that a law is about. */
export type Mutate = (route: Route, good: Call) => Call

/**
 * Sends one mutated request to each of the routes and returns a line for each that breaks the law: another response than the
 * expected one, a response outside the envelope, a missing request id, or an effect.
 */
export const violations = async (
  { kit, goodCall, effects }: Fixture,
  about: readonly Route[],
  mutate: Mutate,
  expected: Expected | ((route: Route) => Expected),
): Promise<string[]> => {
  if (about.length === 0) return ['the law is about no route at all']
  effects.length = 0
  const expectedOf = (route: Route) => (typeof expected === 'function' ? expected(route) : expected)
  const succeeding = new Set(about.filter((route) => expectedOf(route).status < 400).map(({ name }) => name))
  const lines = await Promise.all(
    about.map(async (route) => {
      const requestId = `law-${route.name}`
      const call = mutate(route, goodCall(route))
      const answer = await callRoute(kit.url, route, {
        ...call,
        headers: { 'X-Request-Id': requestId, ...call.headers },
      })
      const echo = answer.headers.get('X-Request-Id')
      const faults = [
        ...differences(answer, expectedOf(route)),
        ...envelopeFaults(answer),
        ...(echo === requestId ? [] : [`answers the X-Request-Id ${echo}`]),
      ]
      return faults.map((fault) => `${route.operation} ${fault}`)
    }),
  )
  const done = effects.filter(
    (effect) =>
      !harmless.has(effect.action) && !isCount(effect) && !(isRead(effect) && succeeding.has(effect.functionName)),
  )
  return [
    ...lines.flat(),
    ...done.map(({ functionName, service, action }) => `${functionName} did ${service} ${action}`),
  ]
}
