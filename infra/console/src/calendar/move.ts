import { signal } from '@preact/signals'
import { go, route, to } from '../route.ts'
import { attempt, say } from '../service.ts'
import { api, type Post, zone } from '../store.ts'
import { addDays, clockIn, clockOf, dayIn, formatMoment, momentOf } from '../time.ts'
import { doAll } from './batch.ts'
import { momentOfPost } from './moment.ts'
import { type Group, readGroup } from './read.ts'

/** The group that is being moved, and where it would go. */
export const moving = signal<{ group: Group; day: string; time: string } | undefined>(undefined)
/** What the page says while a group is moved. */
export const announced = signal('')

/** When the first post of a group is due. */
export const momentOfGroup = ({ posts: [first] }: Group): number => (first === undefined ? 0 : momentOfPost(first))

/** Whether a group has a post that can be moved. */
export const isMovable = ({ posts }: Group): boolean => posts.some(({ status }) => status === 'scheduled')

const announce = (): void => {
  if (moving.value === undefined) return
  const { day, time } = moving.value
  const momentMs = momentOf(`${day}T${time}`, zone.value)
  announced.value =
    momentMs === undefined
      ? `The clocks skip ${time} on this day.`
      : `Move to ${formatMoment(momentMs, zone.value)}. Press Enter to move the post, or Escape to leave it.`
}

const onlyScheduled = 'Only scheduled posts can be moved.'

/** Begins to move a group with the keyboard. */
export const beginMove = (group: Group): void => {
  if (!isMovable(group)) {
    say(onlyScheduled, { isBad: true })
    return
  }
  const momentMs = momentOfGroup(group)
  moving.value = { group, day: dayIn(momentMs, zone.value), time: clockIn(momentMs, zone.value) }
  announce()
}

const shifted = (time: string, minutes: number) => {
  const [hours = 0, rest = 0] = time.split(':').map(Number)
  return clockOf((hours * 60 + rest + minutes + 1440) % 1440)
}

/** A post, and the time that it gets. */
type Move = readonly [post: Post, momentMs: number]

const reschedule = ([{ id }, momentMs]: Move) =>
  api().posts.reschedule(id, { scheduledAt: new Date(momentMs).toISOString() })

/** Moves posts one after the other, and offers to move them back; the service has the last word. */
const carryOut = (moves: readonly Move[], where: string): Promise<boolean> =>
  doAll(moves, reschedule, (moved) => {
    const text = `${moved.length === 1 ? 'Moved' : `Moved ${moved.length} posts`} ${where}.`
    const back = moved.map(([post]): Move => [post, momentOfPost(post)])
    return back.some(([{ status }]) => status !== 'scheduled')
      ? { text }
      : { text, undo: () => doAll(back, reschedule, () => ({ text: 'Moved back.' })) }
  })

const minuteOf = (ms: number) => ms - (ms % 60_000)

/** Moves from the minute of `fromMs` to the minute `momentMs`: posts keep their seconds, and their distance. */
const shift = (posts: readonly Post[], fromMs: number, momentMs: number) =>
  posts.map((post): Move => [post, momentOfPost(post) + momentMs - minuteOf(fromMs)])

/** The posts of a group that a move takes along: a thread moves with its first post. */
const movedWith = async (group: Group): Promise<readonly Post[] | undefined> => {
  const posts = await attempt(() => readGroup(group))
  const scheduled = posts?.filter(({ status }) => status === 'scheduled')
  return scheduled?.filter(({ thread }) => thread === null || thread.position === 1)
}

const moveGroup = async (group: Group, momentMs: number): Promise<boolean> => {
  const posts = await movedWith(group)
  const moves = shift(posts ?? [], momentOfGroup(group), momentMs)
  return moves.length > 0 && (await carryOut(moves, `to ${formatMoment(momentMs, zone.value)}`))
}

const sayMissing = (time: string) => say(`The clocks skip ${time} on this day.`, { isBad: true })

