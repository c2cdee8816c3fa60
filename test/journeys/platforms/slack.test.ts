import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs } from '../../../shared/time.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { expectSound } from '../invariants.ts'
import { uploadPng } from '../upload.ts'

let kit: Kit
let account: string
beforeAll(async () => {
  kit = await start()
  account = await connectOn(kit, 'slack')
}, 120_000)
afterAll(async () => {
  await expectSound(kit)
  await kit.close()
})

const metadata = { slack: { channelId: 'C0DEMO002', channelName: 'random' } }

async function publish(content: string, mediaUrls: string[], more: object = {}) {
  const scheduledAt = new Date(kit.clock.now() + 10 * minuteMs).toISOString()
  const block = { slack: { ...metadata.slack, ...more } }
  const body = { socialAccountIds: [account], content, metadata: block, mediaUrls, scheduledAt }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  await kit.service.pass(11 * minuteMs)
  return kit.api.posts.get({ params: { id } })
}

test('a text and files are published to the channel on time', async () => {
  const text = await publish('Tea & cake at <five>', [])
  const pictures = await publish('Two pictures', [(await uploadPng(kit)).id, (await uploadPng(kit)).id])
  const [first, second, ...more] = kit.platforms.published()
  expect(more).toEqual([])
  expect(first).toMatchObject({ account: 'Acme #random', text: 'Tea & cake at <five>', media: [] })
  expect(second).toMatchObject({ account: 'Acme #random', text: 'Two pictures' })
  expect(second?.media).toHaveLength(2)
  expect(text).toMatchObject({ status: 'published', publishedPostUrl: first?.url, error: null })
  expect(pictures).toMatchObject({ status: 'published', publishedPostUrl: second?.url, error: null })
})

test('Markdown, and a reply of blocks in its thread', async () => {
  const long = `# Bread\n\n${'a'.repeat(11_000)}`
  const first = await publish(long, [], { format: 'markdown' })
  const blocks = [{ type: 'section', text: { type: 'plain_text', text: 'At six' } }, { type: 'divider' }]
  const reply = await publish('When?', [], { threadTs: first.platformPostId, isBroadcast: true, blocks })
  expect(reply).toMatchObject({ status: 'published', metadata: { slack: { blocks } } })
  expect(kit.platforms.published().slice(-2)).toMatchObject([
    { text: long, replyTo: null, extras: ['Markdown'], url: first.publishedPostUrl },
    { text: 'When?', replyTo: first.publishedPostUrl, extras: ['shown in the channel', 'blocks: section, divider'] },
  ])
})

test('finds files with a lost response by their share and does not post them twice', async () => {
  const before = kit.platforms.published().length
  kit.platforms.faults.add({ platform: 'slack', operation: 'create', times: 1, fault: 'landed_then_reset' })
  const post = await publish('Lost and found', [(await uploadPng(kit)).id])
  expect(post.status).toBe('scheduled')
  await kit.service.pass(10 * minuteMs)
  const [published, ...more] = kit.platforms.published().slice(before)
  expect(more).toEqual([])
  const settled = await kit.api.posts.get({ params: { id: post.id } })
  expect(settled).toMatchObject({ status: 'published', publishedPostUrl: published?.url })
})

test('rejects invalid posts at schedule time', async () => {
  const codes = async (more: object) => {
    const body = { socialAccountIds: [account], content: 'Hi', metadata, mediaUrls: [], ...more }
    return (await kit.api.posts.validate({ body })).issues.map(({ code }) => code)
  }
  expect(await codes({})).toEqual([])
  expect(await codes({ metadata: {} })).toEqual(['metadata_required'])
  expect(await codes({ metadata: { slack: { channelId: '#random' } } })).toEqual(['metadata_invalid'])
  expect(await codes({ content: '' })).toEqual(['content_empty'])
  expect(await codes({ content: 'x'.repeat(4001) })).toEqual(['content_length'])
})
