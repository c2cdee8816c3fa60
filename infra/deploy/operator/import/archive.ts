import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import * as z from 'zod/mini'
import { formatVersion } from '../../../../shared/export/manifest.ts'
import { Stop } from '../../../local/stop.ts'

const Manifest = z.object({
  formatVersion: z.number(),
  workspaceId: z.string(),
  files: z.array(z.object({ name: z.string(), size: z.number(), sha256: z.string() })),
})

/** The archive of an export, whose files are checked against its manifest when they are read. */
export class ExportArchive {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  #sums: ReadonlyMap<string, string> = new Map()
  /** The workspace that was exported. */
  workspaceId = ''

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  static async open(path: string): Promise<ExportArchive> {
    const zip = await openPromise(path, { autoClose: false })
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const archive = new ExportArchive(zip, entries)
    const manifest = z.safeParse(Manifest, JSON.parse((await archive.#bytesOf('manifest.json')).toString('utf8')))
    if (!manifest.success || manifest.data.formatVersion !== formatVersion) {
      throw new Stop(`${path} is no export of format version ${formatVersion}.`)
    }
    archive.workspaceId = manifest.data.workspaceId
    archive.#sums = new Map(manifest.data.files.map(({ name, sha256 }) => [name, sha256]))
    return archive
  }

  async #bytesOf(name: string): Promise<Buffer> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new Stop(`The archive has no file ${name}.`)
    return buffer(await this.#zip.openReadStreamPromise(entry))
  }

  has(name: string): boolean {
    return this.#sums.has(name)
  }

  async read(name: string): Promise<Buffer> {
    const bytes = await this.#bytesOf(name)
    if (createHash('sha256').update(bytes).digest('hex') === this.#sums.get(name)) return bytes
    throw new Stop(`The file ${name} of the archive is not the one in its manifest.`)
  }

  /** The records of one kind, file by file. */
  async *records(kind: string): AsyncGenerator<unknown[]> {
    for (const name of this.#sums.keys()) {
      if (!name.startsWith(`data/${kind}-`)) continue
      const lines = (await this.read(name)).toString('utf8').split('\n')
      yield lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line))
    }
  }

  close(): void {
    this.#zip.close()
  }
}
