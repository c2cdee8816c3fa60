import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countsOf } from '../../shared/db/counters.ts'
import { get, type Item } from '../../shared/db/table.ts'
import { minuteMs } from '../../shared/time.ts'
import { type Notes, startMemoryService } from '../api/memory/notes.ts'
import { scanTable } from '../support/world/rows.ts'

const { open } = startMemoryService()

const verbs = ['collect', 'collect', 'remember', 'remember', 'remember', 'forget', 'drop', 'close'] as const
/** What is done, and to which of the things that are there. */
interface Step {
  verb: (typeof verbs)[number]
  pick: number
}
const step: fc.Arbitrary<Step> = fc.record({ verb: fc.constantFrom(...verbs), pick: fc.nat(1_000) })
/** Steps of one group are made at the same moment. */
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 7 })

const pickFrom = <T>(things: readonly T[], pick: number): T | undefined => things[pick % Math.max(1, things.length)]

const rowsOf = async (notes: Notes): Promise<Item[]> =>
  (await scanTable(notes)).filter(({ PK }) => String(PK).startsWith(`WS#${notes.workspaceId}#`))

/** The counts say what counting the rows says, in the table and in the answers. */
const expectSound = async (notes: Notes) => {
  const rows = await rowsOf(notes)
  const ofType = (type: string) => rows.filter((row) => row['type'] === type)
  const live = ofType('Collection').filter((row) => row['deletedAtMs'] === undefined)
  const countOf = (id: unknown) => ofType('Memory').filter(({ collectionId }) => collectionId === id).length
  const { items, total } = await notes.api.memory.listCollections({ query: { limit: 200 } })
  const listed = items.map(({ id, memoryCount }) => [id, memoryCount]).sort()
  expect(listed).toEqual(live.map(({ id }) => [id, countOf(id)]).sort())
  expect(total).toBe(live.length)
  const countRow = await get(notes.ctx, { PK: countsOf(notes.workspaceId, 'COLLECTION'), SK: '0' })
  expect(countRow?.['taken'] ?? 0).toBe(live.length)
  for (const { id, memoryCount } of items) {
    const page = await notes.list(id)
    expect([page.total, page.items.length]).toEqual([memoryCount, memoryCount])
  }
}

/** Does a step with what there is; what is made is noted. */
const actIn = (notes: Notes) => {
  const made: { collections: string[]; memories: { id: string; collectionId: string }[] } = {
    collections: [],
    memories: [],
  }
  return async ({ verb, pick }: Step) => {
    const [collection, memory] = [pickFrom(made.collections, pick), pickFrom(made.memories, pick)]
    if (verb === 'collect') made.collections.push((await notes.collect()).id)
    if (verb === 'remember' && collection) made.memories.push(await notes.remember(collection))
    if (verb === 'forget' && memory) await notes.forget(memory)
    if (verb === 'drop' && collection) await notes.drop(collection)
    if (verb === 'close' && collection) await notes.change(collection, { isPrivate: pick % 2 === 0 })
  }
}

const expectNothingOrphaned = async (notes: Notes) => {
  const rows = await rowsOf(notes)
  const collections = rows.filter(({ type }) => type === 'Collection').map(({ id }) => id)
  const orphans = rows.filter(({ type, collectionId }) => type === 'Memory' && !collections.includes(collectionId))
  expect(orphans).toEqual([])
  expect(rows.filter((row) => row['deletedAtMs'] !== undefined)).toEqual([])
}

test('after any concurrent operations the counts match the rows, and nothing is orphaned', async () => {
  const all: Notes[] = []
  await fc.assert(
    fc.asyncProperty(groups, async (steps) => {
      const notes = await open()
      all.push(notes)
      const act = actIn(notes)
      for (const group of steps) {
        const answers = await Promise.allSettled(group.map(act))
        const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.status] : []))
        expect(refused.filter((status) => status !== 404)).toEqual([])
      }
      await expectSound(notes)
    }),
    { numRuns: 6 },
  )
  await all[0]?.service.pass(20 * minuteMs, { tickMinutes: 5 })
  for (const notes of all) {
    await expectSound(notes)
    await expectNothingOrphaned(notes)
  }
})
