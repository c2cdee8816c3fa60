import type * as z from 'zod/mini'
import { ScheduleRefusal } from './refusal.ts'
import type { Group, Invocation, Schedule, StoredSchedules } from './schedule.ts'

/** What tests may do to a firing; assign or remove the hook at any time. */
export interface ScheduleFaults {
  onFire?: ((scheduleName: string) => 'keep' | 'lose' | 'double' | { delaySeconds: number }) | undefined
}

/** Everything the scheduler knows; schedules by `<group>/<name>`. */
export interface Book {
  readonly now: () => number
  readonly groups: Map<string, Group>
  readonly schedules: Map<string, Schedule>
  readonly invocations: Map<string, Invocation>
  /** The invocations whose delivery is under way. */
  readonly running: Map<string, Promise<void>>
  readonly faults: ScheduleFaults
  /** To be called after every change: keeps it on disk and sets the timer anew. */
  readonly changed: () => void
}

type State = Pick<Book, 'groups' | 'schedules' | 'invocations'>

export function openBook(stored: z.infer<typeof StoredSchedules> | undefined, now: number): State {
  const first = { name: 'default', tags: {}, createdAt: now, modifiedAt: now }
  return {
    groups: new Map((stored?.groups ?? [first]).map((group) => [group.name, group])),
    schedules: new Map(stored?.schedules.map((schedule) => [keyOf(schedule.group, schedule.name), schedule])),
    invocations: new Map(stored?.invocations.map((invocation) => [invocation.id, invocation])),
  }
}

export function dumpBook({ groups, schedules, invocations }: State): z.infer<typeof StoredSchedules> {
  return {
    groups: [...groups.values()],
    schedules: [...schedules.values()],
    invocations: [...invocations.values()],
  }
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
