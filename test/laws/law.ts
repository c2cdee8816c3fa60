import { isDeepStrictEqual } from 'node:util'
import { type Route, routes } from '../../functions/routes.ts'
import type { FunctionEffect } from '../../infra/local/service/invocation.ts'
import type { Access } from '../../shared/access/access.ts'
import { countKeys } from '../../shared/resources.ts'
import type { Kit } from '../support/start.ts'
import { type Answer, ask, type Call } from './ask.ts'
import type { Cast } from './cast.ts'

/** Everything a law needs: the service, who meets it, a good call of each route, and what the functions do. */
export interface Court {
  kit: Kit
  cast: Cast
  /** A call that would succeed; laws spoil one thing in it. */
  goodCall(route: Route): Call
  effects: FunctionEffect[]
}

/** What the answer must be: its status and the whole body, or the members of it that matter. */
export interface Verdict {
  status: number
  body?: object
  members?: Readonly<Record<string, unknown>>
}

/** What a refusal may do: look at rows and at the keys of tokens. */
const harmless = new Set(['BatchGetItem', 'GetSecretValue'])

/** What a success may do beside it without changing anything. */
const isRead = ({ action }: FunctionEffect) => action === 'Query'

/** Every call is counted, whatever becomes of it. */
export const isCount = ({ resource }: FunctionEffect): boolean => resource.endsWith(`/${countKeys}`)

const isText = (value: unknown) => typeof value === 'string' && value.length > 0

/** Where an answer leaves the envelope. */
export const envelopeFaults = ({ status, body }: Answer): string[] => {
  const refused = status >= 400
  const told = refused ? isText(body?.['error']) : body !== undefined && 'data' in body
  return [
    ...(body?.['success'] === !refused ? [] : ['"success" is missing or wrong']),
    ...(told ? [] : [refused ? '"error" is no sentence' : '"data" is missing']),
  ]
}

const differences = (answer: Answer, verdict: Verdict): string[] => {
  const { status, body, text } = answer
  if (status !== verdict.status) return [`answers ${status} instead of ${verdict.status}: ${text.slice(0, 300)}`]
  if (verdict.body && !isDeepStrictEqual(body, verdict.body)) return [`answers another body: ${text.slice(0, 500)}`]
  return Object.entries(verdict.members ?? {})
    .filter(([name, value]) => !isDeepStrictEqual(body?.[name], value))
    .map(([name, value]) => `has ${name} ${JSON.stringify(body?.[name])} instead of ${JSON.stringify(value)}`)
}

/** The routes with an access of these kinds. */
export const routesOf = (...kinds: readonly Access['kind'][]): Route[] =>
  routes.filter(({ endpoint }) => kinds.includes(endpoint.contract.access.kind))

/** Makes of a good call of a route the one that a law is about. */
export type Spoil = (route: Route, good: Call) => Call

/**
 * Puts one spoiled call to each of the routes and answers a line for each that breaks the law: another answer than the
 * verdict, an answer outside the envelope, an id of the request that does not come back, or an effect.
 */
export const breaches = async (
  { kit, goodCall, effects }: Court,
  about: readonly Route[],
  spoil: Spoil,
  verdict: Verdict | ((route: Route) => Verdict),
): Promise<string[]> => {
  if (about.length === 0) return ['the law is about no route at all']
  effects.length = 0
  const verdictOf = (route: Route) => (typeof verdict === 'function' ? verdict(route) : verdict)
  const succeeding = new Set(about.filter((route) => verdictOf(route).status < 400).map(({ name }) => name))
  const lines = await Promise.all(
    about.map(async (route) => {
      const requestId = `law-${route.name}`
      const call = spoil(route, goodCall(route))
      const answer = await ask(kit.url, route, { ...call, headers: { 'X-Request-Id': requestId, ...call.headers } })
      const echo = answer.headers.get('X-Request-Id')
      const faults = [
        ...differences(answer, verdictOf(route)),
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
