import * as z from 'zod/mini'
import { type Book, findGroup } from './book.ts'
import { ScheduleRefusal } from './refusal.ts'
import { ClientToken, Name, type Operation, pageOf, read } from './request.ts'
import { arnOfGroup, type Group } from './schedule.ts'

const Tags = z.array(z.object({ Key: z.string(), Value: z.string() }))
const CreateInput = z.object({ ClientToken, Tags: z._default(Tags, []) })

export const createScheduleGroup: Operation = (book, request) => {
  const name = read(Name, request.name, 'name')
  const input = read(CreateInput, request.body)
  const existing = book.groups.get(name)
  if (existing && existing.clientToken !== input.ClientToken) {
    throw new ScheduleRefusal('ConflictException', `Schedule group ${name} already exists.`)
  }
  if (!existing) {
    const now = book.now()
    const tags = recordOf(input.Tags)
    book.groups.set(name, { name, tags, clientToken: input.ClientToken, createdAt: now, modifiedAt: now })
    book.changed()
  }
  return { ScheduleGroupArn: arnOfGroup(name) }
}

export const getScheduleGroup: Operation = (book, { name }) => summaryOf(findGroup(book, name))

/** Deletes the schedules in the group with it. */
export const deleteScheduleGroup: Operation = (book, { name }) => {
  findGroup(book, name)
  if (name === 'default')
    throw new ScheduleRefusal('ValidationException', 'The default schedule group cannot be deleted.')
  for (const [key, { group }] of book.schedules) if (group === name) book.schedules.delete(key)
  book.groups.delete(name)
  book.changed()
  return {}
}

export const listScheduleGroups: Operation = (book, { query }) => {
  const prefix = query.get('NamePrefix') ?? ''
  const { page, ...more } = pageOf(new Map([...book.groups].filter(([name]) => name.startsWith(prefix))), query)
  return { ScheduleGroups: page.map(summaryOf), ...more }
}

export const listTagsForResource: Operation = (book, { name: arn }) => ({
  Tags: Object.entries(findByArn(book, arn).tags).map(([Key, Value]) => ({ Key, Value })),
})

export const tagResource: Operation = (book, { name: arn, body }) => {
  const group = findByArn(book, arn)
  book.groups.set(group.name, { ...group, tags: { ...group.tags, ...recordOf(read(z.object({ Tags }), body).Tags) } })
  book.changed()
  return {}
}

export const untagResource: Operation = (book, { name: arn, query }) => {
  const group = findByArn(book, arn)
  const keys = query.getAll('TagKeys')
  const tags = Object.fromEntries(Object.entries(group.tags).filter(([key]) => !keys.includes(key)))
  book.groups.set(group.name, { ...group, tags })
  book.changed()
  return {}
}

function findByArn(book: Book, arn: string): Group {
  return findGroup(book, arn.split('/').at(-1) ?? '')
}

function recordOf(tags: z.infer<typeof Tags>): Record<string, string> {
  return Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]))
}

function summaryOf({ name, createdAt, modifiedAt }: Group) {
  return {
    Arn: arnOfGroup(name),
    Name: name,
    State: 'ACTIVE',
    CreationDate: createdAt / 1000,
    LastModificationDate: modifiedAt / 1000,
  }
}
