import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { Client } from 'social-publishing-client'
import { Filter, Pager } from '../parts.tsx'
import { attempt, say } from '../service.ts'
import { api, workspace } from '../store.ts'
import { settle, useRead } from '../use-read.ts'

export type Asset = Awaited<ReturnType<Client['media']['get']>>

/** Files as the library has them, by ID. */
const known = signal<Readonly<Record<string, Asset>>>({})

export const knownAsset = (id: string | undefined): Asset | undefined => known.value[id ?? '']

export const remember = (asset: Asset): void => {
  known.value = { ...known.value, [asset.id]: asset }
}

export const readAsset = async (id: string): Promise<Asset | undefined> => {
  const asset = known.value[id] ?? (await attempt(() => api().media.get(id)))
  if (asset !== undefined) remember(asset)
  return asset
}

/** Reads files that are not known yet. An address on another host is no file of the library. */
export const useKnown = (ids: readonly (string | undefined)[]): void => {
  useEffect(() => {
    for (const id of ids) if (id?.startsWith('med_')) void readAsset(id)
  }, [ids.join()])
}

const perPage = 24
/** The most pages without a match that are skipped, each of up to 2,000 files; "Next page" continues after them. */
const maxEmptyPages = 20

const kinds = [
  { id: 'image', name: 'Images' },
  { id: 'video', name: 'Videos' },
  { id: 'document', name: 'Documents' },
  { id: 'captions', name: 'Captions' },
]

const noFilter = { q: '', kind: '' }

type Kind = NonNullable<Parameters<Client['media']['list']>[0]>['kind']

/** A page of the library, the newest files first, with the parts of the view that filter and turn it. */
export const useLibrary = () => {
  const [filter, setFilter] = useState(noFilter)
  const [cursor, setCursor] = useState<string>()
  const { q, kind } = filter
  const [page, readAgain] = useRead(
    async (signal) => {
      if (q !== '') await settle(signal)
      const query = { limit: perPage, q: q || undefined, kind: (kind || undefined) as Kind }
      // A page can be empty although later files match.
      let read = await api().media.list({ ...query, cursor }, { signal })
      for (let left = maxEmptyPages; read.items.length === 0 && read.nextCursor !== undefined && left > 0; left -= 1)
        read = await api().media.list({ ...query, cursor: read.nextCursor }, { signal })
      return read
    },
    [workspace.value?.id, cursor, q, kind],
  )
  const change = (to: Partial<typeof noFilter>) => {
    setFilter({ ...filter, ...to })
    setCursor(undefined)
  }
  const bar = (
    <search class="filters">
      <label>
        <span class="unseen">Search files</span>
        <input
          type="search"
          placeholder="Search files"
          maxLength={200}
          value={q}
          onInput={({ currentTarget }) => change({ q: currentTarget.value })}
        />
      </label>
      <Filter label="Kind" all="All kinds" choices={kinds} value={kind} onChange={(to) => change({ kind: to })} />
    </search>
  )
  const pager = <Pager page={page} cursor={cursor} onTurn={setCursor} />
  return { page, readAgain, bar, pager, isFiltered: q !== '' || kind !== '' }
}

/** A length in bytes, such as `340 B`, `12 kB`, or `3.4 MB`. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** A small image; for any other file, its extension. The description is shown beside it. */
export const Thumbnail = ({ asset }: { asset: Asset }) =>
  asset.mimeType.startsWith('image/') ? (
    <img class="thumbnail" src={asset.previewUrl} alt="" loading="lazy" />
  ) : (
    <span class="thumbnail" aria-hidden="true">
      {asset.storageKey.split('.').at(-1)?.toUpperCase()}
    </span>
  )

interface AltTextProps {
  id: string
  name: string
  altText: string
  onSaved: (altText: string) => void
}

/** Changes the text for people who cannot see a stored file. */
export const AltText = ({ id, name, altText, onSaved }: AltTextProps) => {
  const [text, setText] = useState(altText)
  const save = async () => {
    const saved = await attempt(() => api().media.update(id, { altText: text }))
    if (saved === undefined) return
    say('Alt text saved. Existing posts don’t change.')
    onSaved(saved.altText ?? '')
  }
  return (
    <details class="description">
      <summary>
        {altText === '' ? 'Add alt text' : 'Edit alt text'}
        <span class="unseen">: {name}</span>
      </summary>
      <label>
        <span class="unseen">Alt text for {name}</span>
        <textarea
          rows={3}
          maxLength={2_000}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="button" onClick={save}>
        Save
      </button>
    </details>
  )
}
