import { expect, test } from 'vitest'
import { makeEvent } from '../../shared/events/event.ts'
import { postEvent } from '../../shared/posts/event.ts'
import { neverClaimed, type Post } from '../../shared/posts/lifecycle/row.ts'
import { expectAsDocumented } from '../journeys/event-contract.ts'

const workspace = { id: 'ws_1', name: 'Acme', slug: 'acme' }
const moment = '2030-01-01T12:00:00.000Z'
const post: Post = {
  id: 'post',
  workspaceId: 'ws_1',
  groupId: 'group',
  socialAccountId: 'acc_1',
  platform: 'facebook',
  status: 'failed',
  media: [],
  scheduledAt: moment,
  scheduledAtMs: Date.parse(moment),
  createdAt: moment,
  publishedPostUrl: null,
  error: null,
  version: 1,
  sequence: 1,
  ...neverClaimed,
}

const failedEvent = (content: string, error: string | null = null) => {
  const failure = { reason: 'rejected', retrySafe: true } as const
  const { type, data, ...order } = postEvent('post.publish_failed', { ...post, error }, content, failure)
  return makeEvent(type, workspace, post.scheduledAtMs, { id: 'evt_1', ...order }, data)
}

test.each([
  ['', false],
  ['a'.repeat(1000), false],
  ['a'.repeat(1001), true],
  ['😀'.repeat(1000), false],
  ['😀'.repeat(1001), true],
])('an event contains the first thousand characters of text %# and whether there are more', (content, contentTruncated) => {
  const { data } = failedEvent(content)
  expect(data['contentTruncated']).toBe(contentTruncated)
  expect(data['content']).toBe(contentTruncated ? [...content].slice(0, 1000).join('') : content)
})

test('the longest text and the longest error make an event of under 8 KB', () => {
  const event = failedEvent('😀'.repeat(60_000), '😀'.repeat(60_000))
  expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(8_000)
  expect([...String(event.data['error'])]).toHaveLength(500)
  expectAsDocumented([event])
})
