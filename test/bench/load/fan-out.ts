import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { hourMs } from '../../../shared/time.ts'
import { open } from '../../webhooks/receivers/open.ts'
import { requestExpecting } from './ask.ts'
import { type Author, startChild } from './child.ts'
import { requestOf, scheduleOne } from './requests.ts'

const workspaces = 5
/** As many as a workspace may have. */
const endpointsEach = 10
const perSecond = 20
const seconds = 20
const timeoutMs = 60_000

const Event = z.object({ id: z.string(), createdAt: z.string() })

/** Receivers that answer immediately, and those that take a connection and never answer while they hang. */
const openReceivers = async () => {
  const lateMs = new Map<string, number>()
  let hang = false
  const server = createServer(async (request, response) => {
    const atMs = Date.now()
    const isHanging = hang && request.url?.endsWith('/0') === true
    const { id, createdAt } = z.parse(Event, JSON.parse(Buffer.concat(await request.toArray()).toString()))
    if (isHanging) return
    response.end()
    const name = `${request.url} ${id}`
    if (!lateMs.has(name)) lateMs.set(name, atMs - Date.parse(createdAt))
  })
  const { port, close } = await open(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    lateMs,
    close,
    hang: () => {
      hang = true
    },
  }
}

const addEndpoints = async (url: string, author: Author, origin: string) => {
  for (let n = 0; n < endpointsEach; n += 1) {
    const body = { name: `Endpoint ${n}`, url: `${origin}/${author.workspaceId}/${n}`, events: ['post.scheduled'] }
    await requestExpecting(201, requestOf(url, { ...author, pat: author.sessionToken }, 'POST', '/api/webhooks', body))
  }
}

/**
 * How long after an event its webhooks arrive at 50 endpoints, ten in each workspace: first all of them answer, then one of
 * each workspace hangs.
 */
export const measureFanOut = async () => {
  const receivers = await openReceivers()
  const child = await startChild({ mode: 'start', workspaces, allowedOrigin: receivers.origin })
  const run = async (endpoints: number) => {
    receivers.lateMs.clear()
    const startedAt = performance.now()
    const events = perSecond * seconds
    for (let n = 0; n < events; n += 1) {
      await sleep(Math.max(0, startedAt + (n * 1000) / perSecond - performance.now()))
      const author = child.authors[n % workspaces] ?? child.author
      await requestExpecting(
        201,
        scheduleOne({ ...child, author }, author.accounts.bluesky, `Event ${n}.`, Date.now() + 2 * hourMs),
      )
    }
    const expectedCount = events * endpoints
    for (const endMs = Date.now() + timeoutMs; receivers.lateMs.size < expectedCount && Date.now() < endMs; )
      await sleep(100)
    return { expectedCount, lateMs: [...receivers.lateMs.values()] }
  }
  try {
    for (const author of child.authors) await addEndpoints(child.url, author, receivers.origin)
    const allAnswer = await run(endpointsEach)
    receivers.hang()
    return { allAnswer, fiveHang: await run(endpointsEach - 1) }
  } finally {
    await child.close()
    receivers.close()
  }
}
