import type { ComponentChildren } from 'preact'
import { refusalOf } from '../../../clients/javascript/src/media-types.ts'
import { isRefused, sentenceOf } from '../service.ts'
import { api } from '../store.ts'

/** A file that a person chose: uploaded, or on its way. */
export interface ChosenFile {
  /** Of the upload on this page; the ID in the library is `id`. */
  key: string
  name: string
  /** `med_…`, once it is uploaded. */
  id: string | undefined
  altText: string
  /** What the library has: another `altText` is stored before the post is sent. */
  storedAltText: string
  /** 0 to 1 while it is uploaded. */
  progress: number | undefined
  error: string | undefined
}

/** The files that are not uploaded yet, and what ends their upload: a reload of the page loses them. */
const uploads = new Map<string, { file: File; ending: AbortController }>()

/** Changes the files of a list as they are now: an upload ends after others have changed them. */
export type ChangeFiles = (to: (files: readonly ChosenFile[]) => readonly ChosenFile[]) => void

const update = (change: ChangeFiles, key: string, values: Partial<ChosenFile>) =>
  change((files) => files.map((file) => (file.key === key ? { ...file, ...values } : file)))

const upload = async (change: ChangeFiles, key: string): Promise<void> => {
  const own = uploads.get(key)
  if (own === undefined) return
  update(change, key, { progress: 0, error: undefined })
  try {
    const { id } = await api().media.upload(own.file, {
      signal: own.ending.signal,
      onProgress: ({ sentBytes, totalBytes }) =>
        update(change, key, { progress: totalBytes === 0 ? 1 : sentBytes / totalBytes }),
    })
    uploads.delete(key)
    update(change, key, { id, progress: undefined })
  } catch (error) {
    // The same bytes would only be refused again.
    if (isRefused(error)) uploads.delete(key)
    update(change, key, { progress: undefined, error: sentenceOf(error) })
  }
}

/** Adds files, and uploads one after the other. */
const add = async (change: ChangeFiles, files: Iterable<File>) => {
  const chosen = [...files].map((file): ChosenFile => {
    const [key, refusal] = [crypto.randomUUID(), refusalOf(file)]
    if (refusal === undefined) uploads.set(key, { file, ending: new AbortController() })
    const error = refusal && `The file ${refusal}`
    return { key, name: file.name, id: undefined, ...descriptionOf(null), progress: undefined, error }
  })
  change((before) => [...before, ...chosen])
  for (const { key } of chosen) await upload(change, key)
}

const remove = (change: ChangeFiles, key: string) => {
  uploads.get(key)?.ending.abort()
  uploads.delete(key)
  change((files) => files.filter((file) => file.key !== key))
}

/** Whether a file is in the library, or will be: a draft can also have the URL of another host. */
const isOfLibrary = ({ id }: ChosenFile): boolean => id === undefined || id.startsWith('med_')

/** The description of a file that the library has. */
export const descriptionOf = (altText: string | null) => ({ altText: altText ?? '', storedAltText: altText ?? '' })

interface RowProps {
  change: ChangeFiles
  file: ChosenFile
  isDescribed: boolean
}

const Row = ({ change, file: { key, name, id, altText, progress, error }, isDescribed }: RowProps) => (
  <li>
    <span class="name">{name}</span>
    {id !== undefined && <span class="soft">Uploaded</span>}
    {progress !== undefined && <progress value={progress} aria-label={`Upload of ${name}`} />}
    {error !== undefined && (
      <>
        <span class="error">{error}</span>
        {uploads.has(key) && (
          <button type="button" onClick={() => upload(change, key)}>
            Try again
          </button>
        )}
      </>
    )}
    <button type="button" class="plain" aria-label={`Remove ${name}`} onClick={() => remove(change, key)}>
      Remove
    </button>
    {isDescribed && (
      <label class="grow">
        <span class="unseen">Description of {name}</span>
        <input
          placeholder="Describe it for people who cannot see it"
          value={altText}
          maxLength={2_000}
          onInput={({ currentTarget }) => update(change, key, { altText: currentTarget.value })}
        />
      </label>
    )}
  </li>
)

interface FilesProps {
  files: readonly ChosenFile[]
  change: ChangeFiles
  /** Whether each file can be described here. */
  isDescribed?: boolean
  /** Another way to add a file. */
  children?: ComponentChildren
}

/** Files, chosen or dropped, each with its progress. */
export const Uploads = ({ files, change, isDescribed = false, children }: FilesProps) => (
  <fieldset
    onDragOver={(event) => event.preventDefault()}
    onDrop={(event) => {
      event.preventDefault()
      void add(change, event.dataTransfer?.files ?? [])
    }}
  >
    <legend>Files</legend>
    {files.length > 0 && (
      <ul class="files">
        {files.map((file) => (
          <Row key={file.key} change={change} file={file} isDescribed={isDescribed && isOfLibrary(file)} />
        ))}
      </ul>
    )}
    <label class="button file">
      Add files
      <input
        class="unseen"
        type="file"
        multiple
        onChange={({ currentTarget }) => {
          void add(change, currentTarget.files ?? [])
          currentTarget.value = ''
        }}
      />
    </label>{' '}
    {children}
  </fieldset>
)
