import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import { inventAccounts } from '../support/every-account.ts'
import { type Kit, start } from '../support/start.ts'
import { knownHostile } from '../support/world/growth/hostile.ts'
import { uncounted } from '../support/world/uncounted.ts'

const maxUnits = 100_000

let kit: Kit
let accounts: readonly { id: string; platform: PlatformId }[]

beforeAll(async () => {
  kit = await start({ rateLimits: uncounted })
  const ids = await inventAccounts(kit)
  accounts = platformIds.map((platform) => ({ id: ids[platform], platform }))
}, 240_000)
afterAll(() => kit.close())

const metadataOf = (text: string) => ({
  discord: { channelId: '1300000000000000101' },
  slack: { channelId: 'C0123456789' },
  instagram: { format: 'feed_image', caption: text },
  pinterest: { boardId: '1', title: text, description: text },
  reddit: { subreddit: 'test', kind: 'self', title: `${text}\n`, body: text },
  tiktok: { privacyLevel: 'SELF_ONLY', title: text },
  youtube: { title: text },
})

/** Sends a body; returns the status and the processor time of the whole process during the call, in milliseconds. */
const post = async (path: string, body: object) => {
  const before = process.cpuUsage()
  const { status } = await fetch(`${kit.url}/api/posts/${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${kit.sessionToken}`,
      'X-Workspace-Id': kit.workspaceId,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  const { user, system } = process.cpuUsage(before)
  return { status, cpuMs: (user + system) / 1000 }
}

/** Half of the maximum size of a body. */
const maxBytes = 500_000
const scheduledAt = () => new Date(kit.clock.now() + 3_600_000).toISOString()

/** One text, on every platform, its own limit of 50 ms for each, and what the request costs besides. */
const maxCpuMs = 50 * platformIds.length + 1000

test('validates hostile texts of 100 KB on every platform in bounded time', async () => {
  for (const { name, textOf } of knownHostile) {
    const content = textOf(maxUnits)
    const metadata = Buffer.byteLength(content) > 110_000 ? metadataOf('short') : metadataOf(content)
    const { status, cpuMs } = await post('validate', {
      socialAccountIds: accounts.map(({ id }) => id),
      content,
      metadata: Buffer.byteLength(JSON.stringify(metadata)) > maxBytes * 1.8 ? metadataOf('short') : metadata,
    })
    expect([name, status]).toEqual([name, 200])
    expect(cpuMs, name).toBeLessThan(maxCpuMs)
  }
}, 120_000)

test('rejects a post with a hostile text in bounded time', async () => {
  for (const { name, textOf } of knownHostile) {
    const content = textOf(maxUnits)
    const socialAccountIds = accounts.map(({ id }) => id)
    const body = { socialAccountIds, content, metadata: metadataOf('short'), scheduledAt: scheduledAt() }
    const { status, cpuMs } = await post('schedule', body)
    expect([name, status]).toEqual([name, 400])
    expect(cpuMs, name).toBeLessThan(maxCpuMs)
  }
}, 120_000)

test('rejects a thread of hostile texts in bounded time', async () => {
  const x = accounts.find(({ platform }) => platform === 'x')?.id
  for (const { name, textOf } of knownHostile) {
    const content = textOf(maxUnits)
    const tweets = Array.from({ length: Math.max(2, Math.floor(maxBytes / Buffer.byteLength(content))) }, () => ({
      content,
    }))
    const { status, cpuMs } = await post('schedule-thread', { socialAccountId: x, tweets, scheduledAt: scheduledAt() })
    expect([name, status]).toEqual([name, 400])
    expect(cpuMs, name).toBeLessThan(50 * tweets.length + 1000)
  }
}, 120_000)
