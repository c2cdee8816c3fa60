import { connectOn } from '../connect.ts'
import type { Kit } from '../start.ts'
import { heavyPixel, makeAsset, makePost, minuteMs, postBody, threadBody } from './preparations.ts'
import { at, dueByScheduleMs, dueMoments } from './traveller.ts'

/** With and without pictures, immediately and later, moved and not. */
export const publishEverywhere = async (kit: Kit) => {
  const mediaUrls = [(await makeAsset(kit)).id]
  const { api } = kit
  for (const inMs of dueMoments) {
    // A new one each time: what was converted is found again.
    const { id } = await makeAsset(kit, heavyPixel)
    await api.posts.schedule({ body: { ...postBody(kit, `In ${inMs}`, inMs), mediaUrls: [...mediaUrls, id] } })
  }
  for (const inMs of dueMoments) {
    const { id } = await makePost(kit, `Moved by ${inMs}`, dueByScheduleMs)
    await api.posts.reschedule({ params: { id }, body: { scheduledAt: at(kit, inMs) } })
    const { id: another } = await makePost(kit, `Updated for ${inMs}`, dueByScheduleMs)
    // Equal times would change nothing.
    await api.posts.update({ params: { id: another }, body: { scheduledAt: at(kit, inMs + 500) } })
  }
  const { scheduledAt: _, ...now } = { ...postBody(kit, 'Now'), mediaUrls }
  await api.posts.publishNow({ body: now })
  // A natural delay is drawn; of four, one is certainly long enough for the queue that prepares.
  for (let n = 0; n < 4; n += 1) await api.posts.publishNow({ body: { ...now, naturalPosting: true } })
  await kit.service.pass(20 * minuteMs, { tickMinutes: 5 })
}

/** Threads at every distance; the first tweet takes the rest along. */
export const publishThreads = async (kit: Kit) => {
  for (const inMs of dueMoments) {
    const body = { ...(await threadBody(kit, `Thread in ${inMs}`)), scheduledAt: at(kit, inMs) }
    await kit.api.posts.scheduleThread({ body })
  }
  // The limits of a server are read once an hour, and anew after each connection.
  const toServer = { ...(await threadBody(kit, 'To a server')), scheduledAt: at(kit, minuteMs) }
  const { scheduledAt, ...now } = { ...toServer, socialAccountId: await connectOn(kit, 'mastodon') }
  await kit.api.posts.publishThreadNow({ body: now })
  await connectOn(kit, 'mastodon')
  await kit.api.posts.scheduleThread({ body: { ...now, scheduledAt } })
  await kit.service.pass(20 * minuteMs, { tickMinutes: 5 })
}

/** Live posts are edited at their platform: one immediately, one after its message was lost, and one is refused. */
export const editLivePosts = async (kit: Kit) => {
  for (const fault of [undefined, 'html_503', 'status'] as const) {
    const body = {
      ...postBody(kit, `Live, then ${fault ?? 'edited'}`, minuteMs),
      socialAccountIds: [kit.accounts.discord],
    }
    const [{ id } = { id: '' }] = await kit.api.posts.schedule({ body })
    await kit.service.pass(2 * minuteMs)
    if (fault) kit.platforms.faults.add({ platform: 'discord', operation: 'edit', times: 1, fault, status: 400 })
    const edit = (content: string) =>
      kit.api.posts.update({ params: { id }, query: { live: 'true' }, body: { content } })
    await edit('Edited')
    await edit(`Edited again. ${'ü'.repeat(1900)}`)
    await kit.service.pass(minuteMs)
  }
}

/** First comments under live posts: one is published, and one is refused. */
export const commentOnPosts = async (kit: Kit) => {
  for (const fault of [undefined, 'status'] as const) {
    const body = postBody(kit, `Commented, then ${fault ?? 'live'}`, minuteMs)
    await kit.api.posts.schedule({ body: { ...body, firstComment: { text: 'First', delaySeconds: 300 } } })
    await kit.service.pass(2 * minuteMs)
    if (fault) kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault, status: 400 })
    await kit.service.pass(10 * minuteMs, { tickMinutes: 5 })
  }
}

/** Live posts are deleted at their platform: one immediately, one after its message was lost, and one is refused. */
export const deleteLivePosts = async (kit: Kit) => {
  const faults = [undefined, 'html_503', 'status'] as const
  const posts = []
  for (const fault of faults) posts.push(await makePost(kit, `Live, then ${fault ?? 'gone'}`, minuteMs))
  await kit.service.pass(2 * minuteMs)
  for (const [n, { id }] of posts.entries()) {
    const fault = faults[n]
    if (fault) kit.platforms.faults.add({ platform: 'bluesky', operation: 'delete', times: 1, fault, status: 400 })
    await kit.api.posts.delete({ params: { id }, query: { live: 'true' } })
    await kit.service.pass(minuteMs)
  }
}
