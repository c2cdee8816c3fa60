/** How long the pages of lists may be: whatever is asked for, or fewer. */
export interface Listing {
  /** Pages of every list end after so many items, as platforms may end them. */
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
