import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ExportArchive } from '../../infra/deploy/operator/import/archive.ts'
import { importWorkspace } from '../../infra/deploy/operator/import/workspace.ts'
import { transact } from '../../shared/db/table.ts'
import { pair, ulid } from '../../shared/ids.ts'
import { countPosts, sumMoves } from '../../shared/posts/counts.ts'
import { neverClaimed, type Post, posts } from '../../shared/posts/lifecycle/row.ts'
import { splitLongTexts } from '../../shared/posts/texts.ts'
import { crashAfter } from '../support/crash-after.ts'
import { type Kit, start } from '../support/start.ts'
import { makeAsset } from '../support/world/preparations.ts'
import { apiOf, download, exportOnce } from './exports.ts'
import { readArchive, recordsIn } from './read-archive.ts'

const count = 10_000
const perWrite = 40

/** Posts that were published long ago, some of them with a long text, a file, and metadata. */
const publish = async ({ ctx, clock, workspaceId, accounts }: Kit, asset: Awaited<ReturnType<typeof makeAsset>>) => {
  const { id, storageKey, mimeType, fileSize, originalFilename } = asset
  const media = [{ id, storageKey, mimeType, fileSize, originalFilename }]
  for (let from = 0; from < count; from += perWrite) {
    const made = Array.from({ length: perWrite }, (_, n) => {
      const atMs = clock.now() - (count - from - n) * 60_000
      const groupId = ulid(atMs)
      const at = new Date(atMs).toISOString()
      const texts = splitLongTexts(workspaceId, groupId)
      const text = (from + n) % 500 === 0 ? 'ö'.repeat(3000) : `Post ${from + n} “quoted” \n🥖`
      const isFailed = n % 10 === 0
      const post: Post = {
        id: groupId + pair(0),
        workspaceId,
        groupId,
        socialAccountId: accounts.discord,
        platform: 'discord',
        status: isFailed ? 'failed' : 'published',
        ...texts.store(text),
        scheduledAt: at,
        scheduledAtMs: atMs,
        createdAt: at,
        publishedPostUrl: isFailed ? null : `https://discord.test/${groupId}`,
        version: 3,
        error: isFailed ? 'It was rejected.' : null,
        sequence: 2,
        ...neverClaimed,
        ...(isFailed ? { reason: 'rejected' as const, retrySafe: true } : {}),
        media: n % 3 === 0 ? media : [],
        metadata: JSON.stringify({ channelId: String(n), deep: [{ er: null }] }),
      }
      return { post, writes: texts.writes() }
    })
    await transact(ctx, () => [
      ...made.flatMap(({ post, writes }) => [{ put: posts.item(post) }, ...writes]),
      ...countPosts(workspaceId, sumMoves(made.map(({ post }) => ({ post, to: post.status })))),
    ])
  }
}

/** The records of an archive that an import takes over, without what is another one's by nature: a version counts the changes of one row. */
const contentsOf = (files: ReadonlyMap<string, Buffer>, accounts: ReadonlyMap<unknown, unknown>) => {
  const manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '')
  const normal = (kind: string) =>
    recordsIn(files, kind).map(({ version, ...record }) => {
      const text = JSON.stringify(record).replaceAll(manifest.workspaceId, 'ws')
      return [...accounts].reduce((sum, [from, to]) => sum.replaceAll(String(from), String(to)), text)
    })
  return {
    ...Object.fromEntries(
      ['posts', 'media', 'memory_collections', 'memories'].map((kind) => [kind, normal(kind).toSorted()]),
    ),
    drafts: normal('drafts').toSorted(),
    voice: recordsIn(files, 'workspace').map(({ voiceSettings }) => voiceSettings),
    bytes: [...files]
      .filter(([name]) => name.startsWith('media/'))
      .map(([name, bytes]) => [name, bytes.toString('hex')]),
  }
}

test('an export with 10,000 posts is imported into an empty workspace with equal contents, also after deaths', async () => {
  const kit = await start({ quotas: { exports: 100 } })
  const asset = await makeAsset(kit)
  await publish(kit, asset)
  await kit.api.drafts.create({ body: { content: 'Not yet', mediaUrls: [asset.id], name: 'One' } })
  const { id: collectionId } = await kit.sessionApi.memory.createCollection({ body: { name: 'Voices' } })
  for (const text of ['On the day.', 'With seeds.'])
    await kit.sessionApi.memory.create({ body: { collectionId, text } })
  await kit.sessionApi.workspaces.updateVoice({
    params: { id: kit.workspaceId },
    body: { tone: 'warm', style: 'short' },
  })
  await kit.service.drain()
  const bytes = await download(kit, await exportOnce(kit))
  const folder = await mkdtemp(join(tmpdir(), 'social-import-'))
  const path = join(folder, 'archive.zip')
  await writeFile(path, bytes)
  const { id: target } = await kit.sessionApi.workspaces.create({ body: { name: 'Empty', timezone: 'UTC' } })
  const archive = await ExportArchive.open(path)
  const run = crashAfter(kit.ctx, async (ctx, id: string) => {
    await importWorkspace(ctx, archive, id)
  })
  // It dies early and late, and is run again.
  for (const at of [3, 12, 200]) await run(target, at)
  await importWorkspace(kit.ctx, archive, target)
  const again = await importWorkspace(kit.ctx, archive, target)
  expect(again).toEqual({ accounts: 0, media: 0, drafts: 0, collections: 0, memories: 0, posts: 0 })
  archive.close()
  const before = await readArchive(bytes)
  const after = await readArchive(await download(kit, await exportOnce(kit, target), target))
  const accountsOf = (files: ReadonlyMap<string, Buffer>) =>
    new Map(recordsIn(files, 'social_accounts').map(({ id, externalId }) => [externalId, id]))
  const [old, made] = [accountsOf(before), accountsOf(after)]
  const mapped = new Map([...old].map(([externalId, id]) => [id, made.get(externalId)]))
  const [expected, actual] = [contentsOf(before, mapped), contentsOf(after, new Map())]
  for (const kind of Object.keys(expected))
    expect(actual[kind as keyof typeof actual], kind).toEqual(expected[kind as keyof typeof expected])
  expect(recordsIn(after, 'posts').length).toBe(count)
  const { total } = await apiOf(kit, target).posts.list({ query: { status: 'published', limit: '1' } })
  expect(total).toBe(count * 0.9)
  await rm(folder, { recursive: true })
}, 600_000)
