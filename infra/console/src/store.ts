import { computed, signal } from '@preact/signals'
import type { Client, Post } from 'social-publishing-client'
import { arrival } from './arrival.ts'
import { attemptRead, inWorkspace, service } from './service.ts'
import { addDays, dayIn, now } from './time.ts'

export type Workspace = Awaited<ReturnType<Client['workspaces']['list']>>[number]
export type Account = Awaited<ReturnType<Client['socialAccounts']['list']>>[number]
export type { Post }

export const workspaces = signal<readonly Workspace[] | undefined>(undefined)
const chosenId = signal(arrival.get('workspace') ?? localStorage.getItem('workspace') ?? '')

/** The workspace that the page shows. */
export const workspace = computed(
  () => workspaces.value?.find(({ id }) => id === chosenId.value) ?? workspaces.value?.[0],
)
/** Undefined until they are read: what could not be read is not the same as none. */
const knownAccounts = signal<readonly Account[] | undefined>(undefined)
export const accounts = computed(() => knownAccounts.value ?? [])

/** Whether what every view needs is read. */
export const isReady = computed(
  () => workspaces.value !== undefined && (workspace.value === undefined || knownAccounts.value !== undefined),
)

/** The client in the workspace that is shown. */
export const api = (): Client => inWorkspace(workspace.value?.id ?? '')

export const zone = computed(() => workspace.value?.timezone ?? 'UTC')

/** A number that grows when posts have changed: views read again. */
export const changes = signal(0)

export const accountOf = (id: string): Account | undefined => accounts.value.find((account) => account.id === id)

/** The name of a platform, as its accounts have it. */
export const platformName = (id: string): string =>
  accounts.value.find(({ providerId }) => providerId === id)?.providerName ?? id

/** The name of an account for people. A key, as Nostr has them, is cut. */
export const nameOf = ({ providerName, username, displayName, id }: Account): string => {
  const name = username ?? displayName ?? id
  return `${providerName} · ${name.length > 40 ? `${name.slice(0, 16)}…` : name}`
}

let reading = new AbortController()
/** Runs a read of what every view needs, instead of the one before it. */
const readNext = <T>(call: () => Promise<T>): Promise<T | undefined> => {
  reading.abort()
  reading = new AbortController()
  return attemptRead(call, reading.signal)
}

export const readAccounts = async (): Promise<void> => {
  knownAccounts.value = (await readNext(() => api().socialAccounts.list())) ?? knownAccounts.value
}

export const choose = async (id: string): Promise<void> => {
  localStorage.setItem('workspace', id)
  chosenId.value = id
  knownAccounts.value = undefined
  hasPosts.value = undefined
  await readAccounts()
}

/** The days whose failed posts need attention: the last five weeks, and what is planned for this one. */
export const attentionRange = () => {
  const today = dayIn(now(), zone.value)
  return { from: addDays(today, -35), to: addDays(today, 6) }
}

/** How many posts of these days failed and were neither sent again nor deleted. */
export const failedCount = signal(0)

/** Counts them. If the read fails, the earlier count stays; the view "Needs attention" reports errors. */
export const countFailed = async (): Promise<void> => {
  const calendar = await api()
    .posts.calendar({ ...attentionRange(), postsPerDay: 0 })
    .catch(() => undefined)
  if (calendar !== undefined) failedCount.value = calendar.days.reduce((sum, { failed }) => sum + failed, 0)
}

/** Whether the workspace has a post; undefined until it is known. */
export const hasPosts = signal<boolean | undefined>(undefined)

/** Asks for a post as long as none is known. If the read fails, the workspace counts as one with posts. */
export const findPosts = async (): Promise<void> => {
  if (hasPosts.value) return
  const page = await api()
    .posts.list({ limit: 1 })
    .catch(() => undefined)
  hasPosts.value = page?.items.length !== 0
}

/** Reads what every view needs. */
export const begin = async (): Promise<void> => {
  workspaces.value = (await readNext(() => service.workspaces.list())) ?? workspaces.value
  if (workspace.value === undefined) return
  localStorage.setItem('workspace', workspace.value.id)
  await readAccounts()
}
