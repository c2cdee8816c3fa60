import { Dialog } from '../dialog.tsx'
import { Empty, Loading } from '../parts.tsx'
import { type Asset, Thumbnail, useLibrary } from './asset.tsx'

interface PickerProps {
  chosenIds: readonly string[]
  onToggle: (asset: Asset) => void
  onClose: () => void
}

/** Chooses files of the library for a post. */
export const Picker = ({ chosenIds, onToggle, onClose }: PickerProps) => {
  const { page, bar, pager, isFiltered } = useLibrary()
  return (
    <Dialog title="Media library" onClose={onClose}>
      {bar}
      {page === undefined ? (
        <Loading />
      ) : page.items.length === 0 ? (
        <Empty>{isFiltered ? 'Nothing matches.' : 'No files yet.'}</Empty>
      ) : (
        <ul class="library">
          {page.items.map((asset) => {
            const isChosen = chosenIds.includes(asset.id)
            return (
              <li key={asset.id}>
                <button type="button" class="pick" aria-pressed={isChosen} onClick={() => onToggle(asset)}>
                  <Thumbnail asset={asset} />
                  {isChosen && <span aria-hidden="true">✓ </span>}
                  {asset.originalFilename}
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {pager}
    </Dialog>
  )
}
