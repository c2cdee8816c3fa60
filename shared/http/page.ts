import * as z from 'zod/mini'

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

/** The query of every list; programs use `cursor` in place of `offset`. */
export const pageQuery = {
  limit: wholeNumber(1, 200, 50),
  offset: wholeNumber(0, 1_000_000_000, 0),
}

/**
 * The cursor of a list, in the form of its ids: the `nextCursor` of a page. Decided: it is a position, so the page
 * after it stays the same if the row of that id is deleted. Any other text is rejected.
 */
export const cursorLike = (form: RegExp) =>
  z.optional(
    z
      .string()
      .check(z.regex(form, { error: 'must be the nextCursor of a page of this list' }))
      .register(z.globalRegistry, {
        description: 'The `nextCursor` of the previous page. Replaces `offset`, and costs the same at any depth.',
      }),
  )

/** Decided: every list returns the same page object as posts. */
export const pageOf = <T extends z.ZodMiniType>(item: T) =>
  z.object({
    items: z.array(item),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    hasMore: z.boolean(),
    nextCursor: z.optional(z.string()),
  })

/** A page of a list that was read as a whole. */
export const cutPage = <T>(all: readonly T[], { limit, offset }: { limit: number; offset: number }) => ({
  items: all.slice(offset, offset + limit),
  total: all.length,
  limit,
  offset,
  hasMore: offset + limit < all.length,
})
