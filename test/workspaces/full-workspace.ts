import { PutObjectCommand } from '@aws-sdk/client-s3'
import { bucketClient, objectOf } from '../../shared/aws/bucket.ts'
import type { Context } from '../../shared/context.ts'
import { moveCounts } from '../../shared/db/counters.ts'
import { sweepAt } from '../../shared/db/sweep-at.ts'
import { type Item, transact, type Write } from '../../shared/db/table.ts'
import { drafts } from '../../shared/drafts/draft.ts'
import { makeEvent } from '../../shared/events/event.ts'
import { expiryOf, recordEvents } from '../../shared/events/outbox.ts'
import { accessTokens } from '../../shared/identity/access-token.ts'
import { random62, ulid } from '../../shared/ids.ts'
import { assets } from '../../shared/media/asset.ts'
import { removal } from '../../shared/media/job.ts'
import { recordMediaUse } from '../../shared/media/media-file.ts'
import { foldersOf, storageKeyOf } from '../../shared/media/reference.ts'
import { collections } from '../../shared/memory/collection.ts'
import { reserveCollection } from '../../shared/memory/collection-limit.ts'
import { memories } from '../../shared/memory/memory.ts'
import { neverClaimed, posts } from '../../shared/posts/lifecycle/row.ts'
import { bodiesOf } from '../../shared/posts/texts.ts'
import { deliveries, pendingDelivery } from '../../shared/webhooks/deliveries/lifecycle/row.ts'
import { endpoints } from '../../shared/webhooks/endpoints/endpoint.ts'
import { healths, newHealth } from '../../shared/webhooks/health/row.ts'
import { replaysOf, runningReplayKey } from '../../shared/webhooks/replays/replay.ts'
import { deletions } from '../../shared/workspaces/deletion.ts'
import { invitationPointer, invitations } from '../../shared/workspaces/invitation.ts'
import { slugKey } from '../../shared/workspaces/slug.ts'
import { members, membershipKey } from '../../shared/workspaces/workspace.ts'
import { firstEvent } from '../support/first-event.ts'
import type { Kit } from '../support/start.ts'
import { scanTable } from '../support/world/rows.ts'

const createdAt = '2030-01-01T00:00:00.000Z'

