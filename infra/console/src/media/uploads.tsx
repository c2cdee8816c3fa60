import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { accepted, refusalOf, typeByName } from '../../../clients/javascript/src/media-types.ts'
import { messageOf } from '../messages.ts'
import { isRefused, say } from '../service.ts'
import { api } from '../store.ts'
import { type Asset, knownAsset, remember, Thumbnail, useKnown } from './asset.tsx'
import { Crop, canCrop } from './crop.tsx'

/** A file that a person chose: uploaded, or on its way. */
export interface ChosenFile {
  /** Of the upload on this page; the ID in the library is `id`. */
  key: string
  name: string
  /** Absent for a file on another host. */
  mimeType?: string
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

/** The largest file that is read into memory for its hash. */
const maxHashedBytes = 100_000_000

/** The SHA-256 of a file; undefined where the browser has no way to compute it. */
const hashOf = async (file: File): Promise<string | undefined> => {
  if (!isSecureContext || file.size > maxHashedBytes) return undefined
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The file with the same bytes among the newest 2,000 of the library, which one request reads. */
const sameFile = async (sha256: string, signal: AbortSignal): Promise<Asset | undefined> =>
  (await api().media.list({ sha256, limit: 1 }, { signal })).items[0]

const descriptionOf = (altText: string | null) => ({ altText: altText ?? '', storedAltText: altText ?? '' })

/** Puts the stored file in the place of its upload; one that the list has already is not added twice. */
const settleOn = (change: ChangeFiles, key: string, asset: Asset) =>
  change((files) =>
    files.flatMap((file) => {
      if (file.key !== key) return file
      if (files.some(({ id }) => id === asset.id)) return []
      const described = file.altText === '' ? descriptionOf(asset.altText) : { storedAltText: asset.altText ?? '' }
      return { ...file, ...described, id: asset.id, progress: undefined }
    }),
  )

const upload = async (change: ChangeFiles, key: string): Promise<void> => {
  const own = uploads.get(key)
  if (own === undefined) return
  update(change, key, { progress: 0, error: undefined })
  try {
    const { signal } = own.ending
    const sha256 = await hashOf(own.file)
    const stored = sha256 && (await sameFile(sha256, signal))
    if (stored) say(`${own.file.name} is already in your library`)
    const asset =
      stored ||
      (await api().media.upload(own.file, {
        sha256,
        signal,
        onProgress: ({ sentBytes, totalBytes }) =>
          update(change, key, { progress: totalBytes === 0 ? 1 : sentBytes / totalBytes }),
      }))
    uploads.delete(key)
    remember(asset)
    settleOn(change, key, asset)
  } catch (error) {
    // The same bytes would only be refused again.
    if (isRefused(error)) uploads.delete(key)
    update(change, key, { progress: undefined, error: messageOf(error).text })
  }
}

/** Adds files, and uploads one after the other. */
const add = async (change: ChangeFiles, files: Iterable<File>) => {
  const chosen = [...files].map((file): ChosenFile => {
    const [key, refusal] = [crypto.randomUUID(), refusalOf(file)]
    if (refusal === undefined) uploads.set(key, { file, ending: new AbortController() })
    const error = refusal && `This file ${refusal}`
    const mimeType = typeByName(file.name, file.type)
    return { key, name: file.name, mimeType, id: undefined, ...descriptionOf(null), progress: undefined, error }
  })
  change((before) => [...before, ...chosen])
  for (const { key } of chosen) await upload(change, key)
}

/** Uploads another file in place of one, with its alt text. */
const replace = (change: ChangeFiles, key: string, file: File): Promise<void> => {
  uploads.set(key, { file, ending: new AbortController() })
  update(change, key, { name: file.name, id: undefined, storedAltText: '' })
  return upload(change, key)
}

const remove = (change: ChangeFiles, key: string) => {
  uploads.get(key)?.ending.abort()
  uploads.delete(key)
  change((files) => files.filter((file) => file.key !== key))
}

/** Whether a file is in the library, or will be: a draft can also have the URL of another host. */
const isOfLibrary = ({ id }: ChosenFile): boolean => id === undefined || id.startsWith('med_')

/** A file of the library, or one on another host, that is chosen for a post. */
export const chosenFile = (id: string, asset?: Asset): ChosenFile => ({
  key: crypto.randomUUID(),
  name: asset?.originalFilename ?? id,
  ...(asset && { mimeType: asset.mimeType }),
  id,
  ...descriptionOf(asset?.altText ?? null),
  progress: undefined,
  error: undefined,
})

const moveBy = (change: ChangeFiles, key: string, by: 1 | -1) =>
  change((files) => {
    const n = files.findIndex((file) => file.key === key)
    const file = files[n]
    return file === undefined ? files : files.toSpliced(n, 1).toSpliced(n + by, 0, file)
  })

interface RowProps {
  change: ChangeFiles
  file: ChosenFile
  isDescribed: boolean
  /** Where it stands among the files of a post, whose order matters. */
  isFirst?: boolean
  isLast?: boolean
}

const Row = ({ change, file, isDescribed, isFirst = true, isLast = true }: RowProps) => {
  const { key, name, id, altText, progress, error } = file
  const asset = knownAsset(id)
  const [isCropping, setIsCropping] = useState(false)
  return (
    <li>
      {asset !== undefined && <Thumbnail asset={asset} />}
      <div class="grow">
        <span class="name">{name}</span> {id !== undefined && <span class="soft">Uploaded</span>}
        {progress !== undefined && <progress value={progress} aria-label={`Upload of ${name}`} />}
        {error !== undefined && <span class="error">{error}</span>}
        {isDescribed && (
          <label>
            <span class="unseen">Alt text for {name}</span>
            <input
              placeholder="Alt text"
              value={altText}
              maxLength={2_000}
              onInput={({ currentTarget }) => update(change, key, { altText: currentTarget.value })}
            />
          </label>
        )}
      </div>
      {uploads.has(key) && error !== undefined && (
        <button type="button" onClick={() => upload(change, key)}>
          Try again
        </button>
      )}
      {isDescribed && canCrop(asset) && (
        <button type="button" class="plain" aria-label={`Crop ${name}`} onClick={() => setIsCropping(true)}>
          Crop
        </button>
      )}
      {isCropping && canCrop(asset) && (
        <Crop
          asset={asset}
          onDone={(cropped) => void replace(change, key, cropped)}
          onClose={() => setIsCropping(false)}
        />
      )}
      {!isFirst && (
        <button type="button" class="plain" aria-label={`Move ${name} up`} onClick={() => moveBy(change, key, -1)}>
          ↑
        </button>
      )}
      {!isLast && (
        <button type="button" class="plain" aria-label={`Move ${name} down`} onClick={() => moveBy(change, key, 1)}>
          ↓
        </button>
      )}
      <button type="button" class="plain" aria-label={`Remove ${name}`} onClick={() => remove(change, key)}>
        Remove
      </button>
    </li>
  )
}

interface FilesProps {
  files: readonly ChosenFile[]
  change: ChangeFiles
  /** Whether each file can be described here. */
  isDescribed?: boolean
  /** Whether the order matters. */
  isOrdered?: boolean
  /** What the list is called. */
  label?: string
  /** The most files. */
  max?: number
  /** Another way to add a file. */
  children?: ComponentChildren
}

/** Files, chosen or dropped, each with its progress. */
export const Uploads = (props: FilesProps) => {
  const { files, change, isDescribed = false, isOrdered = false, label = 'Files', max = Infinity, children } = props
  useKnown(files.map(({ id }) => id))
  return (
    <fieldset
      class="drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void add(change, event.dataTransfer?.files ?? [])
      }}
    >
      <legend>{label}</legend>
      {files.length > 0 && (
        <ul class="files">
          {files.map((file, n) => (
            <Row
              key={file.key}
              change={change}
              file={file}
              isDescribed={isDescribed && isOfLibrary(file)}
              isFirst={!isOrdered || n === 0}
              isLast={!isOrdered || n === files.length - 1}
            />
          ))}
        </ul>
      )}
      {files.length < max && (
        <>
          <label class="button file">
            {max === 1 ? 'Choose a file' : 'Add files'}
            <input
              class="unseen"
              type="file"
              accept={accepted}
              multiple={max > 1}
              onChange={({ currentTarget }) => {
                void add(change, currentTarget.files ?? [])
                currentTarget.value = ''
              }}
            />
          </label>{' '}
          {children}
        </>
      )}
    </fieldset>
  )
}
