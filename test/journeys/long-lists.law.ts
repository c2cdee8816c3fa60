import { expect, test } from 'vitest'
import { put } from '../../shared/db/table.ts'
import { memories as memoryRows } from '../../shared/memory/memory.ts'
import { connectOn } from '../support/connect.ts'
import { start } from '../support/start.ts'

/** What Lambda answers at most (Lambda, "Quotas"). */
const maxBytes = 6 * 1024 * 1024

/** All pages of a list by its cursors: the ids, and how large each response is as JSON that contains it as a string. */
const readAll = async (url: string, path: string, filter: Record<string, string>, headers: Record<string, string>) => {
  const ids: string[] = []
  const sizes: number[] = []
  for (let next: Record<string, string> | undefined = {}; next !== undefined; ) {
    const answer: Response = await fetch(`${url}${path}?${new URLSearchParams({ limit: '200', ...filter, ...next })}`, {
      headers,
    })
    const body = await answer.text()
    expect(answer.status).toBe(200)
    sizes.push(Buffer.byteLength(JSON.stringify(body)))
    const { data }: { data: { items: { id: string }[]; nextCursor?: string; hasMore: boolean } } = JSON.parse(body)
    ids.push(...data.items.map(({ id }) => id))
    expect(data.hasMore).toBe(data.nextCursor !== undefined)
    next = data.nextCursor === undefined ? undefined : { cursor: data.nextCursor }
  }
  return { ids, sizes }
}

test('pages of posts and of memories have no more bytes than a function can answer, and their cursors reach all', async () => {
  const kit = await start()
  const headers = { authorization: `Bearer ${kit.sessionToken}`, 'x-workspace-id': kit.workspaceId }
  const account = await connectOn(kit, 'wordpress')
  const scheduledAt = new Date(kit.clock.now() + 3_600_000).toISOString()
  const made: string[] = []
  for (let n = 0; n < 15; n += 1) {
    const content = `${n} `.padEnd(100_000, '"')
    const [post] = await kit.api.posts.schedule({ body: { socialAccountIds: [account], content, scheduledAt } })
    made.push(post?.id ?? '')
  }
  const posts = await readAll(kit.url, '/api/posts', {}, headers)
  expect(posts.ids).toEqual(made.toSorted().toReversed())
  expect(posts.sizes.length).toBeGreaterThan(1)
  expect(Math.max(...posts.sizes)).toBeLessThan(maxBytes)

  const { id } = await kit.sessionApi.memory.createCollection({ body: { name: 'Long' } })
  // Written as rows: to create that many costs minutes.
  const long = Array.from({ length: 145 }, (_, n) => {
    const of = { id: `mem_${String(n).padStart(26, '0')}`, workspaceId: kit.workspaceId, collectionId: id }
    return { ...of, text: '"'.repeat(10_000), createdBy: 'x', createdAt: scheduledAt }
  })
  await Promise.all(long.map((row) => put(kit.ctx, memoryRows.item(row))))
  const memories = await readAll(kit.url, '/api/memory', { collectionId: id }, headers)
  expect(new Set(memories.ids).size).toBe(long.length)
  expect(memories.sizes.length).toBeGreaterThan(1)
  expect(Math.max(...memories.sizes)).toBeLessThan(maxBytes)
})
