import { computed, signal } from '@preact/signals'
import type { Client, Post } from 'social-publishing-client'
import { attemptRead, inWorkspace, service } from './service.ts'
import { addDays, dayIn, now } from './time.ts'

export type Workspace = Awaited<ReturnType<Client['workspaces']['list']>>[number]
export type Account = Awaited<ReturnType<Client['socialAccounts']['list']>>[number]
export type { Post }

export const workspaces = signal<readonly Workspace[] | undefined>(undefined)
const chosenId = signal(localStorage.getItem('workspace') ?? '')

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

/** The name of an account for people. */
export const nameOf = ({ providerName, username, displayName, id }: Account): string =>
  `${providerName} · ${username ?? displayName ?? id}`

/** How many days back failed posts need attention. */
export const attentionDays = 35

let reading = new AbortController()
/** Runs a read of what every view needs, in place of the one before it. */
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
  await readAccounts()
}

/** How many posts of the last five weeks failed and still stand there. */
export const failedCount = signal(0)

/** Counts them; a failure is no reason to disturb, because the view of them says so. */
export const countFailed = async (): Promise<void> => {
  const today = dayIn(now(), zone.value)
  const query = { from: addDays(today, -attentionDays), to: addDays(today, 6), postsPerDay: 0 }
  const days = await api()
    .posts.calendar(query)
    .then(
      (calendar) => calendar.days,
      () => undefined,
    )
  if (days !== undefined) failedCount.value = days.reduce((sum, { failed }) => sum + failed, 0)
}

/** Reads what every view needs. */
export const begin = async (): Promise<void> => {
  workspaces.value = (await readNext(() => service.workspaces.list())) ?? workspaces.value
  if (workspace.value !== undefined) await readAccounts()
}
