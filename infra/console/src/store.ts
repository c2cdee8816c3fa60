import { computed, signal } from '@preact/signals'
import type { Client, Post } from 'social-publishing-client'
import { attempt, attemptRead, inWorkspace, service } from './service.ts'

export type Workspace = Awaited<ReturnType<Client['workspaces']['list']>>[number]
export type Account = Awaited<ReturnType<Client['socialAccounts']['list']>>[number]
export type { Post }

export const workspaces = signal<readonly Workspace[] | undefined>(undefined)
const chosenId = signal(localStorage.getItem('workspace') ?? '')

/** The workspace that the page shows. */
export const workspace = computed(
  () => workspaces.value?.find(({ id }) => id === chosenId.value) ?? workspaces.value?.[0],
)
export const accounts = signal<readonly Account[]>([])

/** The client in the workspace that is shown. */
export const api = (): Client => inWorkspace(workspace.value?.id ?? '')

export const zone = computed(() => workspace.value?.timezone ?? 'UTC')

/** A number that grows when posts have changed: views read again. */
export const changes = signal(0)

export const accountOf = (id: string): Account | undefined => accounts.value.find((account) => account.id === id)

/** The name of an account for people. */
export const nameOf = ({ providerName, username, displayName, id }: Account): string =>
  `${providerName} · ${username ?? displayName ?? id}`

export const readAccounts = async (): Promise<void> => {
  accounts.value = (await attempt(() => api().socialAccounts.list())) ?? accounts.value
}

export const choose = async (id: string): Promise<void> => {
  localStorage.setItem('workspace', id)
  chosenId.value = id
  accounts.value = []
  await readAccounts()
}

/** Reads what every view needs. */
export const begin = async (): Promise<void> => {
  workspaces.value = await attemptRead(() => service.workspaces.list())
  if (workspace.value !== undefined) await readAccounts()
}
