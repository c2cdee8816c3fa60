import { typeByName } from './media-types.ts'
import type { SendOptions, UploadTarget } from './send-blob.ts'
import type { UploadFile } from './upload.ts'

export interface FileDetails {
  /** The name of the file. */
  name: string
  /** The exact number of bytes. */
  size: number
  /** The content type: by the ending of the name by default. */
  type?: string | undefined
}

type Bytes = AsyncIterable<Uint8Array>

/** Sends bytes with their length in advance, which storage requires, and returns the status of the response. */
const send = async (bytes: Bytes, size: number, { url, method, headers }: UploadTarget, how: SendOptions) => {
  const { signal, onProgress } = how
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const { Readable } = await import('node:stream')
  signal?.throwIfAborted()
  return new Promise<number>((resolve, reject) => {
    const sending = request(
      url,
      { method, headers: { ...headers, 'Content-Length': String(size) }, ...(signal ? { signal } : {}) },
      (response) => {
        response.resume()
        response.on('error', reject)
        response.on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    sending.setTimeout(60_000, () => sending.destroy(new Error('no progress for 60 seconds')))
    sending.on('error', reject)
    let sentBytes = 0
    const counted = async function* () {
      for await (const chunk of bytes) {
        sentBytes += chunk.byteLength
        if (sentBytes > size) throw new Error(`the file has more than the announced ${size} bytes`)
        yield chunk
        onProgress?.({ sentBytes, totalBytes: size })
      }
      if (sentBytes < size) throw new Error(`the file has ${sentBytes} bytes, but ${size} were announced`)
    }
    const source = Readable.from(counted(), { objectMode: false })
    source.on('error', (error) => {
      sending.destroy(error)
      reject(error)
    })
    sending.on('close', () => source.destroy())
    source.pipe(sending)
  })
}

/** A file of the file system, for `client.media.upload`. It is read while it is sent, and never held in memory. */
export const fileFromPath = async (path: string, details: Partial<FileDetails> = {}): Promise<UploadFile> => {
  const [{ createReadStream }, { stat }, { basename }] = await Promise.all([
    import('node:fs'),
    import('node:fs/promises'),
    import('node:path'),
  ])
  const name = details.name ?? basename(path)
  const { size } = await stat(path)
  return {
    name,
    size,
    type: details.type ?? typeByName(name),
    repeatable: true,
    send: (target, how) => send(createReadStream(path), size, target, how),
  }
}

/** A stream of a known length, for `client.media.upload`. It can be sent only once, so a failure is not retried. */
export const fileFromStream = (stream: Bytes, { name, size, type = typeByName(name) }: FileDetails): UploadFile => ({
  name,
  size,
  type,
  repeatable: false,
  send: (target, how) => send(stream, size, target, how),
})
