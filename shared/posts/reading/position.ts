import type { Post } from '../lifecycle/row.ts'

/** The times by which posts are sorted, and in which order. */
export const sorts = ['createdAt', 'scheduledAt'] as const
export type Sort = (typeof sorts)[number]
export const orders = ['asc', 'desc'] as const
export type Order = (typeof orders)[number]

const idLength = 28
const timeLength = 9

/** The form of cursors: the id of a post, and before it its time if the list is sorted by it. */
export const cursorForm = /^(?:[0-9A-Z]{9})?[0-9A-Z]{28}$/

export const isCursorOf = (sort: Sort, cursor: string): boolean =>
  cursor.length === (sort === 'createdAt' ? idLength : timeLength + idLength)

/** Milliseconds as text that sorts by time. */
const textOf = (ms: number) => ms.toString(36).toUpperCase().padStart(timeLength, '0')

/** The position of a post in a list. Text, in the order of the list: an ID begins with the time of its creation. */
export const positionOf = ({ id, scheduledAt }: Pick<Post, 'id' | 'scheduledAt'>, sort: Sort): string =>
  sort === 'createdAt' ? id : textOf(Date.parse(scheduledAt)) + id

/** The id and the time in a position of a list that is sorted by `scheduledAt`. */
export const readPosition = (position: string): { id: string; ms: number } => ({
  id: position.slice(timeLength),
  ms: Number.parseInt(position.slice(0, timeLength), 36),
})

/** Whether a position is after another one in the order of the list. */
export const isBehind = (position: string, other: string, order: Order): boolean =>
  order === 'asc' ? position > other : position < other
