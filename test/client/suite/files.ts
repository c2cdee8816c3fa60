import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileFromPath, fileFromStream } from 'social-publishing-client/node'
import { assert, type Check, same, thrownBy } from './check.ts'

const inFolder = async (png: string, run: (path: string, bytes: Buffer) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), 'client-files-'))
  try {
    const bytes = Buffer.from(png, 'base64')
    const path = join(folder, 'cat.png')
    await writeFile(path, bytes)
    await run(path, bytes)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** What runtimes with a file system do in addition to the rest. */
export const files: Record<string, Check> = {
  'a file is uploaded from its path, with progress': ({ client, png }) =>
    inFolder(png, async (path, bytes) => {
      const reported: number[] = []
      const asset = await client.media.upload(await fileFromPath(path), {
        onProgress: ({ sentBytes }) => reported.push(sentBytes),
      })
      same([asset.originalFilename, asset.mimeType, asset.fileSize], ['cat.png', 'image/png', bytes.length])
      same([reported[0], reported.at(-1)], [0, bytes.length])
      assert(
        reported.every((sent, at) => sent > (reported[at - 1] ?? -1)),
        'progress grows',
      )
    }),

  'a stream of a known length is uploaded': ({ client, png }) =>
    inFolder(png, async (path, bytes) => {
      const file = fileFromStream(createReadStream(path), { name: 'dog.png', size: bytes.length })
      same((await client.media.upload(file)).fileSize, bytes.length)
    }),

  'a stream of another length is an error': ({ client, png }) =>
    inFolder(png, async (path, bytes) => {
      for (const size of [bytes.length - 1, bytes.length + 1]) {
        const file = fileFromStream(createReadStream(path), { name: 'dog.png', size })
        same((await thrownBy(client.media.upload(file)))['code'], 'upload_failed', `the code for ${size} bytes`)
      }
    }),
}
