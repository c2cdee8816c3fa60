/** The progress of an upload. It only grows, even if a part is sent again, and ends with the whole file. */
export interface UploadProgress {
  sentBytes: number
  totalBytes: number
}

/** Where bytes are sent, and how. */
export interface UploadTarget {
  url: string
  method: string
  headers: Readonly<Record<string, string>>
}

export interface SendOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

/** The part of XMLHttpRequest that is used: in browsers, nothing else reports the progress of an upload. */
interface Xhr {
  upload: { onprogress: ((event: { loaded: number }) => void) | null }
  status: number
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  send(body: Blob): void
  abort(): void
}

const sendWithXhr = (request: Xhr, blob: Blob, { url, method, headers }: UploadTarget, how: SendOptions) =>
  new Promise<number>((resolve, reject) => {
    const { signal, onProgress } = how
    const abort = () => request.abort()
    const settle = (end: () => void) => () => {
      signal?.removeEventListener('abort', abort)
      end()
    }
    request.upload.onprogress = ({ loaded }) => onProgress?.({ sentBytes: loaded, totalBytes: blob.size })
    request.onload = settle(() => resolve(request.status))
    request.onerror = settle(() => reject(new TypeError('the connection failed')))
    request.onabort = settle(() => reject(signal?.reason))
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    signal?.addEventListener('abort', abort, { once: true })
    request.send(blob)
  })

/** Sends a Blob and returns the status. Without XMLHttpRequest, the progress is unknown. */
export const sendBlob = async (blob: Blob, target: UploadTarget, how: SendOptions): Promise<number> => {
  const { signal, onProgress } = how
  const { url, method, headers } = target
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => Xhr }
  signal?.throwIfAborted()
  if (onProgress !== undefined && XMLHttpRequest !== undefined) {
    return sendWithXhr(new XMLHttpRequest(), blob, target, how)
  }
  const response = await fetch(url, { method, headers, body: blob, ...(signal ? { signal } : {}) })
  await response.arrayBuffer()
  return response.status
}
