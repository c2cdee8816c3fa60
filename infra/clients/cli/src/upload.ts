import { statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Client, MediaAsset } from '../../javascript/src/index.ts'
import { refusalOf } from '../../javascript/src/media-types.ts'
import { fileFromPath } from '../../javascript/src/node.ts'
import type { Cli } from './cli.ts'
import { Usage } from './errors.ts'
import { startProgress } from './progress.ts'
import { cannotRead } from './text.ts'

/** A file that is already in the library, by its ID or its URL. */
export const isInLibrary = (reference: string): boolean => /^med_\w+$|^https?:\/\//.test(reference)

/** Checks what can be checked of a file before it is sent. */
export const assertFile = (path: string): { size: number; mtimeMs: number } => {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) throw new Usage(`"${path}" is not a file.`)
    const refusal = refusalOf({ name: path, size: stats.size })
    if (refusal !== undefined) throw new Usage(`"${path}" ${refusal}`)
    return stats
  } catch (error) {
    throw error instanceof Usage ? error : cannotRead(path, error)
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

/** Uploads a file with a bar. */
export const uploadFile = async (
  { out, stopped }: Cli,
  client: Client,
  path: string,
  altText?: string,
): Promise<MediaAsset> => {
  const { size } = assertFile(path)
  const progress = startProgress(out.errors, size, (sent) => `${megabytes(sent)} of ${megabytes(size)}`)
  try {
    return await client.media.upload(await fileFromPath(path), {
      signal: stopped,
      altText,
      onProgress: ({ sentBytes }) => progress.at(sentBytes, basename(path)),
    })
  } finally {
    progress.end()
  }
}
