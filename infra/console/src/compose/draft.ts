import { readAsset, remember } from '../media/asset.tsx'
import { type ChosenFile, chosenFile } from '../media/uploads.tsx'
import { go, to } from '../route.ts'
import { attempt, say } from '../service.ts'
import { api, zone } from '../store.ts'
import { addDays, dayIn, now } from '../time.ts'
import { knownPlatform } from './platforms.ts'
import { contentOf } from './request.ts'
import { change, emptyForm, emptyPart, type Form, filesIn, forget, form } from './state.ts'

/** Files of the library, or URLs of another host. */
export const readFiles = (ids: readonly string[]): Promise<ChosenFile[]> =>
  Promise.all(ids.map(async (id) => chosenFile(id, id.startsWith('med_') ? await readAsset(id) : undefined)))

/** A block without the text that it has instead of the content, and that text: people write it as the text. */
export const splitBlock = (platform: string, block: Readonly<Record<string, unknown>>) => {
  const { [knownPlatform(platform)?.text.field ?? '']: text, ...rest } = block
  return { rest, text: typeof text === 'string' && text !== '' ? text : undefined }
}

/** The comment of a draft or a post. */
export const commentOf = ({
  firstComment,
}: {
  firstComment?: { text: string; delaySeconds?: number | undefined } | null | undefined
}): Pick<Form, 'firstComment' | 'commentDelaySeconds'> => {
  const { text = '', delaySeconds } = firstComment ?? {}
  return delaySeconds === undefined ? { firstComment: text } : { firstComment: text, commentDelaySeconds: delaySeconds }
}

/** The form of a draft as the service has it. */
export const readDraft = async (id: string): Promise<Partial<Form>> => {
  const draft = await api().drafts.get(id)
  const blocks = Object.entries(draft.metadata as Form['metadata']).map(
    ([id, block]) => [id, splitBlock(id, block)] as const,
  )
  const texts = blocks.flatMap(([id, { text }]) => (text === undefined ? [] : [[id, text] as const]))
  const own = Object.entries(draft.platformMedia).map(async ([id, files]) => [id, await readFiles(files)] as const)
  return {
    ...emptyForm(),
    accountIds: draft.socialAccountIds,
    ...commentOf(draft),
    platformContent: { ...(draft.platformContent as Form['platformContent']), ...Object.fromEntries(texts) },
    metadata: Object.fromEntries(blocks.map(([id, { rest }]) => [id, rest])),
    platformFiles: Object.fromEntries(await Promise.all(own)),
    parts: [{ ...emptyPart(), content: draft.content, files: await readFiles(draft.mediaUrls) }],
    draft: { id: draft.id, version: draft.version },
    day: addDays(dayIn(now(), zone.value), 1),
  }
}

/** Stores the alt texts that were typed; false if one could not be stored. */
export const storeDescriptions = async (workspaceId: string): Promise<boolean> => {
  for (const { id, altText, storedAltText } of filesIn(form.value)) {
    if (id === undefined || altText === storedAltText) continue
    const stored = await attempt(() => api().media.update(id, { altText }))
    if (stored === undefined) return false
    remember(stored)
    const { idempotencyKey, parts, platformFiles } = form.value
    const withStored = (files: readonly ChosenFile[]) =>
      files.map((file) => (file.id === id ? { ...file, storedAltText: altText } : file))
    change(workspaceId, {
      parts: parts.map((part) => ({ ...part, files: withStored(part.files) })),
      platformFiles: Object.fromEntries(
        Object.entries(platformFiles).map(([platform, files]) => [platform, withStored(files)]),
      ),
      idempotencyKey,
    })
  }
  return true
}

/** Stores the form as a draft, and shows it. */
export const saveDraft = async (workspaceId: string, current: Form) => {
  const { firstComment, platformContent, platformMedia, metadata, mediaUrls, ...rest } = contentOf(current)
  // A draft keeps a field that is absent: what was removed is sent as such.
  const body = {
    ...rest,
    platformContent: platformContent ?? {},
    platformMedia: platformMedia ?? {},
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
  say('Draft saved')
}
