import type { Kit } from '../start.ts'
import { hookOnce, makeHook, makePost, minuteMs, threadBody } from './preparations.ts'
import { at, dueByScheduleMs, type Traveller } from './traveller.ts'

/** A receiver that is down for a day, and back in the end with one more failure; a test of its endpoint finds it so. */
export const wearOut = async (kit: Kit) => {
  const { id } = await makeHook(kit, 'worn', ['post.scheduled'])
  kit.inbox.behaviors.add({ name: 'worn', times: 100, status: 500 })
  for (let n = 0; n < 6; n += 1) await makePost(kit, `Parked ${n}`, 30 * 24 * 60 * minuteMs)
  await kit.service.pass(25 * 60 * minuteMs, { tickMinutes: 60 })
  kit.inbox.behaviors.clear()
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  await kit.service.deliver()
  kit.inbox.behaviors.add({ name: 'worn', times: 1, status: 500 })
  await kit.service.pass(5 * minuteMs, { tickMinutes: 1 })
}

/** More events than one step of a replay takes, replayed by a request whose message was lost. */
export const replayEvents = async ({ kit, losing }: Traveller) => {
  const { id } = await hookOnce(kit, 'again')
  const since = at(kit, -minuteMs)
  const tweets = Array.from({ length: 20 }, (_, n) => ({ content: `Tweet ${n}` }))
  for (let n = 0; n < 3; n += 1) {
    const body = { ...(await threadBody(kit, 'Again')), tweets, scheduledAt: at(kit, dueByScheduleMs) }
    const { threadHeadPost } = await kit.api.posts.scheduleThread({ body })
    await kit.api.posts.cancel({ params: { id: threadHeadPost.id } })
  }
  await kit.service.drain()
  await losing([{ functionName: 'webhooks-replay', queue: 'replay' }], () =>
    kit.sessionApi.webhooks.replay({
      params: { id },
      body: { since, scope: 'all', eventTypes: ['post.scheduled'] },
    }),
  )
  await kit.service.pass(3 * minuteMs)
}
