import { useState } from 'preact/hooks'
import { Picker } from '../media/picker.tsx'
import { type ChangeFiles, descriptionOf, Uploads } from '../media/uploads.tsx'
import { changePart, form, type Part } from './state.ts'

/** The files of a post: new ones, or those of the library. */
export const Files = ({ workspaceId, part }: { workspaceId: string; part: Part }) => {
  const [isPicking, setIsPicking] = useState(false)
  const { files } = part
  const change: ChangeFiles = (to) => {
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
