import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import * as z from 'zod/mini'

const Stored = z.looseObject({ blob: z.optional(z.looseObject({})) })

/** A stand-in for video.bsky.app, on 127.0.0.1. */
export interface VideoService {
  url: string
  close(): Promise<void>
}

/**
 * Stores each video on the PDS immediately, by the token that came with it: only the PDS can say whether that token is good,
 * and what the blob is.
 */
export const launchVideoService = async (pdsUrl: string): Promise<VideoService> => {
  const jobs = new Map<string, object>()
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://video')
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (pathname.endsWith('.getUploadLimits')) return answer(200, { canUpload: true })
    const did = searchParams.get('did')
    if (pathname.endsWith('.getJobStatus')) {
      const jobId = searchParams.get('jobId') ?? ''
      return answer(200, { jobStatus: { jobId, did, state: 'JOB_STATE_COMPLETED', blob: jobs.get(jobId) } })
    }
    const stored = await fetch(`${pdsUrl}/xrpc/com.atproto.repo.uploadBlob`, {
      method: 'POST',
      headers: { authorization: request.headers.authorization ?? '', 'content-type': 'video/mp4' },
      body: new Uint8Array(await buffer(request)),
    })
    const body = Stored.parse(await stored.json())
    if (body.blob === undefined) return answer(stored.status, body)
    const jobId = `job-${jobs.size}`
    jobs.set(jobId, body.blob)
    return answer(200, { jobId, did, state: 'JOB_STATE_CREATED' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server's address is never a pipe's.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
