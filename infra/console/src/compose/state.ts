import { signal } from '@preact/signals'
import type { ChosenFile } from '../media/uploads.tsx'

/** A text with its files: the post, or one of the posts of a thread. */
export interface Part {
  key: string
  content: string
  files: readonly ChosenFile[]
}

export interface EditedPost {
  id: string
  version: number
  accountId: string
  platform: string
  /** A post of a thread that is live, or may be, stays unchanged. */
  isEditable: boolean
  isFailed: boolean
}

/** Posts of one request that the form changes, as they were read. */
export interface Edited {
  /** The post whose page led here. */
  id: string
  posts: readonly EditedPost[]
  day: string
  time: string
}

/** What a person has typed and chosen. */
export interface Form {
  accountIds: readonly string[]
  /** At least one; two or more are a thread. */
  parts: readonly Part[]
  /** The text and the files that replace the shared ones, by platform. */
  platformContent: Readonly<Record<string, string>>
  platformFiles: Readonly<Record<string, readonly ChosenFile[]>>
  /** The fields that only one platform has, by platform. */
  metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  firstComment: string
  /** How long after the post the comment follows; the service's default if absent. */
  commentDelaySeconds?: number
  when: 'later' | 'now'
  day: string
  time: string
  /** The draft that it is saved as. */
  draft: { id: string; version: number } | undefined
  /** The posts that it changes. */
  edited: Edited | undefined
  /** Goes with each try to send the same post, so that none is published twice. */
  idempotencyKey: string
}

export const emptyPart = (): Part => ({ key: crypto.randomUUID(), content: '', files: [] })

export const emptyForm = (): Form => ({
  accountIds: [],
  parts: [emptyPart()],
  platformContent: {},
  platformFiles: {},
  metadata: {},
  firstComment: '',
  when: 'later',
  day: '',
  time: '09:00',
  draft: undefined,
  edited: undefined,
  idempotencyKey: crypto.randomUUID(),
})

export const isThread = ({ parts }: Pick<Form, 'parts'>): boolean => parts.length > 1

/** A new post, each draft, and each post that is edited has a form. */
const keyOf = (workspaceId: string, id = '') => `compose/${workspaceId}/${id}`

const idOf = ({ draft, edited }: Form) => draft?.id ?? edited?.id

/** The form as it was left in this tab: nothing typed is lost by a reload, or by a session that ends. */
export const remembered = (workspaceId: string, id?: string): Form => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(workspaceId, id)) ?? 'null')
    return typeof stored === 'object' && stored !== null ? { ...emptyForm(), ...stored } : emptyForm()
  } catch {
    return emptyForm()
  }
}

export const form = signal<Form>(emptyForm())

const uploaded = (files: readonly ChosenFile[]) => files.filter(({ id }) => id !== undefined)

/** Changes the form, and stores it. A changed post is another request. */
export const change = (workspaceId: string, values: Partial<Form>): void => {
  form.value = { ...form.value, idempotencyKey: crypto.randomUUID(), ...values }
  const parts = form.value.parts.map((part) => ({ ...part, files: uploaded(part.files) }))
  const platformFiles = Object.fromEntries(
    Object.entries(form.value.platformFiles).map(([platform, files]) => [platform, uploaded(files)]),
  )
  sessionStorage.setItem(keyOf(workspaceId, idOf(form.value)), JSON.stringify({ ...form.value, parts, platformFiles }))
}

/** Changes one part of the form. */
export const changePart = (workspaceId: string, key: string, values: Partial<Part>): void =>
  change(workspaceId, { parts: form.value.parts.map((part) => (part.key === key ? { ...part, ...values } : part)) })

/** Empties the form: what it was is sent, stored, or not wanted. */
export const forget = (workspaceId: string): void => {
  sessionStorage.removeItem(keyOf(workspaceId, idOf(form.value)))
  form.value = emptyForm()
}

/** Every file of the form. */
export const filesIn = ({ parts, platformFiles }: Form): ChosenFile[] => [
  ...parts.flatMap(({ files }) => files),
  ...Object.values(platformFiles).flat(),
]
