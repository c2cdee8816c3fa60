import { expect, test } from 'vitest'
import { minuteMs } from '../../shared/time.ts'
import { start } from '../support/start.ts'
import { channelId } from './author.ts'

test('rejects a request whose rows exceed one transaction, and writes nothing', async () => {
  const kit = await start()
  const scheduledAt = new Date(kit.clock.now() + 60 * minuteMs).toISOString()
  const body = { socialAccountIds: [kit.accounts.discord], content: 'big', scheduledAt }
  const metadata = { discord: { channelId, channelName: 'x'.repeat(400_000) } }
  const refused = kit.api.posts.schedule({ body: { ...body, metadata } })
  await expect(refused).rejects.toMatchObject({ status: 400, body: { code: 'group_too_large' } })
  expect((await kit.api.posts.list()).total).toBe(0)
  const accepted = await kit.api.posts.schedule({ body: { ...body, metadata: { discord: { channelId } } } })
  expect(accepted).toHaveLength(1)
})
