import { expect, test } from 'vitest'
import { connectOn } from '../support/connect.ts'
import { start } from '../support/start.ts'
import { expectSound } from './invariants.ts'
import { uploadPng } from './upload.ts'

const minute = 60_000

test('uploads the media of waiting tweets ahead without sending a message', async () => {
  let sends = 0
  const kit = await start({
    observe: ({ functionName, service, resource }, run) => {
      if (functionName === 'prepare-post' && service === 'sqs' && resource === 'publish-x') sends += 1
      return run()
    },
  })
  const x = await connectOn(kit, 'x')
  const { id } = await uploadPng(kit)
  const tweets = [1, 2, 3].map((n) => ({ content: `with media ${n}`, mediaUrls: [id] }))
  const scheduledAt = new Date(kit.clock.now() + 30 * minute).toISOString()
  const { postIds } = await kit.api.posts.scheduleThread({ body: { socialAccountId: x, tweets, scheduledAt } })
  await kit.service.pass(29 * minute, { tickMinutes: 1 })
  const uploads = kit.platforms.calls().filter(({ platform, operation }) => platform === 'x' && operation === 'upload')
  expect([sends, uploads.length > 2]).toEqual([1, true])
  await kit.service.pass(3 * minute)
  const shown = await Promise.all(postIds.map((postId) => kit.api.posts.get({ params: { id: postId } })))
  expect(shown.map(({ status }) => status)).toEqual(['published', 'published', 'published'])
  await expectSound(kit)
})
