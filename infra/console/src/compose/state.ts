import { signal } from '@preact/signals'
import type { ChosenFile } from '../media/uploads.tsx'

/** A text with its files: the post, or one of the posts of a thread. */
export interface Part {
  key: string
  content: string
  files: readonly ChosenFile[]
}

/** What a person has typed and chosen. */
export interface Form {
  accountIds: readonly string[]
  /** At least one; two or more are a thread. */
  parts: readonly Part[]
  /** Texts of their own, by platform. */
  platformContent: Readonly<Record<string, string>>
  /** The fields that only one platform has, by platform. */
  metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  firstComment: string
  when: 'later' | 'now'
  day: string
  time: string
  /** The draft that it is saved as. */
  draft: { id: string; version: number } | undefined
  /** Goes with each try to send the same post, so that none is published twice. */
  idempotencyKey: string
}

export const emptyPart = (): Part => ({ key: crypto.randomUUID(), content: '', files: [] })

export const emptyForm = (): Form => ({
  accountIds: [],
  parts: [emptyPart()],
  platformContent: {},
  metadata: {},
  firstComment: '',
  when: 'later',
  day: '',
  time: '09:00',
  draft: undefined,
  idempotencyKey: crypto.randomUUID(),
})

/** A new post and each draft are kept apart. */
const keyOf = (workspaceId: string, draftId = '') => `compose/${workspaceId}/${draftId}`

/** The form as it was left in this tab: nothing typed is lost by a reload, or by a session that ends. */
export const remembered = (workspaceId: string, draftId?: string): Form => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(workspaceId, draftId)) ?? 'null')
    return typeof stored === 'object' && stored !== null ? { ...emptyForm(), ...stored } : emptyForm()
  } catch {
    return emptyForm()
  }
}

export const form = signal<Form>(emptyForm())

/** Changes the form, and keeps it. A changed post is another request. */
export const change = (workspaceId: string, values: Partial<Form>): void => {
  form.value = { ...form.value, idempotencyKey: crypto.randomUUID(), ...values }
  const parts = form.value.parts.map((part) => ({ ...part, files: part.files.filter(({ id }) => id !== undefined) }))
  sessionStorage.setItem(keyOf(workspaceId, form.value.draft?.id), JSON.stringify({ ...form.value, parts }))
}

/** Changes one part of the form. */
export const changePart = (workspaceId: string, key: string, values: Partial<Part>): void =>
  change(workspaceId, { parts: form.value.parts.map((part) => (part.key === key ? { ...part, ...values } : part)) })

/** Empties the form: what it was is sent, stored, or not wanted. */
export const forget = (workspaceId: string): void => {
  sessionStorage.removeItem(keyOf(workspaceId, form.value.draft?.id))
  form.value = emptyForm()
}
