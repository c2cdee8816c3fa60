import { expect, test } from 'vitest'
import { start } from '../../../test/support/start.ts'

test('in real time queues are polled automatically: an immediate post is live within seconds', async () => {
  const { api, sessionApi, accounts, inbox, platforms } = await start({ time: 'real' })
  const url = `${inbox.url}/hooks/test`
  await sessionApi.webhooks.create({ body: { name: 'test', url, events: ['post.published'], enabled: true } })
  const metadata = { discord: { channelId: '1300000000000000101' } }
  await api.posts.publishNow({ body: { socialAccountIds: [accounts.discord], content: 'Hello', metadata } })
  await expect.poll(() => platforms.published(), { timeout: 10_000 }).toMatchObject([{ text: 'Hello' }])
  await expect.poll(() => inbox.deliveries(), { timeout: 10_000 }).toMatchObject([{ endpoint: 'test', verified: true }])
})

test('a service that polls automatically rejects manual steps', async () => {
  const { service, clock } = await start({ time: 'real' })
  await expect(service.drain()).rejects.toThrow(/polls by itself/)
  expect(() => clock.pass(1)).toThrow(/cannot be moved/)
})