const draw = (ctx: Context, workspaceId: string, nowMs: number): Write[] => {
  const of = { workspaceId, createdAt }
  const [postId, assetId, hookId, userId] = [
    `${ulid(nowMs)}00`,
    `med_${ulid(nowMs)}`,
    `whe_${random62(20)}`,
    random62(12),
  ]
  const account = { socialAccountId: 'acc_none', platform: 'bluesky', groupId: postId.slice(0, 26) } as const
  const outboxId = ulid(nowMs)
  const workspace = { id: workspaceId, name: 'E', slug: 'e' }
  const event = makeEvent('post.published', workspace, nowMs, firstEvent(outboxId), {})
  const delivery = pendingDelivery(
    {
      workspaceId,
      endpointId: hookId,
      outboxId,
      eventIndex: 0,
      eventId: event.id,
      eventType: event.type,
      attempt: 1,
      step: 1,
      firstAtMs: nowMs,
      cause: 'event',
      ttl: expiryOf(ctx),
    },
    nowMs,
    nowMs,
  )
  const storageKey = storageKeyOf(workspaceId, assetId, 'png')
  const file = { storageKey, originalFilename: 'a.png', mimeType: 'image/png', fileSize: 1, altText: null }
  const hook = { name: 'h', url: 'https://h.test', events: [], enabled: true, disabledReason: null, secrets: [] }
  const collection = { id: `col_${postId}`, name: 'c', color: null, isPrivate: true } as const
  const invitation = {
    id: `inv_${userId}`,
    email: 'g@mail.test',
    role: 'member',
    tokenHash: `hash of ${workspaceId}`,
  } as const
  const token = { id: 'abcd', userId, name: 't', scopes: ['*'], secretHash: '', revokedAt: null }
  const post = {
    ...of,
    ...account,
    id: postId,
    status: 'published' as const,
    content: 'x',
    scheduledAt: createdAt,
    scheduledAtMs: nowMs,
    publishedPostUrl: null,
    error: null,
    version: 1,
    sequence: 1,
    ...neverClaimed,
  }
  return [
    { put: posts.item({ ...post, media: [] }) },
    { put: { PK: bodiesOf(workspaceId), SK: 'body', type: 'Body', text: 'long' } },
    ...recordEvents(ctx, outboxId, event.workspace, [event]),
    { put: { PK: replaysOf(workspaceId), SK: 'rpl_1', type: 'Replay', workspaceId } },
    { put: { ...runningReplayKey({ workspaceId, endpointId: hookId }), type: 'ReplayTurn', workspaceId } },
    ...moveCounts(workspaceId, 'POST', new Map([['all', 1]])),
    ...moveCounts(workspaceId, 'MEDIA', new Map([['all', 1]])),
    ...moveCounts(workspaceId, 'DRAFT', new Map([['all', 1]])),
    { put: drafts.item({ ...of, id: `drf_${postId}`, content: 'x', version: 1, updatedAt: createdAt }) },
    reserveCollection(workspaceId),
    { put: collections.item({ ...of, ...collection, createdBy: userId, memoryCount: 1, updatedAt: createdAt }) },
    { put: memories.item({ ...of, id: `mem_${postId}`, collectionId: collection.id, text: 'x', createdBy: userId }) },
    ...recordMediaUse(workspaceId, postId, [{ id: assetId }], nowMs),
    { put: assets.item({ ...of, ...file, id: assetId }) },
    removal({ workspaceId, id: assetId, storageKey }, nowMs),
    { put: endpoints.item({ ...of, ...hook, id: hookId, secretHint: '', updatedAt: createdAt }) },
    { put: deliveries.item(delivery) },
    { put: healths.item(newHealth({ workspaceId, id: hookId }, nowMs)) },
    { put: members.item({ ...of, userId, role: 'member', status: 'active' }) },
    { put: { ...membershipKey(userId, workspaceId), type: 'Membership' } },
    { put: accessTokens.item({ ...token, workspaceId, createdAt, expiresAt: null }) },
    {
      put: invitations.item({
        ...of,
        ...invitation,
        invitedBy: userId,
        inviterName: 'I',
        expiresAt: '2031-01-01T00:00:00.000Z',
      }),
    },
    { put: { ...invitationPointer(invitation.tokenHash), type: 'InvitationPointer', workspaceId, id: invitation.id } },
    { put: { PK: `WS#${workspaceId}`, SK: 'VOICE', type: 'Voice', workspaceId, tone: 'warm' } },
  ]
}

/** What is left of a workspace with a row of every kind and a file when its deletion was requested and has not started. */
export const fillWorkspace = async ({ ctx, clock }: Kit): Promise<string> => {
  const nowMs = clock.now()
  const id = `ws_${ulid(nowMs)}`
  const slug = id.toLowerCase()
  const deletion = { id, workspaceId: id, slug, status: 'pending', requestedAtMs: nowMs } as const
  await transact(ctx, () => [
    ...draw(ctx, id, nowMs),
    { put: { ...slugKey(slug), type: 'Slug', workspaceId: id } },
    { put: { ...deletions.item(deletion), ...sweepAt(id, nowMs) } },
  ])
  const lay = (folder: string) =>
    bucketClient(ctx).send(new PutObjectCommand({ ...objectOf(ctx, `${folder}file.png`), Body: 'x' }))
  await Promise.all(foldersOf(id).map(lay))
  return id
}

/** Everything that the table still has about a workspace, without expired rows. */
export const tracesOf = async (kit: Kit, workspaceId: string): Promise<Item[]> =>
  (await scanTable(kit)).filter(
    (row) => JSON.stringify(row).includes(workspaceId) && !(Number(row['ttl']) * 1000 < kit.clock.now()),
  )
