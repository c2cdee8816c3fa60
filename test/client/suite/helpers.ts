import { type UploadProgress, verifySignature, verifyWebhook } from 'social-publishing-client'
import { assert, type Check, same, thrownBy } from './check.ts'

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))

const hex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (each) => each.toString(16).padStart(2, '0')).join('')

const sign = async (secret: string, text: string) => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign'])
  return hex(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)))
}

export const helpers: Record<string, Check> = {
  'a Blob is uploaded, and its progress is reported': async ({ client, png }) => {
    const bytes = bytesOf(png)
    const reported: number[] = []
    const asset = await client.media.upload(new Blob([bytes], { type: 'image/png' }), {
      filename: 'cat.png',
      altText: 'A cat',
      onProgress: ({ sentBytes, totalBytes }) => {
        same(totalBytes, bytes.length)
        reported.push(sentBytes)
      },
    })
    same(
      [asset.originalFilename, asset.mimeType, asset.fileSize, asset.altText],
      ['cat.png', 'image/png', bytes.length, 'A cat'],
    )
    same([reported[0], reported.at(-1)], [0, bytes.length])
  },

  'a stream is uploaded, and a File names itself': async ({ client, png }) => {
    const bytes = bytesOf(png)
    const asset = await client.media.upload(new Blob([bytes]).stream(), { filename: 'dog.png' })
    same([asset.mimeType, asset.fileSize], ['image/png', bytes.length])
    const named = await client.media.upload(new File([bytes], 'bird.png', { type: 'image/png' }))
    same(named.originalFilename, 'bird.png')
  },

  'bytes that storage rejects for a moment are sent again': async ({ client, png }) => {
    const bytes = bytesOf(png)
    let sends = 0
    const reported: UploadProgress[] = []
    const asset = await client.media.upload(
      {
        name: 'cat.png',
        type: 'image/png',
        size: bytes.length,
        repeatable: true,
        send: async ({ url, method, headers }, { onProgress }) => {
          sends += 1
          for (const sentBytes of [0, 10 * sends, 20]) onProgress?.({ sentBytes, totalBytes: bytes.length })
          if (sends === 1) throw new TypeError('reset')
          if (sends === 2) return 503
          return (await fetch(url, { method, headers: { ...headers }, body: bytes })).status
        },
      },
      { onProgress: (progress) => reported.push(progress) },
    )
    same([asset.fileSize, sends], [bytes.length, 3])
    // An attempt that begins again does not set a bar back.
    const totalBytes = bytes.length
    same(
      reported,
      [0, 10, 20, 30, totalBytes].map((sentBytes) => ({ sentBytes, totalBytes })),
    )
    const rejected = { name: 'cat.png', type: 'image/png', size: 9, repeatable: true, send: async () => 403 }
    const error = await thrownBy(client.media.upload(rejected))
    same([error['code'], error['status'], error['attempts']], ['upload_failed', 403, 1])
    const once = { ...rejected, repeatable: false, send: async () => 500 }
    same((await thrownBy(client.media.upload(once)))['attempts'], 1)
  },

  'an upload ends with its signal': async ({ client, png }) => {
    const error = await thrownBy(
      client.media.upload(new Blob([bytesOf(png)], { type: 'image/png' }), {
        filename: 'cat.png',
        signal: AbortSignal.abort(new Error('enough')),
      }),
    )
    same(error['message'], 'enough')
  },

  'waits until a post is published': async ({ client, accountId }) => {
    const [post] = await client.posts.publishNow({ socialAccountIds: [accountId], content: `Now ${Math.random()}` })
    const seen: string[] = []
    const published = await client.posts.waitUntilPublished(post?.id ?? '', {
      timeoutMs: 60_000,
      onPost: ({ status }) => seen.push(status),
    })
    same([published.id, published.status, seen.at(-1)], [post?.id, 'published', 'published'])
    assert(published.publishedPostUrl !== null, 'it has its URL')
  },

  'waiting ends when the post is cancelled, and when time is up': async ({ client, accountId }) => {
    const scheduledAt = '2031-01-01T09:00:00Z'
    const [post] = await client.posts.schedule({ socialAccountIds: [accountId], content: 'Later', scheduledAt })
    const late = await thrownBy(client.posts.waitUntilPublished(post?.id ?? '', { timeoutMs: 300 }))
    same([late['code'], (late['post'] as { status: string }).status], ['wait_timeout', 'scheduled'])
    await client.posts.cancel(post?.id ?? '')
    const over = await thrownBy(client.posts.waitUntilPublished(post?.id ?? '', { timeoutMs: 300 }))
    same([over['code'], over['name']], ['post_not_published', 'NotPublishedError'])
  },

  'a webhook is verified, in every form of headers': async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const rawBody = JSON.stringify({ id: 'evt_1', type: 'post.published', data: { text: 'ä𝄞' } })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = `v1=${await sign(secret, `${timestamp}.${rawBody}`)}`
    const headers = { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': signature }
    const lower = { 'x-service-timestamp': [timestamp], 'x-service-signature': [signature] }
    for (const form of [headers, new Headers(headers), lower]) {
      same((await verifyWebhook(rawBody, form, secret)).id, 'evt_1')
      same((await verifyWebhook(new TextEncoder().encode(rawBody), form, ['other', secret])).type, 'post.published')
    }
    const name = 'WebhookVerificationError'
    same((await thrownBy(verifyWebhook(`${rawBody} `, headers, secret)))['name'], name)
    same((await thrownBy(verifyWebhook(rawBody, headers, 'other')))['name'], name)
    same((await thrownBy(verifyWebhook(rawBody, {}, secret)))['name'], name)
    const later = Date.now() + 301_500
    same((await thrownBy(verifySignature(rawBody, headers, secret, { now: later })))['name'], name)
    await verifySignature(rawBody, headers, secret, { now: later, toleranceSeconds: 400 })
  },
}
