import { removeIndexFiles } from '../../../shared/aws/index-bucket.ts'
import { put, update } from '../../../shared/db/table.ts'
import { ulid } from '../../../shared/ids.ts'
import { collections } from '../../../shared/memory/collection.ts'
import { memories } from '../../../shared/memory/memory.ts'
import { connectedAssistant } from '../../mcp/assistant.ts'
import type { Kit } from '../start.ts'
import { makeCollection, minuteMs } from './preparations.ts'
import { happyTool } from './tool-calls.ts'

/** Writes memories directly in the table, more than one run adds to an index file. */
const fill = async ({ ctx, workspaceId, user }: Kit, collectionId: string) => {
  const createdAt = new Date(ctx.clock.now()).toISOString()
  for (let n = 0; n <= 2_000; n += 1) {
    const id = `mem_${ulid(ctx.clock.now() + n)}`
    const text = `Thought number ${n}`
    await put(ctx, memories.item({ id, workspaceId, collectionId, text, createdBy: user.id, createdAt }))
  }
  // The next one that is created requests an index.
  await update(ctx, collections.key({ workspaceId, id: collectionId }), { set: { memoryCount: 99 } })
}

/** Texts are generated from the memories of an indexed collection; the file of the index is missing once. */
const writeFrom = async ({ ctx, sessionApi, service }: Kit, collectionId: string) => {
  const body = { prompt: 'thought', platforms: ['x' as const], collectionIds: [collectionId] }
  await removeIndexFiles(ctx, '')
  await sessionApi.ai.generate({ body })
  await sessionApi.ai.createJob({ body })
  await service.pass(3 * minuteMs)
  await sessionApi.ai.generate({ body })
  await sessionApi.ai.createJob({ body })
  await service.pass(3 * minuteMs)
}

/** Memories are indexed, found, removed, and their collection with them; a removal's message is lost on the way. */
export const searchEverywhere = async (kit: Kit): Promise<void> => {
  const { id } = await makeCollection(kit)
  await fill(kit, id)
  const search = () => kit.api.memory.search({ body: { prompt: 'thought', collectionIds: [id] } })
  const { token } = await connectedAssistant(kit)
  const searchByTool = () => happyTool(kit, token, 'search_memories', { prompt: 'thought', collectionIds: [id] })
  const memory = await kit.api.memory.create({ body: { text: 'The last thought', collectionId: id } })
  await kit.service.pass(5 * minuteMs)
  // The file of the index is missing once.
  await removeIndexFiles(kit.ctx, '')
  await search()
  await searchByTool()
  await kit.service.pass(3 * minuteMs)
  await search()
  await searchByTool()
  await writeFrom(kit, id)
  await kit.api.memory.delete({ params: { id: memory.id }, body: { collectionId: id } })
  await kit.service.pass(3 * minuteMs)
  await search()
  await kit.api.memory.deleteCollection({ params: { id } })
  await kit.service.pass(16 * minuteMs, { tickMinutes: 4 })
}
