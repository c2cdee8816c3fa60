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
      {progress !== undefined && <progress value={progress} aria-label={`Upload of ${name}`} />}
      {id === undefined && progress === undefined && (
        <>
          <label class="grow">
            <span class="unseen">Description of {name}</span>
            <input
              placeholder="Describe it for people who cannot see it"
              value={altText}
              maxLength={1_000}
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
}

/** Files, chosen or dropped, each with its description and its progress. */
export const Uploads = ({ files, change }: FilesProps) => (
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
    </label>
  </fieldset>
)

/** The files of a post. */
export const Files = ({ workspaceId, part }: { workspaceId: string; part: Part }) => (
  <Uploads
    files={part.files}
    change={(to) => {
      const now = form.value.parts.find(({ key }) => key === part.key)
      if (now !== undefined) changePart(workspaceId, part.key, { files: to(now.files) })
    }}
  />
)
