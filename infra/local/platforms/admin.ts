import type { IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import { onlyLoopback } from '../pages/loopback.ts'
import { type Answer, type Listener, readBody, send } from '../pages/server.ts'
import { drawCallsPage } from './calls-page.ts'
import { drawClockPage, takeClockForm } from './clock-page.ts'
import { drawFaultPage, takeFaultForm } from './fault-page.ts'
import type { FaultInput, Faults } from './faults.ts'
import { listPublished, type Published } from './ledger.ts'
import { mediaHeaders } from './media-headers.ts'
import { drawPage, type PageParts, type Shown } from './page.ts'

const maxScriptBytes = 1024 * 1024

/** Serves what people and tests request from the platforms: the page, the ledger, the images, the fault scripts. */
export function serveAdmin(listener: Listener, parts: PageParts): void {
  listener.onRequest(
    onlyLoopback((request, response) => {
      answerRequest(listener.url, parts, request).then(
        (answer) => send(response, answer),
        () => response.destroy(),
      )
    }),
  )
}

/** Everything public on every platform, oldest first. */
export function listAll(shown: readonly Shown[], pagesUrl: string): Published[] {
  const all = shown.flatMap(({ platform, standIn }) => listPublished(platform.id, standIn, pagesUrl))
  return all.toSorted((a, b) => a.publishedAt - b.publishedAt)
}

async function answerRequest(url: string, parts: PageParts, request: IncomingMessage): Promise<Answer> {
  const [path = '/', search = ''] = (request.url ?? '/').split('?', 2)
  const query = new URLSearchParams(search)
  const [, first = '', platform = '', key = ''] = path.split('/')
  const route = `${request.method} /${first}`
  if (route === 'POST /faults') return addFaults(parts.faults, await readBody(request, maxScriptBytes))
  if (route === 'GET /fault-panel') return drawFaultPage(parts)
  if (route === 'POST /fault-panel') return takeFaultForm(parts, await readBody(request, maxScriptBytes))
  if (parts.shift !== undefined && first === 'clock') {
    if (request.method === 'POST')
      return takeClockForm(parts.shift, parts.servers, await readBody(request, maxScriptBytes))
    return drawClockPage(parts.shift, parts.servers)
  }
  if (route === 'GET /calls') return drawCallsPage(parts, query)
  if (route === 'POST /crowd') return addCrowd(parts, await readBody(request, maxScriptBytes))
  if (route === 'DELETE /faults') parts.faults.clear()
  if (route === 'DELETE /faults' || route === 'GET /faults') return { status: 200, body: parts.faults.pending() }
  if (route === 'GET /published') return { status: 200, body: listAll(parts.shown, url) }
  if (route === 'GET /media') return showMedia(parts.shown, platform, key)
  if (route === 'GET /') return drawPage({ ...parts, url, platform: query.get('platform') })
  return {
    status: 404,
    body: {
      error: `Nothing at ${request.method} ${path}. There are /, /published, /faults, /fault-panel, /calls, /clock and /crowd.`,
    },
  }
}

function addFaults(faults: Faults, body: Buffer | undefined): Answer {
  try {
    // `add` checks the scripts: for any JSON, it throws a sentence or accepts them.
    faults.add(JSON.parse(String(body)) as FaultInput | FaultInput[])
  } catch (error) {
    const message =
      error instanceof SyntaxError ? 'The body must be one fault script or an array of them, as JSON' : error
    return { status: 400, body: { error: message instanceof Error ? message.message : message } }
  }
  return { status: 200, body: faults.pending() }
}

const Crowd = z.strictObject({
  platform: z.string(),
  place: z.string(),
  count: z.int().check(z.positive(), z.maximum(10_000)),
})

/** Creates other posts on an account, so that the post that is searched for is one of many. */
function addCrowd({ crowd }: PageParts, body: Buffer | undefined): Answer {
  try {
    const { platform, place, count } = Crowd.parse(JSON.parse(String(body)))
    crowd(platform, place, count)
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : error } }
  }
  return { status: 204 }
}

/** Only what a public post shows. */
function showMedia(shown: readonly Shown[], platform: string, key: string): Answer {
  const from = shown.find((entry) => entry.platform.id === platform)
  const media = from?.standIn
    .posts()
    .flatMap((post) => post.media)
    .find((post) => post.key === key)
  const bytes = media && from?.blobs.get(key)
  if (!media || !bytes) return { status: 404, body: 'No public post shows this' }
  return { status: 200, headers: mediaHeaders(media.type), body: bytes }
}
