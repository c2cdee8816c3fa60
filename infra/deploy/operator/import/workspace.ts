import { basename } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import * as z from 'zod/mini'
import { operatorActor } from '../../../../shared/audit/actor.ts'
import { bucketClient, cacheControl, headObject, objectOf, runOn } from '../../../../shared/aws/bucket.ts'
import type { Context } from '../../../../shared/context.ts'
import { moveCounts } from '../../../../shared/db/counters.ts'
import { absent, allOf, present } from '../../../../shared/db/expression.ts'
import { batchGet, type Write } from '../../../../shared/db/table.ts'
import { type Asset, assets } from '../../../../shared/media/asset.ts'
import { collections } from '../../../../shared/memory/collection.ts'
import { reserveCollection } from '../../../../shared/memory/collection-limit.ts'
import { type Memory, memories } from '../../../../shared/memory/memory.ts'
import { countPosts, sumMoves } from '../../../../shared/posts/counts.ts'
import { socialAccounts } from '../../../../shared/social-accounts/social-account.ts'
import { readTeam } from '../../../../shared/workspaces/list-members.ts'
import { changeVoice, voiceKeys } from '../../../../shared/workspaces/voice.ts'
import { workspaces } from '../../../../shared/workspaces/workspace.ts'
import { Stop } from '../../../local/stop.ts'
import type { ExportArchive } from './archive.ts'
import {
  AccountRecord,
  accountOf,
  assetOf,
  CollectionRecord,
  DraftRecord,
  draftOfPost,
  draftRow,
  MediaRecord,
  MemoryRecord,
  PostRecord,
  postRow,
  type Target,
  WorkspaceRecord,
} from './rows.ts'
import { writeNew } from './write.ts'

/** How many records of each kind an import has added. */
export type Imported = Record<'accounts' | 'media' | 'drafts' | 'collections' | 'memories' | 'posts', number>

const readAll = async <T>(archive: ExportArchive, kind: string, shape: z.ZodMiniType<T>): Promise<T[]> => {
  const records: T[] = []
  for await (const page of archive.records(kind)) records.push(...page.map((record) => z.parse(shape, record)))
  return records
}

const upload = async (
  ctx: Context,
  { storageKey, fileSize, mimeType }: Asset,
  archive: ExportArchive,
  name: string,
) => {
  if ((await headObject(ctx, storageKey))?.fileSize === fileSize) return
  const command = new PutObjectCommand({
    ...objectOf(ctx, storageKey),
    Body: await archive.read(name),
    ContentType: mimeType,
    ContentDisposition: 'inline',
    CacheControl: cacheControl,
  })
  await runOn(ctx, storageKey, 'PutObject', () => bucketClient(ctx).send(command))
}

/** Files first: a row never refers to a missing file. Media whose file was missing is left out. */
const importMedia = async (ctx: Context, archive: ExportArchive, target: Target): Promise<number> => {
  const stored: { row: ReturnType<typeof assets.item>; asset: Asset }[] = []
  for (const record of await readAll(archive, 'media', MediaRecord)) {
    const asset = assetOf(record, target)
    const name = `media/${basename(asset.storageKey)}`
    if (!archive.has(name)) continue
    await upload(ctx, asset, archive, name)
    stored.push({ row: assets.item(asset), asset })
  }
  return writeNew(ctx, stored, (added) => {
    const bytes = added.reduce((sum, { asset }) => sum + asset.fileSize, 0)
    const moves = new Map([
      ['all', added.length],
      ['bytes', bytes],
    ])
    return moveCounts(target.workspaceId, 'MEDIA', moves)
  })
}

const importMemories = async (ctx: Context, archive: ExportArchive, { workspaceId, ownerId: createdBy }: Target) => {
  const of = { workspaceId, createdBy }
  const all = await readAll(archive, 'memory_collections', CollectionRecord)
  const rows = all.map((collection) => ({
    row: collections.item({ ...collection, ...of, memoryCount: 0 }),
    beside: [reserveCollection(workspaceId)],
  }))
  let made = 0
  // One at a time: a transaction counts one collection.
  for (const row of rows) made += await writeNew(ctx, [row])
  const byCollection = Map.groupBy(await readAll(archive, 'memories', MemoryRecord), (memory) => memory.collectionId)
  let remembered = 0
  for (const [id, some] of byCollection) {
    const count = (added: readonly unknown[]): Write[] => [
      {
        update: collections.key({ workspaceId, id }),
        change: { add: { memoryCount: added.length } },
        when: allOf(present('PK'), absent('deletedAtMs')),
      },
    ]
    const lines = some.map((record): { row: ReturnType<typeof memories.item>; memory: Memory } => {
      const memory = { ...record, ...of }
      return { row: memories.item(memory), memory }
    })
    remembered += await writeNew(ctx, lines, count)
  }
  return { collections: made, memories: remembered }
}

const targetOf = async (ctx: Context, archive: ExportArchive, workspaceId: string) => {
  const workspace = await workspaces.get(ctx, { id: workspaceId })
  const owner = (await readTeam(ctx, workspaceId)).find(({ role }) => role === 'owner')
  if (workspace === undefined || owner === undefined) throw new Stop(`There is no workspace "${workspaceId}".`)
  const move = { from: archive.workspaceId, workspaceId }
  const records = await readAll(archive, 'social_accounts', AccountRecord)
  const rows = records.map((record) => ({ record, account: accountOf(record, move) }))
  const ids = new Map(rows.map(({ record, account }) => [record.id, account.id]))
  const added = await writeNew(
    ctx,
    rows.map(({ account }) => ({ row: socialAccounts.item(account) })),
  )
  return { target: { ...move, ownerId: owner.userId, accounts: ids }, added }
}

/**
 * Imports the content that people created: media, drafts, memories, posts, voice settings, and accounts without credentials.
 * The IDs stay, except those of accounts, so a repeat adds what is missing and changes nothing. Logs are not imported.
 */
export const importWorkspace = async (ctx: Context, archive: ExportArchive, workspaceId: string): Promise<Imported> => {
  const { target, added: accounts } = await targetOf(ctx, archive, workspaceId)
  const media = await importMedia(ctx, archive, target)
  const countDrafts = (added: readonly unknown[]) => moveCounts(workspaceId, 'DRAFT', new Map([['all', added.length]]))
  const written = await readAll(archive, 'drafts', DraftRecord)
  let drafts = await writeNew(
    ctx,
    written.map((draft) => draftRow(draft, target)),
    countDrafts,
  )
  const memory = await importMemories(ctx, archive, target)
  let posts = 0
  for await (const page of archive.records('posts')) {
    const records = page.map((record) => z.parse(PostRecord, record))
    const ended = records.filter(({ status }) => status !== 'scheduled' && status !== 'draft')
    posts += await writeNew(
      ctx,
      ended.map((post) => postRow(post, target)),
      (added) => countPosts(workspaceId, sumMoves(added.map(({ post }) => ({ post, to: post.status })))),
    )
    const waiting = records.filter(({ status }) => status === 'scheduled')
    drafts += await writeNew(
      ctx,
      waiting.map((post) => draftOfPost(post, target)),
      countDrafts,
    )
  }
  const [workspace] = await readAll(archive, 'workspace', WorkspaceRecord)
  if (workspace?.voiceSettings) {
    const rows = await batchGet(ctx, voiceKeys({ workspaceId }))
    await changeVoice(ctx, { asRead: rows, workspaceId }, workspace.voiceSettings, operatorActor('import-workspace'))
  }
  return { accounts, media, drafts, ...memory, posts }
}
