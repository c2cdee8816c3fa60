import { useState } from 'preact/hooks'
import { remember } from '../media/asset.tsx'
import { Picker } from '../media/picker.tsx'
import { type ChangeFiles, type ChosenFile, chosenFile, Uploads } from '../media/uploads.tsx'

interface FilesProps {
  files: readonly ChosenFile[]
  change: ChangeFiles
  label?: string
}

/** The files of a post in their order: new ones, or those of the library. */
export const Files = ({ files, change, label = 'Files' }: FilesProps) => {
  const [isPicking, setIsPicking] = useState(false)
  return (
    <Uploads files={files} change={change} label={label} isDescribed isOrdered>
      <button type="button" onClick={() => setIsPicking(true)}>
        Choose from library
      </button>
      {isPicking && (
        <Picker
          chosenIds={files.flatMap(({ id }) => id ?? [])}
          onToggle={(asset) => {
            remember(asset)
            change((before) =>
              before.some(({ id }) => id === asset.id)
                ? before.filter(({ id }) => id !== asset.id)
                : [...before, chosenFile(asset.id, asset)],
            )
          }}
          onClose={() => setIsPicking(false)}
        />
      )}
    </Uploads>
  )
}
