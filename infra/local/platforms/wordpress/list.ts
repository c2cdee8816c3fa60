import type { Answer } from '../../pages/server.ts'
import { type Listing, pageOf } from '../page-of.ts'
import type { Call, Route } from '../standin.ts'
import { refuse } from './refuse.ts'

/** A page of a list, and how long the list is (REST API Handbook, Pagination). */
export function listPage<T>(listing: Listing, call: Call, all: readonly T[], show: (item: T) => unknown): Answer {
  const perPage = Number(call.query.get('per_page') ?? 10)
  const page = Number(call.query.get('page') ?? 1)
  if (!Number.isInteger(perPage) || perPage < 1 || perPage > 100) {
    refuse(400, 'rest_invalid_param', 'Invalid parameter(s): per_page')
  }
  if (!Number.isInteger(page) || page < 1) refuse(400, 'rest_invalid_param', 'Invalid parameter(s): page')
  const size = Math.min(perPage, listing.maxOnPage)
  const headers = { 'x-wp-total': String(all.length), 'x-wp-totalpages': String(Math.ceil(all.length / perPage)) }
  return { status: 200, headers, body: pageOf(listing, all, (page - 1) * size, size).items.map(show) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of an object by their names, including nested ones: `title.raw`. */
function pickNames(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    if (names.includes(name)) return [[name, field]]
    const inner = names.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))
    return inner.length > 0 && isObject(field) ? [[name, pickNames(field, inner)]] : []
  })
  return Object.fromEntries(entries)
}

/** A route that returns only the named fields (REST API Handbook, Global parameters). */
export const pickingFields = (route: Route): Route => ({
  ...route,
  async answer(call) {
    const answer = await route.answer(call)
    const { body } = answer
    const names = call.query.getAll('_fields').flatMap((list) => list.split(','))
    if (names.length === 0) return answer
    const pick = (value: unknown) => (isObject(value) ? pickNames(value, names) : value)
    return { ...answer, body: Array.isArray(body) ? body.map(pick) : pick(body) }
  },
})

/** A route that changes something by `POST`, `PUT`, or `PATCH`. */
export const editable = (route: Route): Route[] =>
  (['POST', 'PUT', 'PATCH'] as const).map((method) => ({ ...route, method }))
