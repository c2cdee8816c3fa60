import * as z from 'zod/mini'
import { type Book, findGroup, findSchedule, keyOf } from './book.ts'
import { checkTarget } from './delivery.ts'
import { firstFiring } from './firing.ts'
import { ScheduleRefusal } from './refusal.ts'
import { ClientToken, Name, type Operation, pageOf, read, type ScheduleRequest } from './request.ts'
import { arnOfSchedule, Definition, type Schedule } from './schedule.ts'

const Input = z.extend(Definition, { GroupName: z._default(Name, 'default'), ClientToken })

export const createSchedule: Operation = (book, request) => {
  const name = read(Name, request.name, 'name')
  const { GroupName: group, ClientToken: clientToken, ...definition } = read(Input, request.body)
  findGroup(book, group)
  const existing = book.schedules.get(keyOf(group, name))
  if (existing && existing.clientToken !== clientToken) {
    throw new ScheduleRefusal('ConflictException', `Schedule ${name} already exists.`)
  }
  if (!existing) {
    const now = book.now()
    const nextAt = checkDefinition(definition, now)
    book.schedules.set(keyOf(group, name), {
      name,
      group,
      definition,
      clientToken,
      createdAt: now,
      modifiedAt: now,
      nextAt,
    })
    book.changed()
  }
  return { ScheduleArn: arnOfSchedule(group, name) }
}

export const updateSchedule: Operation = (book, request) => {
  const { GroupName: group, ClientToken: _, ...definition } = read(Input, request.body)
  const schedule = findSchedule(book, group, request.name)
  const now = book.now()
  const nextAt = checkDefinition(definition, now)
  book.schedules.set(keyOf(group, request.name), { ...schedule, definition, modifiedAt: now, nextAt })
  book.changed()
  return { ScheduleArn: arnOfSchedule(group, request.name) }
}

/** Rejects what AWS rejects and returns when the schedule fires first. */
function checkDefinition(definition: Definition, now: number): number | undefined {
  const { FlexibleTimeWindow, StartDate, EndDate, Target } = definition
  if ((FlexibleTimeWindow.Mode === 'FLEXIBLE') !== (FlexibleTimeWindow.MaximumWindowInMinutes !== undefined)) {
    throw new ScheduleRefusal(
      'ValidationException',
      'MaximumWindowInMinutes belongs to the mode FLEXIBLE, and only to it.',
    )
  }
  if (StartDate !== undefined && EndDate !== undefined && StartDate >= EndDate) {
    throw new ScheduleRefusal('ValidationException', 'The StartDate must be earlier than the EndDate.')
  }
  checkTarget(Target)
  return firstFiring(definition, now)
}

export const getSchedule: Operation = (book, request) => {
  const schedule = find(book, request)
  return { ...schedule.definition, ...summaryOf(schedule), Target: schedule.definition.Target }
}

export const deleteSchedule: Operation = (book, request) => {
  const { group, name } = find(book, request)
  book.schedules.delete(keyOf(group, name))
  book.changed()
  return {}
}

function find(book: Book, { name, query }: ScheduleRequest): Schedule {
  return findSchedule(book, query.get('groupName') ?? 'default', name)
}

export const listSchedules: Operation = (book, { query }) => {
  const group = query.get('ScheduleGroup')
  const prefix = query.get('NamePrefix') ?? ''
  const state = query.get('State')
  if (group !== null) findGroup(book, group)
  const wanted = [...book.schedules].filter(
    ([, schedule]) =>
      (group === null || schedule.group === group) &&
      schedule.name.startsWith(prefix) &&
      (state === null || schedule.definition.State === state),
  )
  const { page, ...more } = pageOf(new Map(wanted), query)
  return { Schedules: page.map(summaryOf), ...more }
}

function summaryOf({ name, group, definition, createdAt, modifiedAt }: Schedule) {
  return {
    Arn: arnOfSchedule(group, name),
    Name: name,
    GroupName: group,
    State: definition.State,
    CreationDate: createdAt / 1000,
    LastModificationDate: modifiedAt / 1000,
    Target: { Arn: definition.Target.Arn },
  }
}
