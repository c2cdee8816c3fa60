import { signal } from '@preact/signals'
import { Action } from '../form.tsx'
import { Empty, Loading } from '../parts.tsx'
import { api, workspace, zone } from '../store.ts'
import { formatDuration, formatMoment } from '../time.ts'
import { AltText, type Asset, formatBytes, Thumbnail, useLibrary } from './asset.tsx'
import { type ChosenFile, Uploads } from './uploads.tsx'

/** The files that are on their way, by workspace. */
const uploads = signal<Readonly<Record<string, readonly ChosenFile[]>>>({})

const Card = ({ asset, onChange }: { asset: Asset; onChange: () => void }) => {
  const { id, originalFilename, mimeType, fileSize, width, height, duration, altText, createdAt, url } = asset
  const details = [
    mimeType,
    formatBytes(fileSize),
    width === undefined ? undefined : `${width} × ${height}`,
    duration === undefined ? undefined : formatDuration(duration),
  ]
  return (
    <li>
      <a href={url} target="_blank" rel="noopener" aria-label={`Open ${originalFilename}`}>
        <Thumbnail asset={asset} />
      </a>
      <strong>{originalFilename}</strong>
      <span class="soft">{details.filter(Boolean).join(' · ')}</span>
      <span class="soft">{formatMoment(Date.parse(createdAt), zone.value)}</span>
      <span>{altText ?? 'No alt text'}</span>
      <AltText id={id} name={originalFilename} altText={altText ?? ''} onSaved={onChange} />
      <Action
        name="Delete"
        of={originalFilename}
        text="Published posts don’t change."
        fields={[
          {
            name: 'force',
            label: 'Scheduled posts',
            isMany: true,
            choices: [{ id: 'true', name: 'Delete it even if scheduled posts use it (they will fail)' }],
          },
        ]}
        call={({ list }) => api().media.delete(id, list('force').length > 0 ? { force: 'true' } : {})}
        done={`${originalFilename} deleted`}
        onDone={onChange}
      />
    </li>
  )
}

/** The files of the workspace. */
export const MediaView = () => {
  const workspaceId = workspace.value?.id ?? ''
  const { page, readAgain, bar, pager, isFiltered } = useLibrary()
  return (
    <section>
      <h1>Media</h1>
      <div class="uploads">
        <Uploads
          files={uploads.value[workspaceId] ?? []}
          change={(to) => {
            const files = to(uploads.value[workspaceId] ?? [])
            const waiting = files.filter(({ id }) => id === undefined)
            uploads.value = { ...uploads.value, [workspaceId]: waiting }
            if (waiting.length < files.length) readAgain()
          }}
        />
      </div>
      {bar}
      {page === undefined ? (
        <Loading />
      ) : page.items.length === 0 ? (
        <Empty>{isFiltered ? 'Nothing matches.' : 'No files yet. Add one above, or in a new post.'}</Empty>
      ) : (
        <>
          {page.totalIsExact && (
            <p class="soft">
              {page.total} {page.total === 1 ? 'file' : 'files'}
            </p>
          )}
          <ul class="library">
            {page.items.map((asset) => (
              <Card key={asset.id} asset={asset} onChange={readAgain} />
            ))}
          </ul>
        </>
      )}
      {pager}
    </section>
  )
}
