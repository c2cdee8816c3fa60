import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ListedPage, lookBack } from '../../shared/platforms/look-back.ts'

interface Item {
  /** Seconds after the attempt; NaN where the listing does not say. */
  at: number
  ours: boolean
}

const clock = { now: () => 0, sleep: async () => undefined }

/** Looks through pages that name the one after them; the last one is the end. */
const look = (pages: readonly (readonly Item[])[], maxPages = 10) => {
  const read = async (cursor = 0): Promise<ListedPage<Item, number>> => ({
    items: pages[cursor] ?? [],
    next: cursor + 1 < pages.length ? cursor + 1 : undefined,
  })
  return lookBack({ clock, fromMs: 0, maxPages, read, atMs: ({ at }) => at * 1000, isOurs: ({ ours }) => ours })
}

const theirs = (at: number): Item => ({ at, ours: false })
const ours = (at: number): Item => ({ at, ours: true })

/** A listing, newest first, cut into pages of any length: empty ones too. */
const listings = fc
  .record({
    times: fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 60 }),
    position: fc.option(fc.integer({ min: -50, max: 50 })),
    cuts: fc.array(fc.nat(5), { minLength: 1, maxLength: 40 }),
    unreadable: fc.array(fc.nat(60), { maxLength: 3 }),
    maxPages: fc.integer({ min: 1, max: 30 }),
  })
  .map(({ times, position, cuts, unreadable, maxPages }) => {
    const all = [...times.map(theirs), ...(position === null ? [] : [ours(position)])].sort((a, b) => b.at - a.at)
    const shown = all.map((item, n) => (unreadable.includes(n) ? { ...item, at: Number.NaN } : item))
    const pages: Item[][] = []
    for (let from = 0, n = 0; from < shown.length; n += 1) {
      const size = cuts[n % cuts.length] ?? 0
      // A listing of nothing but empty pages would never end.
      const to = from + (n % 7 === 6 ? Math.max(1, size) : size)
      pages.push(shown.slice(from, to))
      from = to
    }
    return { pages, position, maxPages, isReadable: shown.every(({ at }) => !Number.isNaN(at)) }
  })

test('a listed post is never absent, however the listing is paged', async () => {
  let absent = 0
  await fc.assert(
    fc.asyncProperty(listings, async ({ pages, position, maxPages, isReadable }) => {
      const { kind } = await look(pages, maxPages)
      if (kind === 'absent') absent += 1
      if (position !== null && position >= 0) expect(kind).not.toBe('absent')
      if (position !== null && position >= 0 && isReadable && pages.length <= maxPages) expect(kind).toBe('found')
      if ((position === null || position < 0) && isReadable && pages.length <= maxPages && pages.length > 0)
        expect(kind).toBe('absent')
    }),
    { numRuns: 2000 },
  )
  expect(absent).toBeGreaterThan(100)
})

test('an older item ends the search only in a list with the newest first', async () => {
  const [newer, older] = [theirs(20), theirs(-20)]
  expect(await look([[newer, older], [ours(1)]])).toEqual({ kind: 'absent' })
  // A pinned post on top, or an order by something else than the time.
  expect(await look([[older, newer], [ours(1)]])).toMatchObject({ kind: 'found' })
  expect(await look([[older, newer, older], [newer]])).toEqual({ kind: 'absent' })
  expect(await look([[older, newer, older], [newer], [newer]], 2)).toEqual({ kind: 'unclear' })
})

test('an unreadable time makes a probe unclear', async () => {
  const unreadable = theirs(Number.NaN)
  expect(await look([[theirs(5), unreadable, theirs(-5)]])).toEqual({ kind: 'unclear' })
  expect(await look([[unreadable]])).toEqual({ kind: 'unclear' })
  expect(await look([[unreadable, ours(3)]])).toMatchObject({ kind: 'found' })
  expect(await look([[ours(Number.NaN)], [ours(3)]])).toEqual({ kind: 'unclear' })
})

test('a listing beyond the page limit or the time limit is unclear', async () => {
  const pages = Array.from({ length: 11 }, () => [theirs(1)])
  expect(await look(pages, 11)).toEqual({ kind: 'absent' })
  expect(await look(pages, 10)).toEqual({ kind: 'unclear' })
  let nowMs = 0
  const slowly = lookBack<Item, number>({
    clock: { ...clock, now: () => nowMs },
    fromMs: 0,
    async read(cursor = 0) {
      nowMs += 6_000
      return { items: [theirs(1)], next: cursor + 1 }
    },
    atMs: ({ at }) => at,
    isOurs: () => false,
  })
  expect(await slowly).toEqual({ kind: 'unclear' })
  expect(nowMs).toBe(18_000)
})

test('all that fit are returned', async () => {
  expect(await look([[ours(2), theirs(2), ours(1)]])).toMatchObject({ kind: 'found', items: [{ at: 2 }, { at: 1 }] })
})
