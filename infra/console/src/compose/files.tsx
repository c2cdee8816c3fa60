import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { refusalOf } from '../../../client/src/media-types.ts'
import { Picker } from '../media/picker.tsx'
import { isRefused, sentenceOf } from '../service.ts'
import { api } from '../store.ts'
import { type File as Chosen, changePart, form, type Part } from './state.ts'

/** The files that are not uploaded yet, and what ends their upload: a reload of the page loses them. */
const uploads = new Map<string, { file: File; ending: AbortController }>()

/** Changes the files of a list as they are now: an upload ends after others have changed them. */
type Change = (to: (files: readonly Chosen[]) => readonly Chosen[]) => void

const update = (change: Change, key: string, values: Partial<Chosen>) =>
  change((files) => files.map((file) => (file.key === key ? { ...file, ...values } : file)))

const upload = async (change: Change, key: string): Promise<void> => {
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
const add = async (change: Change, files: Iterable<File>) => {
  const chosen = [...files].map((file): Chosen => {
    const [key, refusal] = [crypto.randomUUID(), refusalOf(file)]
    if (refusal === undefined) uploads.set(key, { file, ending: new AbortController() })
    const error = refusal && `The file ${refusal}`
    return { ...{ key, name: file.name, id: undefined }, ...descriptionOf(null), progress: undefined, error }
  })
  change((before) => [...before, ...chosen])
  for (const { key } of chosen) await upload(change, key)
}

const remove = (change: Change, key: string) => {
  uploads.get(key)?.ending.abort()
  uploads.delete(key)
  change((files) => files.filter((file) => file.key !== key))
}

/** Whether a file is in the library, or will be: a draft can also have the URL of another host. */
const isOfLibrary = ({ id }: Chosen): boolean => id === undefined || id.startsWith('med_')

/** The description of a file that the library has. */
export const descriptionOf = (altText: string | null) => ({ altText: altText ?? '', storedAltText: altText ?? '' })

interface RowProps {
  change: Change
  file: Chosen
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
  files: readonly Chosen[]
  change: Change
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

/** The files of a post: new ones, or those of the library. */
export const Files = ({ workspaceId, part }: { workspaceId: string; part: Part }) => {
  const [isPicking, setIsPicking] = useState(false)
  const { files } = part
  const change: Change = (to) => {
    const now = form.value.parts.find(({ key }) => key === part.key)
    if (now !== undefined) changePart(workspaceId, part.key, { files: to(now.files) })
  }
  return (
    <Uploads files={files} change={change} isDescribed>
      <button type="button" onClick={() => setIsPicking(true)}>
        From the library
      </button>
      {isPicking && (
        <Picker
          chosenIds={files.flatMap(({ id }) => id ?? [])}
          onToggle={({ id, originalFilename: name, altText }) =>
            change((before) =>
              before.some((file) => file.id === id)
                ? before.filter((file) => file.id !== id)
                : [...before, { key: id, name, id, ...descriptionOf(altText), progress: undefined, error: undefined }],
            )
          }
          onClose={() => setIsPicking(false)}
        />
      )}
    </Uploads>
  )
}
