import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { openStateFile } from '../engines/state-file.ts'
import type { Service } from '../service.ts'
import { connectAccounts } from './accounts.ts'
import { type Caller, call, Refused } from './caller.ts'
import { addDevices } from './devices.ts'
import { addHook } from './hook.ts'
import { signInDemoUser } from './person.ts'

/** What the demo remembers from one start to the next. */
const Saved = z.object({
  password: z.string(),
  sessionToken: z.optional(z.string()),
  workspaceId: z.optional(z.string()),
  pat: z.optional(z.string()),
  /** Where the accounts were connected; they exist nowhere else. */
  platformsUrl: z.optional(z.string()),
})

/** A person with everything needed to publish. */
export interface Demo {
  user: { email: string; password: string }
  sessionToken: string
  pat: string
  workspaceId: string
  /** The ids of the connected accounts, by platform. */
  accounts: Record<string, string>
}

/** The demo user of a start. */
export interface Seeded extends Demo {
  /** Whether this state folder had none before. */
  isNew: boolean
}

const Made = z.object({ id: z.string() })
const Named = z.extend(Made, { name: z.string() })

const name = 'Demo'

/** The previous workspace, even if its ID was never written down; a new one if it was deleted with the table. */
const openWorkspace = async (session: Caller, known: string | undefined): Promise<string> => {
  const mine = await call(session, 'GET /api/workspaces', z.array(Named))
  const existing = mine.find(({ id }) => id === known) ?? mine.find((workspace) => workspace.name === name)
  return existing?.id ?? (await call(session, 'POST /api/workspaces', Made, { name, timezone: 'UTC' })).id
}

const works = (token: Caller): Promise<boolean> =>
  call(token, 'GET /api/workspaces', z.array(Made)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refused && error.status === 401) return false
      throw error
    },
  )

/** The previous session while it is valid: sign-ins are limited to a few in a quarter of an hour, and starts are not. */
const openSession = async (
  { baseUrl, inboxUrl }: Service,
  user: Demo['user'],
  known: string | undefined,
): Promise<string> => {
  if (known !== undefined && (await works({ baseUrl, token: known }))) return known
  return signInDemoUser(baseUrl, inboxUrl, user)
}

const openToken = async (session: Caller, workspaceId: string, known: string | undefined): Promise<string> => {
  if (known !== undefined && (await works({ ...session, token: known }))) return known
  const body = { name, workspaceId, scopes: ['*'] }
  return (await call(session, 'POST /api/cli/tokens', z.object({ token: z.string() }), body)).token
}

/** Creates the demo user, or finds it from an earlier run; everything uses the public routes. */
export const seedDemo = async (service: Service, file: string): Promise<Seeded> => {
  const state = openStateFile(file, Saved, { password: randomBytes(15).toString('base64url') })
  const isNew = state.value.workspaceId === undefined
  // Before it is used, so that no kill can part the account from its password.
  state.save()
  const { baseUrl, inboxUrl, platformsUrl } = service
  const user = { email: 'demo@example.com', password: state.value.password }
  const person = { baseUrl, token: await openSession(service, user, state.value.sessionToken) }
  state.value.sessionToken = person.token
  state.save()
  const workspaceId = await openWorkspace(person, state.value.workspaceId)
  const pat = await openToken(
    person,
    workspaceId,
    state.value.workspaceId === workspaceId ? state.value.pat : undefined,
  )
  Object.assign(state.value, { workspaceId, pat })
  state.save()
  const session = { ...person, workspaceId }
  const accounts = await connectAccounts(session, state.value.platformsUrl !== platformsUrl)
  state.value.platformsUrl = platformsUrl
  state.save()
  await addHook(session, `${inboxUrl}/hooks/demo`)
  await addDevices(person, service.push)
  return { user, sessionToken: person.token, pat, workspaceId, accounts, isNew }
}
