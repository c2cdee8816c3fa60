import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'

/** The files of an archive, as a reader that is not ours finds them. */
export const readArchive = async (archive: Buffer): Promise<Map<string, Buffer>> => {
  const zip = await fromBufferPromise(archive, { strictFileNames: true })
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const bytes = await buffer(await zip.openReadStreamPromise(entry))
    if (crc32(bytes) !== entry.crc32) throw new Error(`${entry.fileName} has another checksum`)
    if (files.has(entry.fileName)) throw new Error(`${entry.fileName} is in the archive twice`)
    files.set(entry.fileName, bytes)
  }
  return files
}

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** The records of one kind, of all its files. */
export const recordsIn = <T = Record<string, unknown>>(files: ReadonlyMap<string, Buffer>, kind: string): T[] =>
  [...files]
    .filter(([name]) => new RegExp(`^data/${kind}-\\d{4}\\.jsonl$`).test(name))
    .flatMap(([, bytes]) =>
      bytes
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    )
