import * as z from 'zod/mini'
import { type Book, findGroup, findSchedule, keyOf } from './book.ts'
import { checkTarget } from './delivery.ts'
import { firstFiring } from './firing.ts'
import { ScheduleRefusal } from './refusal.ts'
import { ClientToken, Name, type Operation, read, type ScheduleRequest } from './request.ts'
import { arnOfGroup, arnOfSchedule, Definition, type Schedule } from './schedule.ts'

const Input = z.extend(Definition, { GroupName: z._default(Name, 'default'), ClientToken })
const GroupInput = z.object({ ClientToken })

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
    book.schedules.set(keyOf(group, name), { name, group, definition, clientToken, createdAt: now, nextAt })
    book.changed()
  }
  return { ScheduleArn: arnOfSchedule(group, name) }
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
  const { name, group, definition, createdAt } = find(book, request)
  return {
    ...definition,
    Arn: arnOfSchedule(group, name),
    Name: name,
    GroupName: group,
    CreationDate: createdAt / 1000,
    LastModificationDate: createdAt / 1000,
  }
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

export const createScheduleGroup: Operation = (book, request) => {
  const name = read(Name, request.name, 'name')
  const { ClientToken: clientToken } = read(GroupInput, request.body)
  const existing = book.groups.get(name)
  if (existing && existing.clientToken !== clientToken) {
    throw new ScheduleRefusal('ConflictException', `Schedule group ${name} already exists.`)
  }
  if (!existing) {
    book.groups.set(name, { name, clientToken })
    book.changed()
  }
  return { ScheduleGroupArn: arnOfGroup(name) }
}