/** Moves groups by days; each keeps its time of day. */
export const moveGroups = async (groups: readonly Group[], days: number): Promise<boolean> => {
  const moves: Move[] = []
  for (const group of groups) {
    const posts = await movedWith(group)
    if (posts === undefined) return false
    const fromMs = momentOfGroup(group)
    const time = clockIn(fromMs, zone.value)
    const momentMs = momentOf(`${addDays(dayIn(fromMs, zone.value), days)}T${time}`, zone.value)
    if (momentMs === undefined) {
      sayMissing(time)
      return false
    }
    moves.push(...shift(posts, fromMs, momentMs))
  }
  if (moves.length === 0) say(onlyScheduled, { isBad: true })
  const count = Math.abs(days)
  return (
    moves.length > 0 && carryOut(moves, `${count} ${count === 1 ? 'day' : 'days'} ${days < 0 ? 'earlier' : 'later'}`)
  )
}

/** Moves a group to another day, at the same time of day or in another hour. */
const moveTo = async (group: Group, day: string, hour?: number): Promise<void> => {
  const own = clockIn(momentOfGroup(group), zone.value)
  const time = hour === undefined ? own : clockOf(hour * 60 + Number(own.slice(3)))
  const momentMs = momentOf(`${day}T${time}`, zone.value)
  if (momentMs === undefined) sayMissing(time)
  else if (time !== own || day !== dayIn(momentOfGroup(group), zone.value)) await moveGroup(group, momentMs)
}

/** A drag that began on another page has no group. */
let dragged: Group | undefined

/** The group that is dragged from now on, or none. */
export const drag = (group: Group | undefined): void => {
  dragged = group
}

/** Makes an element a target to which a group is dragged: a day, or an hour of it. */
export const dropAt = (setIsOver: (isOver: boolean) => void, day: string, hour?: number) => ({
  onDragOver(event: DragEvent) {
    if (dragged === undefined) return
    event.preventDefault()
    setIsOver(true)
  },
  onDragLeave: () => setIsOver(false),
  onDrop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    if (dragged !== undefined) void moveTo(dragged, day, hour)
    dragged = undefined
  },
})

/** How many days an arrow goes. */
export const daysOfKey: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
/** How many minutes an arrow goes with Shift. */
const minutesOfKey: Readonly<Record<string, number>> = { ArrowUp: -15, ArrowDown: 15, ArrowLeft: -60, ArrowRight: 60 }

/** Where the group goes that was moved by keys: the calendar shows that day, and the link of the group takes the focus. */
let landing: { groupId: string; momentMs: number } | undefined

const moveByKeys = async (group: Group, momentMs: number): Promise<void> => {
  if (!(await moveGroup(group, momentMs))) return
  landing = { groupId: group.groupId, momentMs }
  const day = dayIn(momentMs, zone.value)
  go(to('calendar', { ...Object.fromEntries(route.value.query), day }), { replace: true })
}

/** Gives the focus to the link of a group that has just been moved by keys. */
export const land = (link: HTMLElement | null, group: Group): void => {
  if (link === null || landing?.groupId !== group.groupId) return
  if (landing.momentMs !== minuteOf(momentOfGroup(group))) return
  landing = undefined
  // Its cell first, which joins the order of Tab.
  link.closest('td')?.focus()
  link.focus()
}

/** A key while a post is moved: arrows by day, with Shift by time, Enter and Escape. Returns whether it was one. */
export const keyWhileMoving = (event: KeyboardEvent): boolean => {
  const now = moving.value
  if (now === undefined) return false
  const [days, minutes] = [daysOfKey[event.key], minutesOfKey[event.key]]
  if (event.key === 'Escape') {
    moving.value = undefined
    announced.value = 'The post stays where it was.'
  } else if (event.key === 'Enter') {
    moving.value = undefined
    announced.value = ''
    const momentMs = momentOf(`${now.day}T${now.time}`, zone.value)
    if (momentMs === undefined) sayMissing(now.time)
    else void moveByKeys(now.group, momentMs)
  } else if (event.shiftKey && minutes !== undefined) {
    moving.value = { ...now, time: shifted(now.time, minutes) }
    announce()
  } else if (days !== undefined) {
    moving.value = { ...now, day: addDays(now.day, days) }
    announce()
  } else return false
  event.preventDefault()
  event.stopPropagation()
  return true
}
