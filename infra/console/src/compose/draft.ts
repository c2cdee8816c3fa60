import { type ChosenFile, descriptionOf } from '../media/uploads.tsx'
import { go, to } from '../route.ts'
import { attempt, say } from '../service.ts'
import { api, zone } from '../store.ts'
import { addDays, dayIn, now } from '../time.ts'
import { readAsset } from './preview.tsx'
import { contentOf } from './request.ts'
import { change, emptyForm, emptyPart, type Form, forget, form } from './state.ts'

/** A file of a draft: one of the library, or the URL of another host. */
const fileOf = async (id: string): Promise<ChosenFile> => {
  const asset = id.startsWith('med_') ? await readAsset(id) : undefined
  const { originalFilename: name = id, altText } = asset ?? {}
  return { key: id, name, id, ...descriptionOf(altText ?? null), progress: undefined, error: undefined }
}

/** The form of a draft as the service has it. */
export const readDraft = async (id: string): Promise<Partial<Form>> => {
  const draft = await api().drafts.get(id)
  const files = await Promise.all(draft.mediaUrls.map(fileOf))
  return {
    ...emptyForm(),
    accountIds: draft.socialAccountIds,
    firstComment: draft.firstComment?.text ?? '',
    platformContent: draft.platformContent as Form['platformContent'],
    metadata: draft.metadata as Form['metadata'],
    parts: [{ ...emptyPart(), content: draft.content, files }],
    draft: { id: draft.id, version: draft.version },
    day: addDays(dayIn(now(), zone.value), 1),
  }
}

/** Stores the descriptions that were typed; false if one could not be stored. */
export const storeDescriptions = async (workspaceId: string): Promise<boolean> => {
  for (const { id, altText, storedAltText } of form.value.parts.flatMap(({ files }) => files)) {
    if (id === undefined || altText === storedAltText) continue
    const stored = await attempt(() => api().media.update(id, { altText }))
    if (stored === undefined) return false
    const { idempotencyKey, parts } = form.value
    const withStored = (file: ChosenFile) => (file.id === id ? { ...file, storedAltText: altText } : file)
    change(workspaceId, {
      parts: parts.map((part) => ({ ...part, files: part.files.map(withStored) })),
      idempotencyKey,
    })
  }
  return true
}

/** Stores the form as a draft, and shows it. */
export const saveDraft = async (workspaceId: string, current: Form) => {
  const { firstComment, platformContent, metadata, mediaUrls, ...rest } = contentOf(current)
  // A draft keeps a field that is absent: what was removed is sent as such.
  const body = {
    ...rest,
    platformContent: platformContent ?? {},
    metadata: metadata ?? {},
    mediaUrls: mediaUrls ?? [],
    firstComment: firstComment ?? null,
  }
  const { draft } = current
  if (!(await storeDescriptions(workspaceId))) return
  const saved = await attempt(() =>
    draft === undefined
      ? api().drafts.create(body, { idempotencyKey: current.idempotencyKey })
      : api().drafts.update(draft.id, body, { ifMatch: `"${draft.version}"` }),
  )
  if (saved === undefined) return
  // With what was typed meanwhile.
  const typed = form.value
  if (draft === undefined) forget(workspaceId)
  change(workspaceId, { ...typed, draft: { id: saved.id, version: saved.version } })
  go(to('compose', { draft: saved.id }), { replace: true })
  say('The draft is saved.')
}
