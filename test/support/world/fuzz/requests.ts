import * as fc from 'fast-check'
import type { Route } from '../../../../functions/routes.ts'
import type { Call } from '../ask.ts'
import type { Sent } from '../wire.ts'
import { nastyTexts } from './corpus.ts'
import { fromSchema, type Known } from './from-schema.ts'
import { mutated } from './mutate.ts'

/** A request to a route, and why it must be refused where that is known. */
export interface FuzzedRequest {
  sent: Sent
  mustRefuse: string | undefined
}

/** The values of a good call by the names of their members, at any depth. */
const knownIn = (...values: readonly unknown[]): Known => {
  const known = new Map<string, unknown[]>()
  const note = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      // Of an array the items are what its schema names.
      if (!Array.isArray(value))
        known.set(name, [...(known.get(name) ?? []), ...(Array.isArray(member) ? [] : [member])])
      if (!Array.isArray(value) && Array.isArray(member)) known.set(name, [...(known.get(name) ?? []), member])
      note(member)
    }
  }
  for (const value of values) note(value)
  for (const [name, all] of known) if (all.length === 0) known.delete(name)
  return known
}

const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 14, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

const encode = (text: string) => encodeURIComponent(text.toWellFormed())

/** A parameter of a path or a query: mostly valid, else anything, also invalid encodings. */
const parameter = (good: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 9, arbitrary: good.map(encode) },
    { weight: 4, arbitrary: fc.constantFrom(...nastyTexts.filter((text) => text.length < 3_000)).map(encode) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '%00',
        '%ED%A0%80',
        '%',
        '%zz',
        '%C0%AF',
        '%0d%0aX-A:%20b',
        '%2e%2e%2f',
        '%23',
        '.',
        '..',
      ),
    },
  )

const paths = ({ endpoint: { contract } }: Route, { params = {} }: Call) => {
  const names = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const values = fc.record(
    Object.fromEntries(names.map((name) => [name, parameter(fc.constant(params[name] ?? 'any'))])),
  )
  return values.map((all) => contract.path.replace(/\{(\w+)\}/g, (_, name: string) => all[name] ?? ''))
}

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value ?? {}).map(([name, member]) => [
      name,
      typeof member === 'string' ? member : JSON.stringify(member),
    ]),
  )

const queries = ({ endpoint: { contract } }: Route, good: Call, nowMs: number): fc.Arbitrary<string> => {
  const known = knownIn(good.query)
  const values = contract.query === undefined ? fc.constant({}) : fromSchema(contract.query, known, nowMs)
  const strange = fc.constantFrom(
    'unheardOf=1',
    '__proto__=1',
    'limit=-1',
    'limit=NaN',
    'offset=1e9',
    '=',
    '%',
    'a=%ff',
    'limit[]=1',
    'limit=1&limit=2',
  )
  const written = fc
    .oneof(fc.constant({ ...good.query }), values)
    .chain((value) =>
      fc
        .record(
          Object.fromEntries(
            Object.entries(textsOf(value)).map(([name, text]) => [name, parameter(fc.constant(text))]),
          ),
        )
        .map((all) => Object.entries(all).map(([name, text]) => `${encode(name)}=${text}`)),
    )
  return fc
    .tuple(written, rarely(strange))
    .map(([parts, more]) => [...parts, ...(more === undefined ? [] : [more])].join('&'))
}

// What Node sends at all: no line ends and nothing beyond Latin-1.
const headerTexts = nastyTexts.filter((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text) && text.length < 1_000)

/** Headers that a request may carry in addition to those it needs. */
const headers = (good: Call) => {
  const text = fc.constantFrom(...headerTexts, 'é', 'x'.repeat(2_000), '"quoted"', 'a,b;c=d')
  const usually = (value: string | undefined) =>
    value === undefined ? fc.constant(undefined) : fc.oneof({ weight: 30, arbitrary: fc.constant(value) }, text)
  return fc
    .record({
      Authorization: usually(good.token === undefined ? undefined : `Bearer ${good.token}`),
      'X-Workspace-Id': usually(good.workspaceId),
      'Idempotency-Key': rarely(fc.oneof(text, fc.constantFrom('same', 'same'))),
      'If-Match': rarely(text),
      'X-Request-Id': rarely(text),
      'User-Agent': rarely(text),
      'X-Forwarded-For': rarely(text),
      Accept: rarely(text),
    })
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)))
}

const contentTypes = fc.oneof(
  { weight: 30, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    'application/json; charset=utf-8',
    'application/json; charset=utf-16',
    'text/plain',
    'application/jsonx',
    '',
  ),
)

/** Stored or ignored, whatever its value. */
const anything = ['metadata', 'naturalPosting', 'scheduledAt']

/** Whether a text somewhere in a value has half of a surrogate pair, of which a row keeps nothing. */
const hasHalf = (value: unknown): boolean => {
  if (typeof value === 'string') return !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => !anything.includes(name) && hasHalf(member))
}

const halfIn = (body: string | Uint8Array | undefined) => {
  try {
    return hasHalf(JSON.parse(String(body).replace(/^\ufeff/, ''))) ? 'half of a surrogate pair' : undefined
  } catch {
    return undefined
  }
}

/** Requests to a route: built from a valid call and its contract, and mutated in every way. */
export const requestsTo = (route: Route, good: Call, nowMs: number): fc.Arbitrary<FuzzedRequest> => {
  const { method, body: shape } = route.endpoint.contract
  const known = knownIn(good.body)
  // A password costs a sixth of a second to hash.
  const costly = [...known.keys()].some((name) => /password/i.test(name))
  const bodies =
    shape === undefined
      ? fc.constant(undefined)
      : mutated(fc.oneof(fc.constant(good.body ?? {}), fromSchema(shape, known, nowMs)), costly)
  return fc
    .record({
      path: paths(route, good),
      query: queries(route, good, nowMs),
      own: headers(good),
      type: contentTypes,
      body: bodies,
    })
    .map(({ path, query, own, type, body }) => ({
      sent: {
        method,
        path: query === '' ? path : `${path}?${query}`,
        headers: body === undefined ? own : { ...own, 'Content-Type': type },
        ...(body === undefined ? {} : { body: body.body }),
      },
      mustRefuse: body?.mustRefuse ?? halfIn(body?.body),
    }))
}
