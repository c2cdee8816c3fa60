import { expect, test } from 'vitest'
import type { ObserveFunction } from '../../../infra/local/service/invocation.ts'
import { OutboundError } from '../../../shared/net/outbound.ts'
import { hourMs, minuteMs } from '../../../shared/time.ts'
import { connectOn } from '../../support/connect.ts'
import { start } from '../../support/start.ts'

test('a thread that starts publishing while it is cancelled: its first tweet is shown as published', async () => {
  let creates = 0
  let goOut: (() => Promise<void>) | undefined
  const observe: ObserveFunction = async (effect, run) => {
    const { functionName, service, action } = effect
    if (functionName === 'posts-cancel' && action === 'Query') await goOut?.()
    // The third tweet waits for its next try.
    if (service === 'x' && action === 'POST /2/tweets') {
      creates += 1
      if (creates === 3) throw new OutboundError('connect', false, 'No connection could be made.')
    }
    return run()
  }
  const kit = await start({ observe })
  const socialAccountId = await connectOn(kit, 'x')
  const tweets = ['one', 'two', 'three'].map((content) => ({ content }))
  const scheduledAt = new Date(kit.clock.now() + minuteMs).toISOString()
  const { postIds } = await kit.api.posts.scheduleThread({ body: { socialAccountId, tweets, scheduledAt } })
  goOut = async () => {
    goOut = undefined
    await kit.service.pass(minuteMs + 2_000)
  }
  const [id = ''] = postIds
  expect(await kit.api.posts.cancel({ params: { id } })).toMatchObject({ id, status: 'published' })
  const statuses = await Promise.all(postIds.map((postId) => kit.api.posts.get({ params: { id: postId } })))
  expect(statuses.map(({ status }) => status)).toEqual(['published', 'published', 'cancelled'])
})

test('a deleted thread whose second tweet has an unknown outcome says that it may be live', async () => {
  let creates = 0
  const observe: ObserveFunction = async (effect, run) => {
    const isCreate = effect.service === 'x' && effect.action === 'POST /2/tweets'
    if (isCreate) creates += 1
    if (effect.service === 'x' && creates > 1) throw new OutboundError('timeout', true, 'No response in time.')
    return run()
  }
  const kit = await start({ observe })
  const socialAccountId = await connectOn(kit, 'x')
  const scheduledAt = new Date(kit.clock.now() + minuteMs).toISOString()
  const body = { socialAccountId, tweets: [{ content: 'one' }, { content: 'two' }], scheduledAt }
  const { postIds } = await kit.api.posts.scheduleThread({ body })
  await kit.service.pass(7 * hourMs, { tickMinutes: 15 })
  const [id = '', second = ''] = postIds
  expect(await kit.api.posts.get({ params: { id: second } })).toMatchObject({ status: 'failed', retrySafe: false })
  expect(await kit.api.posts.delete({ params: { id } })).toMatchObject({ published: true, mayBeLive: true })
})
