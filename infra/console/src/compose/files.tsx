import { sentenceOf } from '../service.ts'
import { api } from '../store.ts'
import { type File as Chosen, change, form } from './state.ts'

/** The bytes of the files that are not uploaded yet: a reload of the page loses them. */
const bytes = new Map<string, File>()

const update = (workspaceId: string, key: string, values: Partial<Chosen>) =>
  change(workspaceId, {
    files: form.value.files.map((file) => (file.key === key ? { ...file, ...values } : file)),
  })

const add = (workspaceId: string, files: Iterable<File>) => {
  const chosen = [...files].map((file): Chosen => {
    const key = crypto.randomUUID()
    bytes.set(key, file)
    return { key, name: file.name, id: undefined, altText: '', progress: undefined, error: undefined }
  })
  change(workspaceId, { files: [...form.value.files, ...chosen] })
}

const upload = async (workspaceId: string, { key, altText }: Chosen): Promise<void> => {
  const file = bytes.get(key)
  if (file === undefined) return
  update(workspaceId, key, { progress: 0, error: undefined })
  try {
    const { id } = await api().media.upload(file, {
      ...(altText.trim() === '' ? {} : { altText }),
      onProgress: ({ sentBytes, totalBytes }) =>
        update(workspaceId, key, { progress: totalBytes === 0 ? 1 : sentBytes / totalBytes }),
    })
    bytes.delete(key)
    update(workspaceId, key, { id, progress: undefined })
  } catch (error) {
    update(workspaceId, key, { progress: undefined, error: sentenceOf(error) })
  }
}

const Row = ({ workspaceId, file }: { workspaceId: string; file: Chosen }) => {
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
              onInput={({ currentTarget }) => update(workspaceId, key, { altText: currentTarget.value })}
            />
          </label>
          <button type="button" onClick={() => upload(workspaceId, file)}>
            {error === undefined ? 'Upload' : 'Try again'}
          </button>
        </>
      )}
      <button
        type="button"
        class="plain"
        aria-label={`Remove ${name}`}
        onClick={() => change(workspaceId, { files: form.value.files.filter((other) => other.key !== key) })}
      >
        Remove
      </button>
      {error !== undefined && <span class="error">{error}</span>}
    </li>
  )
}

/** The files of the post, chosen or dropped, each with its description and its progress. */
export const Files = ({ workspaceId }: { workspaceId: string }) => (
  <fieldset
    onDragOver={(event) => event.preventDefault()}
    onDrop={(event) => {
      event.preventDefault()
      add(workspaceId, event.dataTransfer?.files ?? [])
    }}
  >
    <legend>Files</legend>
    {form.value.files.length > 0 && (
      <ul class="files">
        {form.value.files.map((file) => (
          <Row key={file.key} workspaceId={workspaceId} file={file} />
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
          add(workspaceId, currentTarget.files ?? [])
          currentTarget.value = ''
        }}
      />
    </label>
  </fieldset>
)
