import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { AltText } from '../media/asset.tsx'
import { Picker } from '../media/picker.tsx'
import { sentenceOf } from '../service.ts'
import { api } from '../store.ts'
import { type File as Chosen, changePart, form, type Part } from './state.ts'

/** The bytes of the files that are not uploaded yet: a reload of the page loses them. */
const bytes = new Map<string, File>()

/** Changes the files of a list as they are now: an upload ends after others have changed them. */
type Change = (to: (files: readonly Chosen[]) => readonly Chosen[]) => void

const update = (change: Change, key: string, values: Partial<Chosen>) =>
  change((files) => files.map((file) => (file.key === key ? { ...file, ...values } : file)))

const add = (change: Change, files: Iterable<File>) => {
  const chosen = [...files].map((file): Chosen => {
    const key = crypto.randomUUID()
    bytes.set(key, file)
    return { key, name: file.name, id: undefined, altText: '', progress: undefined, error: undefined }
  })
  change((before) => [...before, ...chosen])
}

const upload = async (change: Change, { key, altText }: Chosen): Promise<void> => {
  const file = bytes.get(key)
  if (file === undefined) return
  update(change, key, { progress: 0, error: undefined })
  try {
    const { id } = await api().media.upload(file, {
      ...(altText.trim() === '' ? {} : { altText }),
      onProgress: ({ sentBytes, totalBytes }) =>
        update(change, key, { progress: totalBytes === 0 ? 1 : sentBytes / totalBytes }),
    })
    bytes.delete(key)
    update(change, key, { id, progress: undefined })
  } catch (error) {
    update(change, key, { progress: undefined, error: sentenceOf(error) })
  }
}

const Row = ({ change, file }: { change: Change; file: Chosen }) => {
  const { key, name, id, altText, progress, error } = file
  return (
    <li>
      <span class="name">{name}</span>
      {id !== undefined && <span class="soft">Uploaded{altText === '' ? '' : `: ${altText}`}</span>}
      {id !== undefined && (
        <AltText id={id} name={name} altText={altText} onSaved={(text) => update(change, key, { altText: text })} />
      )}
      {progress !== undefined && <progress value={progress} aria-label={`Upload of ${name}`} />}
      {id === undefined && progress === undefined && (
        <>
          <label class="grow">
            <span class="unseen">Description of {name}</span>
            <input
              placeholder="Describe it for people who cannot see it"
              value={altText}
              maxLength={2_000}
              onInput={({ currentTarget }) => update(change, key, { altText: currentTarget.value })}
            />
          </label>
          <button type="button" onClick={() => upload(change, file)}>
            {error === undefined ? 'Upload' : 'Try again'}
          </button>
        </>
      )}
      <button
        type="button"
        class="plain"
        aria-label={`Remove ${name}`}
        onClick={() => change((files) => files.filter((other) => other.key !== key))}
      >
        Remove
      </button>
      {error !== undefined && <span class="error">{error}</span>}
    </li>
  )
}

interface FilesProps {
  files: readonly Chosen[]
  change: Change
  /** Another way to add a file. */
  children?: ComponentChildren
}

/** Files, chosen or dropped, each with its description and its progress. */
export const Uploads = ({ files, change, children }: FilesProps) => (
  <fieldset
    onDragOver={(event) => event.preventDefault()}
    onDrop={(event) => {
      event.preventDefault()
      add(change, event.dataTransfer?.files ?? [])
    }}
  >
    <legend>Files</legend>
    {files.length > 0 && (
      <ul class="files">
        {files.map((file) => (
          <Row key={file.key} change={change} file={file} />
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
          add(change, currentTarget.files ?? [])
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
    <Uploads files={files} change={change}>
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
                : [...before, { key: id, name, id, altText: altText ?? '', progress: undefined, error: undefined }],
            )
          }
          onClose={() => setIsPicking(false)}
        />
      )}
    </Uploads>
  )
}
