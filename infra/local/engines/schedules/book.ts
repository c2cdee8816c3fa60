import type { StoredRows } from '../stored-rows.ts'
import { ScheduleRefusal } from './refusal.ts'
import { Group, Invocation, Schedule } from './schedule.ts'

/** What tests may do to a firing; assign or remove the hook at any time. */
export interface ScheduleFaults {
  onFire?: ((scheduleName: string) => 'keep' | 'lose' | 'double' | { delaySeconds: number }) | undefined
}

/** All state of the scheduler; schedules by `<group>/<name>`. Values are replaced, never mutated. */
export interface Book {
  readonly now: () => number
  readonly groups: Map<string, Group>
  readonly schedules: Map<string, Schedule>
  readonly invocations: Map<string, Invocation>
  /** The invocations whose delivery is in flight. */
  readonly running: Map<string, Promise<void>>
  readonly faults: ScheduleFaults
  /** To be called after every change: it is on disk when this returns, and the timer is set again. */
  readonly changed: () => void
}

/** The maps of a book as its file has them; a new one has the group that every account has. */
export function openBook(rows: StoredRows): Pick<Book, 'groups' | 'schedules' | 'invocations'> {
  const groups = rows.map<string, typeof Group>('groups', Group)
  if (groups.size === 0) groups.set('default', { name: 'default' })
  return { groups, schedules: rows.map('schedules', Schedule), invocations: rows.map('invocations', Invocation) }
}

export function keyOf(group: string, name: string): string {
  return `${group}/${name}`
}

export function findGroup(book: Book, name: string): Group {
  const group = book.groups.get(name)
  if (!group) throw new ScheduleRefusal('ResourceNotFoundException', `Schedule group ${name} does not exist.`)
  return group
}

export function findSchedule(book: Book, group: string, name: string): Schedule {
  findGroup(book, group)
  const schedule = book.schedules.get(keyOf(group, name))
  if (!schedule) throw new ScheduleRefusal('ResourceNotFoundException', `Schedule ${name} does not exist.`)
  return schedule
}
