import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Backend } from './backend.ts'

/** Keeps bytes in this process; documents need no copy, since the store itself lives as long. */
export function memoryBackend(): Backend {
  const blobs = new Map<string, Buffer>()
  return {
    async write(chunks) {
      const pieces: Uint8Array[] = []
      for await (const chunk of chunks) pieces.push(chunk)
      const blob = randomUUID()
      blobs.set(blob, Buffer.concat(pieces))
      return blob
    },
    read(blob, start, end) {
      return Readable.from([blobs.get(blob)?.subarray(start, end + 1) ?? Buffer.alloc(0)], { objectMode: false })
    },
    removeBlob: (blob) => void blobs.delete(blob),
    save() {},
    removeDocument() {},
    load: () => [],
    sweep() {},
  }
}
