import { afterAll, beforeAll, expect, test } from 'vitest'
import { pages, type Route, routes } from '../../../functions/routes.ts'
import { type Kit, start } from '../start.ts'
import { everyNth } from '../thin.ts'
import type { Call } from './ask.ts'
import { faultIn, faultInPage } from './fuzz/faults.ts'
import type { GoodVisit } from './fuzz/forms.ts'
import { goodVisit } from './fuzz/good-visit.ts'
import { isScript } from './fuzz/scripts.ts'
import { happyCall } from './happy-calls.ts'
import { inLanes } from './lanes.ts'
import { uncounted } from './uncounted.ts'
import { openWire, type Sent, type Wire } from './wire.ts'

/** Names that every object of JavaScript knows without having been given them. */
export const inherited = [...Object.getOwnPropertyNames(Object.prototype), 'prototype']

/** Names that change an object where code merges or inspects it. */
export const dangerous = ['__proto__', 'constructor', 'prototype']

const namesOf = (schema: unknown): string[] => {
  const { shape = {} } = (schema as { def?: { shape?: object } } | undefined)?.def ?? {}
  return Object.keys(shape)
}

const written = (pairs: Iterable<[string, string]>) => String(new URLSearchParams([...pairs]))

/** A value as JSON with one member more; it may be called `__proto__`, which no literal can hold. */
const withMember = (value: object, name: string, member: unknown) => {
  const text = JSON.stringify(value)
  const comma = text === '{}' ? '' : ','
  return text.replace(/\}$/, `${comma}${JSON.stringify(name)}:${JSON.stringify(member)}}`)
}

type Change = (value: unknown) => string

/** JSON texts of a body: with a name as each of its texts, and as a member of each of its objects. */
const bodiesOf = (body: unknown, name: string): { text: string; adds: boolean }[] => {
  const accepted: { text: string; adds: boolean }[] = []
  const walk = (value: unknown, put: Change) => {
    if (typeof value === 'string') accepted.push({ text: put(name), adds: false })
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) {
      const marked = '"a member more"'
      const added = (member: unknown) =>
        accepted.push({ text: put('a member more').replace(marked, withMember(value, name, member)), adds: true })
      added('x')
      added({ isAdmin: true })
      added(['x'])
    }
    for (const [key, inner] of Object.entries(value)) {
      walk(inner, (next) => put(Array.isArray(value) ? value.with(Number(key), next) : { ...value, [key]: next }))
    }
  }
  walk(body, (next) => JSON.stringify(next))
  return accepted
}

const sentBy = (route: Route, { token, workspaceId, params = {}, query = {}, body }: Call): Sent => {
  const { method, path } = route.endpoint.contract
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return {
    method,
    path: `${filled}?${new URLSearchParams(query)}`,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(workspaceId === undefined ? {} : { 'X-Workspace-Id': workspaceId }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

interface Mutated {
  sent: Sent
  mustRefuse?: string
}

const requestsTo = (route: Route, good: Call, names: readonly string[]): Mutated[] =>
  names.flatMap((name) => {
    const { contract } = route.endpoint
    const params = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param)
    const asParams = params.map((param) => ({ ...good, params: { ...good.params, [param]: name } }))
    const asQuery = namesOf(contract.query).map((key) => ({ ...good, query: { ...good.query, [key]: name } }))
    const plain = sentBy(route, good)
    const asName = { ...plain, path: `${plain.path}&${encodeURIComponent(name)}=1` }
    const asBody = contract.body === undefined ? [] : bodiesOf(good.body ?? {}, name)
    return [
      ...[...asParams, ...asQuery].map((call) => ({ sent: sentBy(route, call) })),
      { sent: asName },
      ...asBody.map(({ text, adds }) => ({
        sent: { ...sentBy(route, { ...good, body: {} }), body: text },
        ...(adds && dangerous.includes(name) ? { mustRefuse: `a member "${name}"` } : {}),
      })),
    ]
  })

/** A password costs a sixth of a second to hash: where there is one, only the names that matter most are sent. */
const namesFor = (form: URLSearchParams, names: readonly string[]) =>
  [...form.keys()].some((key) => /password/i.test(key)) ? dangerous : names

const visitsOf = ({ method, url, cookie, form }: GoodVisit, names: readonly string[]): Sent[] =>
  namesFor(form, names).flatMap((name) => {
    const headers = {
      ...(cookie === undefined ? {} : { Cookie: cookie }),
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/x-www-form-urlencoded',
    }
    const sent = (query: string, body: string) => ({
      method,
      headers,
      path: `${url.pathname}?${query}`,
      ...(method === 'GET' ? {} : { body }),
    })
    const mutate = (pairs: URLSearchParams) => [
      ...[...pairs.keys()].map((key) =>
        written([...pairs].map(([pairName, text]) => [pairName, pairName === key ? name : text])),
      ),
      written([...pairs, [name, 'x']]),
    ]
    const query = [
      ...mutate(url.searchParams),
      ...['return', 'notice', 'sent', 'missing'].map((key) => `${key}=${name}`),
    ]
    return [
      ...query.map((text) => sent(text, written(form))),
      ...(method === 'GET' ? [] : mutate(form).map((text) => sent(written(url.searchParams), text))),
    ]
  })

/** Sends every route and page these names in every field of a valid request, and expects no answer that shows a failure. */
export const testInheritedNames = (names: readonly string[]): (() => Kit) => {
  let kit: Kit
  let wire: Wire
  const goodCalls = new Map<Route, Call>()
  const goodVisits = new Map<string, GoodVisit>()

  beforeAll(async () => {
    kit = await start({ rateLimits: uncounted })
    wire = openWire(kit.url)
    for (const { operation } of pages) goodVisits.set(operation, await goodVisit(operation, kit))
    for (const route of everyNth(4, routes)) goodCalls.set(route, await happyCall(route, kit))
  }, 240_000)
  afterAll(async () => {
    wire.close()
    await kit.close()
  })

  test('no route fails on names inherited from Object.prototype, and none accepts them as fields', async () => {
    let count = 0
    const lines = await inLanes([...goodCalls], 8, async ([route, good]) => {
      for (const { sent, mustRefuse } of requestsTo(route, good, names)) {
        count += 1
        const received = await wire.send(sent)
        const fault = faultIn(route, received, mustRefuse)
        if (fault !== undefined) return [`${route.operation} ${fault}: ${received.status} to ${sent.path} ${sent.body}`]
      }
      return []
    })
    console.log(`${count} requests to routes`)
    expect(lines.flat()).toEqual([])
  }, 240_000)

  test('no page fails on names inherited from Object.prototype', async () => {
    let count = 0
    const pageVisits = everyNth(
      4,
      [...goodVisits].filter(([operation]) => !isScript(operation)),
    )
    const lines = await inLanes(pageVisits, 8, async ([operation, good]) => {
      // A signed-out user sees other pages.
      const visits = [
        ...visitsOf(good, names),
        ...(good.method === 'GET' ? visitsOf({ ...good, cookie: undefined }, names) : []),
      ]
      for (const sent of visits) {
        count += 1
        const received = await wire.send(sent)
        const fault = faultInPage(received)
        if (fault !== undefined) return [`${operation} ${fault}: ${received.status} to ${sent.path} ${sent.body}`]
      }
      return []
    })
    console.log(`${count} requests to pages`)
    expect(lines.flat()).toEqual([])
  }, 240_000)

  return () => kit
}
