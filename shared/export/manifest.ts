import type { MissingFile, NewEntry, StoredEntry } from './archive.ts'
import type { Export } from './export.ts'
import { sources } from './sources/every.ts'

/** Increases when a reader of older archives could misread a newer one. */
export const formatVersion = 1

const textFile = (name: string, text: string): NewEntry => ({ name, chunks: [Buffer.from(text)], compress: true })

/** How many lines each kind has. */
const countsIn = (entries: readonly StoredEntry[]): Record<string, number> =>
  Object.fromEntries(
    sources.map(({ name }) => [
      name,
      entries.filter(({ kind }) => kind === name).reduce((sum, { records = 0 }) => sum + records, 0),
    ]),
  )

/** The contents of the archive, with a checksum of each file. */
export const manifestFile = (
  { id, workspaceId, requestedBy, createdAt }: Export,
  entries: readonly StoredEntry[],
  missing: readonly MissingFile[],
): NewEntry => {
  const files = entries.map(({ name, size, sha256 }) => ({ name, size, sha256 }))
  const manifest = {
    formatVersion,
    exportId: id,
    workspaceId,
    requestedBy,
    createdAt,
    counts: countsIn(entries),
    mediaFiles: entries.filter(({ name }) => name.startsWith('media/')).length,
    missingMedia: missing,
    files,
  }
  return textFile('manifest.json', `${JSON.stringify(manifest, undefined, 2)}\n`)
}

/** The archive, described in prose. */
export const readmeFile = ({ workspaceId, createdAt }: Export): NewEntry =>
  textFile(
    'README.txt',
    `Export of the workspace ${workspaceId}, requested at ${createdAt}.

manifest.json names every file with its size and its SHA-256, how many records each kind has, and the media whose file
was missing. The format version increases when the format changes in a way that a program must know.

data/ has one JSON object per line (JSON Lines), in files of at most 10,000 lines or so:

${sources.map(({ name, description }) => `${name}\n    ${description}`).join('\n')}

media/ has the files of the gallery as they were uploaded, named by the id of their record.

The records were read one after the other. A record that was changed while the archive was made is in it as it was
before or after the change; one that was created or deleted meanwhile may be in it or not. Secrets are not in the
archive: no credentials of social accounts, no secrets of webhook endpoints, and no tokens.
`,
  )
