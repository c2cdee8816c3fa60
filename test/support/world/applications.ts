import { client } from '../../../functions/client.ts'
import { random62 } from '../../../shared/ids.ts'
import type { Kit } from '../start.ts'

/** The application of a workspace, which is registered once. */
export const applicationOnce = async ({ sessionApi }: Pick<Kit, 'sessionApi'>) =>
  sessionApi.application.get().catch(() => sessionApi.application.register({ body: { name: 'Planner' } }))

/** A child workspace of the application, for another customer each time. */
export const makeChild = async (kit: Pick<Kit, 'sessionApi'>) => {
  await applicationOnce(kit)
  return kit.sessionApi.application.createWorkspace({
    body: {
      name: `Customer ${random62(6)}`,
      externalId: `customer-${random62(6)}`,
      timezone: 'UTC',
      quotas: { drafts: 500 },
    },
  })
}

/** A token of the application. */
export const makeApplicationToken = async (kit: Pick<Kit, 'sessionApi'>) => {
  await applicationOnce(kit)
  return kit.sessionApi.application.createToken({ body: { name: 'Backend' } })
}

/** A workspace of the same person, in which there is no application yet. */
export const workspaceFor = async ({ sessionApi }: Kit) => {
  const { id } = await sessionApi.workspaces.create({ body: { name: 'Elsewhere', timezone: 'UTC' } })
  return { workspaceId: id }
}

/** A workspace with an application that can be removed. */
export const makeRemovable = async (kit: Kit) => {
  const there = await workspaceFor(kit)
  await client({ baseUrl: kit.url, token: kit.sessionToken, ...there }).application.register({
    body: { name: 'Short' },
  })
  return there
}
