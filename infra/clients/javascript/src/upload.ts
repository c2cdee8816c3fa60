import type { MediaAsset, Operations } from './api.ts'
import { SocialError } from './errors.ts'
import { typeByName } from './media-types.ts'
import type { ClientOptions } from './options.ts'
import { defaultRetries, delayBefore, sleep } from './retry.ts'
import { type SendOptions, sendBlob, type UploadTarget } from './send-blob.ts'

/** A file that knows how to send itself, as `fileFromPath` of `social-publishing-client/node` returns it. */
export interface UploadFile {
  name: string
  type: string
  size: number
  /** Whether `send` can be called again. */
  repeatable: boolean
  /** Sends the bytes and returns the status of the response. */
  send(target: UploadTarget, options: SendOptions): Promise<number>
}

/** A stream is collected in memory first; `social-publishing-client/node` streams it. */
export type UploadSource = Blob | ReadableStream<Uint8Array> | UploadFile

export interface UploadOptions extends SendOptions {
  /** The name of the file: that of a `File` or path by default. */
  filename?: string | undefined
  /** The content type: by the extension of the name, or that of the source, by default. The service goes by the bytes. */
  mimeType?: string | undefined
  /** The SHA-256 of the file in lowercase hexadecimal: only these bytes are stored, and `media.list` finds them by it. */
  sha256?: string | undefined
  /** A text for people who cannot see the image. */
  altText?: string | undefined
}

const isFile = (source: UploadSource): source is UploadFile => 'send' in source

const fileOf = async (source: UploadSource, { filename, mimeType }: UploadOptions): Promise<UploadFile> => {
  if (isFile(source)) {
    const { size, repeatable } = source
    const [name, type] = [filename ?? source.name, mimeType ?? source.type]
    return { name, type, size, repeatable, send: (target, how) => source.send(target, how) }
  }
  const blob = source instanceof Blob ? source : await new Response(source).blob()
  const name = filename ?? ('name' in blob ? String(blob.name) : 'upload')
  // Runtimes guess the type of a blob from tables of the machine; a stream has no type.
  const type = mimeType ?? typeByName(name, (blob === source && blob.type) || undefined)
  return { name, type, size: blob.size, repeatable: true, send: (target, how) => sendBlob(blob, target, how) }
}

/** Sends the bytes, again after transient failures. The presigned URL accepts the same file any number of times. */
const sendBytes = async (
  config: ClientOptions,
  file: UploadFile,
  target: UploadTarget,
  options: SendOptions,
): Promise<void> => {
  const policy = { ...defaultRetries, ...config.retries }
  for (let retry = 1; ; retry += 1) {
    const failure = await file.send(target, options).then(
      (status) => (status < 300 ? undefined : { status, cause: undefined }),
      (cause: unknown) => ({ status: 0, cause }),
    )
    if (failure === undefined) return
    options.signal?.throwIfAborted()
    const { status, cause } = failure
    const passes = file.repeatable && (status === 0 || status === 429 || status >= 500)
    const delay = passes ? delayBefore(retry, policy, null, Math.random()) : null
    if (delay === null) {
      const why = cause instanceof Error ? cause.message : `status ${status}`
      throw new SocialError('upload_failed', `The file was not stored: ${why}.`, { status, attempts: retry, cause })
    }
    await sleep(delay, options.signal)
  }
}

/** Progress that only grows, from nothing to all: a repeated attempt starts again, but the progress does not. */
const growing = (onProgress: SendOptions['onProgress'], totalBytes: number) => {
  let max = -1
  return (bytes: number) => {
    const sentBytes = Math.min(bytes, totalBytes)
    if (sentBytes <= max) return
    max = sentBytes
    onProgress?.({ sentBytes, totalBytes })
  }
}

/** Announces a file, sends its bytes, and completes the upload. */
export const upload = async (
  media: Operations['media'],
  config: ClientOptions,
  source: UploadSource,
  options: UploadOptions = {},
): Promise<MediaAsset> => {
  const { altText, sha256, signal, onProgress } = options
  const file = await fileOf(source, options)
  // The service rejects a type that it does not know.
  const mimeType = file.type as Parameters<Operations['media']['createUploadUrl']>[0]['mimeType']
  const said = { mimeType, fileSize: file.size }
  const { uploadUrl, storageKey, method, headers } = await media.createUploadUrl(
    { filename: file.name, ...said, ...(sha256 === undefined ? {} : { sha256 }) },
    { signal },
  )
  const sent = growing(onProgress, file.size)
  sent(0)
  await sendBytes(
    config,
    file,
    { url: uploadUrl, method, headers },
    // Without a listener, browsers use the API that reports no progress.
    { signal, onProgress: onProgress && (({ sentBytes }) => sent(sentBytes)) },
  )
  sent(file.size)
  return media.complete(
    { storageKey, originalFilename: file.name, ...said, ...(altText === undefined ? {} : { altText }) },
    { signal },
  )
}
