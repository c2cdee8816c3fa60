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

async function publish(content: string, mediaUrls: string[]) {
  const scheduledAt = new Date(kit.clock.now() + 10 * minuteMs).toISOString()
  const body = { socialAccountIds: [account], content, metadata, mediaUrls, scheduledAt }
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

test('finds files with a lost response by their share and does not post them twice', async () => {
  const before = kit.platforms.published().length
  kit.platforms.faults.add({ platform: 'slack', operation: 'create', times: 1, fault: 'landed_then_reset' })
  const post = await publish('Lost and found', [(await uploadPng(kit)).id])
  expect(post.status).toBe('scheduled')
  await kit.service.pass(10 * minuteMs)
  const [found, ...more] = kit.platforms.published().slice(before)
  expect(more).toEqual([])
  const settled = await kit.api.posts.get({ params: { id: post.id } })
  expect(settled).toMatchObject({ status: 'published', publishedPostUrl: found?.url })
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
