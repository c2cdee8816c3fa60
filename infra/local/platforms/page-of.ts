/** The page length of lists: the requested one, or fewer. */
export interface Listing {
  /** Pages of every list end after this many items, as platforms may end them. */
  maxOnPage: number
}

/** A page of a list from a position on; `next` is the position of the next one, if there is more. */
export function pageOf<T>(
  { maxOnPage }: Listing,
  all: readonly T[],
  from: number,
  limit: number,
): { items: T[]; next: number | undefined } {
  const to = from + Math.min(limit, maxOnPage)
  return { items: all.slice(from, to), next: to < all.length ? to : undefined }
}
