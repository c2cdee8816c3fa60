import * as z from 'zod/mini'

/** How a list of the Graph API goes on. */
export const Paging = z.optional(
  z.object({
    cursors: z.optional(z.object({ after: z.optional(z.string()) })),
    next: z.optional(z.string()),
  }),
)

/**
 * The cursor of the next page; a list ends where `next` is missing, however long the page (Graph API, Paginated
 * Results).
 */
export const nextPage = (paging: z.infer<typeof Paging>): string | undefined =>
  paging?.next === undefined
    ? undefined
    : (paging.cursors?.after ?? URL.parse(paging.next)?.searchParams.get('after') ?? undefined)
