import { connectedAssistant } from '../../mcp/assistant.ts'
import { type Origin, startOrigin } from '../../media/imports/origin.ts'
import type { Kit } from '../start.ts'
import { heavyPixel, minuteMs, postBody, threadBody } from './preparations.ts'
import { happyTool } from './tool-calls.ts'
import type { Traveller } from './traveller.ts'

const hour = 60 * minuteMs

/** Every route that takes addresses, and the tool of assistants. */
const sendAddresses = async (kit: Kit, { origin }: Origin) => {
  const { scheduledAt, ...now } = postBody(kit, 'From an address', hour)
  const mediaUrls = [`${origin}/loaf.png`]
  await kit.api.posts.publishNow({ body: { ...now, mediaUrls } })
  await kit.api.posts.schedule({ body: { ...now, mediaUrls, scheduledAt } })
  const thread = await threadBody(kit, 'From addresses')
  const tweets = thread.tweets.map((tweet, n) => ({ ...tweet, mediaUrls: [`${origin}/${n}.png`] }))
  await kit.api.posts.publishThreadNow({ body: { ...thread, tweets } })
  await kit.api.posts.scheduleThread({ body: { ...thread, tweets, scheduledAt } })
  const { token } = await connectedAssistant(kit)
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'By an assistant', mediaUrls, scheduledAt }
  await happyTool(kit, token, 'schedule_post', { ...body, idempotencyKey: 'with-an-address' })
  await kit.service.drain()
}

/** A server that is down once; a file that is gone, until its post gets a new time; one that must be converted. */
const meetBadServers = async (kit: Kit, { origin, answers }: Origin) => {
  let failures = 0
  answers.set('/late.png', (_, response) => {
    failures += 1
    if (failures > 1) answers.delete('/late.png')
    response.writeHead(503).end()
  })
  answers.set('/gone.png', (_, response) => response.writeHead(404).end())
  answers.set('/heavy.png', (_, response) => response.writeHead(200).end(heavyPixel))
  const made = await kit.api.posts.schedule({ body: postBody(kit, 'Without files', 5 * minuteMs) })
  for (const [n, { id }] of made.entries()) {
    await kit.api.posts.update({ params: { id }, body: { mediaUrls: [`${origin}/${n === 0 ? 'gone' : 'late'}.png`] } })
  }
  const { scheduledAt, ...now } = postBody(kit, 'A heavy file')
  await kit.api.posts.publishNow({ body: { ...now, mediaUrls: [`${origin}/heavy.png`] } })
  await kit.service.pass(10 * minuteMs)
  answers.clear()
  await kit.api.posts.reschedule({ params: { id: made[0]?.id ?? '' }, body: { scheduledAt } })
  await kit.service.drain()
}

/** Files at addresses, also from bad servers and with messages that are lost. */
export const importEverywhere = async ({ kit, losing }: Traveller): Promise<void> => {
  const files = await startOrigin()
  await sendAddresses(kit, files)
  await meetBadServers(kit, files)
  const forgotten = { ...postBody(kit, 'A lost import'), mediaUrls: [`${files.origin}/lost.png`] }
  await losing([{ functionName: 'posts-schedule', queue: 'import' }], () => kit.api.posts.schedule({ body: forgotten }))
  await kit.service.pass(hour + 5 * minuteMs, { tickMinutes: 1 })
  files.close()
}
