import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { put } from '../../../shared/db/table.ts'
import { ulid } from '../../../shared/ids.ts'
import { memories } from '../../../shared/memory/memory.ts'
import { updateIndex } from '../../../shared/memory/search/update-index.ts'
import { type Kit, start } from '../../support/start.ts'
import { chaff, collect, fill, find } from './library.ts'

let kit: Kit

beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

type Step =
  | { kind: 'create' | 'search' | 'build' | 'builds' | 'sweep' }
  | { kind: 'commitLate'; afterSeconds: number }
  | { kind: 'remove'; which: number }
  | { kind: 'wait'; seconds: number }

const simple = (kind: 'create' | 'search' | 'build' | 'builds' | 'sweep') => fc.constant<Step>({ kind })
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    simple('create'),
    simple('search'),
    simple('build'),
    simple('builds'),
    simple('sweep'),
    fc.record({ kind: fc.constant('commitLate'), afterSeconds: fc.integer({ min: 1, max: 28 }) }),
    fc.record({ kind: fc.constant('remove'), which: fc.nat(20) }),
    fc.record({ kind: fc.constant('wait'), seconds: fc.integer({ min: 1, max: 90 }) }),
  ),
  { minLength: 4, maxLength: 14 },
)

/** Walks through the steps and keeps a list of all memories; a search must find exactly those. */
const walk = async (todo: readonly Step[]) => {
  const { ctx, workspaceId, user, clock, api } = kit
  const { id: collectionId } = await collect(kit, [])
  // Enough for an index file.
  await fill(kit, collectionId, chaff(50))
  const there: string[] = []
  const message = { workspaceId, collectionId }
  const check = async () => expect((await find(kit, 'walrus', [collectionId])).sort()).toEqual([...there].sort())
  for (const step of todo) {
    switch (step.kind) {
      case 'create':
        there.push((await api.memory.create({ body: { text: `A walrus, number ${there.length}`, collectionId } })).id)
        break
      case 'commitLate': {
        // A function drew the id, then was slow; others wrote and indexed in the meantime.
        const id = `mem_${ulid(clock.now())}`
        clock.pass(step.afterSeconds * 1000)
        await updateIndex(ctx, message)
        const createdAt = new Date(clock.now()).toISOString()
        await put(
          ctx,
          memories.item({ id, workspaceId, collectionId, text: 'A late walrus', createdBy: user.id, createdAt }),
        )
        there.push(id)
        break
      }
      case 'remove': {
        const id = there[step.which % Math.max(1, there.length)]
        if (id === undefined) break
        await api.memory.delete({ params: { id }, body: { collectionId } })
        there.splice(there.indexOf(id), 1)
        break
      }
      case 'build':
        await updateIndex(ctx, message)
        break
      case 'builds':
        await Promise.all([updateIndex(ctx, message), updateIndex(ctx, message), check()])
        break
      case 'sweep':
        await kit.service.pass(61_000)
        break
      case 'wait':
        clock.pass(step.seconds * 1000)
        break
      case 'search':
        await check()
    }
  }
  await check()
  clock.pass(120_000)
  await updateIndex(ctx, message)
  await check()
}

test('during any creates, removals, late commits, and indexing, a search finds exactly what exists', async () => {
  await fc.assert(fc.asyncProperty(steps, walk), {
    numRuns: 8,
    examples: [[[{ kind: 'commitLate', afterSeconds: 28 }]]],
  })
}, 120_000)
