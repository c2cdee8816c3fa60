import type { Answer } from '../../pages/server.ts'
import { pageOf } from '../page-of.ts'
import type { Call, SimulatorContext } from '../standin.ts'

const makeCursor = (offset: number) => Buffer.from(String(offset)).toString('base64url')
const readCursor = (text: string | null) => (text === null ? 0 : Number(Buffer.from(text, 'base64url').toString()))

/** A page of a list in Meta's format: cursors always, `next` only if there is more. */
export function showPage<T>(
  { listing, url }: Pick<SimulatorContext, 'listing' | 'url'>,
  call: Call,
  all: readonly T[],
  show: (one: T) => object,
): Answer {
  const from = readCursor(call.query.get('after'))
  const { items, next } = pageOf(listing, all, from, Number(call.query.get('limit') ?? 25))
  const cursors = { before: makeCursor(from), after: makeCursor(from + items.length) }
  const more = next === undefined ? {} : { next: `${url}${call.path}?after=${makeCursor(next)}` }
  const paging = items.length === 0 ? {} : { paging: { cursors, ...more } }
  return { status: 200, body: { data: items.map(show), ...paging } }
}
