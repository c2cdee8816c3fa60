import * as z from 'zod/mini'
import { described } from './described.ts'

/** A whole number in a query string; out of range is rejected, not clamped. */
export const wholeNumber = (minimum: number, maximum: number, preset: number) =>
  z
    .pipe(
      z._default(z.string(), String(preset)),
      z.pipe(
        z.transform((text: string) => (/^\d{1,12}$/.test(text) ? Number(text) : -1)),
        z.number({ error: `must be a whole number from ${minimum} to ${maximum}` }).check(
          z.refine((value) => value >= minimum && value <= maximum, {
            error: `must be a whole number from ${minimum} to ${maximum}`,
          }),
        ),
      ),
    )
    .register(z.globalRegistry, { type: 'integer', minimum, maximum, default: preset })

/** The query of every list. Programs use `cursor` instead of `offset`. */
export const pageQuery = {
  limit: described(wholeNumber(1, 200, 50), 'The most items of the page, 1 to 200.'),
  offset: described(wholeNumber(0, 1_000_000_000, 0), 'How many items to skip before the page.'),
}

/**
 * The cursor of a list, in the form of its ids: the `nextCursor` of a page. Decided: it is a position, so the page
 * after it stays the same if the row of that id is deleted. Any other text is rejected.
 */
export const cursorLike = (form: RegExp) =>
  z.optional(
    described(
      z.string().check(z.regex(form, { error: 'must be the nextCursor of a page of this list' })),
      'The `nextCursor` of the previous page. Replaces `offset`, and costs the same at any depth.',
    ),
  )

/** In every page: how many items are left out. */
export const unreadable = described(
  z.optional(z.int()),
  'How many items of this page are left out, because a newer release of the service wrote them. Absent if none are.',
)

/** Decided: every list returns the same page object as posts. */
export const pageOf = <T extends z.ZodMiniType>(item: T) =>
  z.object({
    items: described(z.array(item), 'The items of this page, at most 5.5 MB of them.'),
    total: described(z.int(), 'The number of items on all pages, with the filters of the request.'),
    limit: described(z.int(), 'The `limit` of the request.'),
    offset: described(z.int(), 'The `offset` of the request.'),
    hasMore: described(z.boolean(), 'Whether there are items after this page.'),
    nextCursor: described(
      z.optional(z.string()),
      'Send it as `cursor` to get the next page. Absent on the last page, and from lists without cursors.',
    ),
    unreadable,
  })

/** A page of a list that was read in full. */
export const cutPage = <T>(all: readonly T[], { limit, offset }: { limit: number; offset: number }) => ({
  items: all.slice(offset, offset + limit),
  total: all.length,
  limit,
  offset,
  hasMore: offset + limit < all.length,
})
