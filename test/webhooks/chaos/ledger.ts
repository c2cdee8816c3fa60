import { createServer } from 'node:http'
import * as z from 'zod/mini'
import { open } from '../receivers/open.ts'
import { verifyFixed } from '../receivers.ts'

/** An event as it arrived first, and how often it came. */
export interface Arrival {
  atMs: number
  times: number
  sequence: number
  subject: string
  previousEventId: string | null
}

/** What one healthy receiver got. */
export interface Page {
  secret: string
  arrivals: Map<string, Arrival>
  /** Deliveries whose signature was wrong. */
  unverified: number
}

const Body = z.object({
  id: z.string(),
  data: z.object({ postId: z.string(), sequence: z.int(), previousEventId: z.nullable(z.string()) }),
})

/** Healthy receivers, by path: each checks the signature of the fixed header, answers immediately and writes down what came. */
export const openLedger = async () => {
  const pages = new Map<string, Page>()
  const { port, close } = await open(
    createServer((request, response) => {
      const atMs = performance.now()
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        response.end('ok')
        const page = pages.get(request.url ?? '')
        if (page) write(page, request.headers, Buffer.concat(chunks), atMs)
      })
    }),
  )
  return { pages, origin: `http://127.0.0.1:${port}`, close }
}

const write = (page: Page, given: NodeJS.Dict<string | string[]>, body: Buffer, atMs: number): void => {
  const names = ['X-Service-Signature', 'X-Service-Timestamp']
  const headers = Object.fromEntries(names.map((name) => [name, String(given[name.toLowerCase()])]))
  if (!verifyFixed(headers, body, page.secret)) page.unverified += 1
  const { id, data } = z.parse(Body, JSON.parse(body.toString()))
  const known = page.arrivals.get(id)
  if (known) known.times += 1
  else {
    const { postId: subject, sequence, previousEventId } = data
    page.arrivals.set(id, { atMs, times: 1, sequence, subject, previousEventId })
  }
}
