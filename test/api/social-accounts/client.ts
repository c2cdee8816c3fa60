import * as api from '../../../functions/api/social-accounts/index.ts'
import { put } from '../../../shared/db/table.ts'
import { openSession } from '../../../shared/identity/open-session.ts'
import { users } from '../../../shared/identity/user.ts'
import { random62 } from '../../../shared/ids.ts'
import { createWorkspace } from '../../../shared/workspaces/create.ts'
import { workspaces } from '../../../shared/workspaces/workspace.ts'
import { start } from '../../support/start.ts'
import { tester } from '../../support/tester.ts'

const doors = { ...api }

interface Sent {
  token?: string
  workspaceId?: string
  body?: unknown
  query?: Record<string, string>
  params?: Record<string, string>
  headers?: Record<string, string>
}

/** The running service, as people meet it who connect their accounts. */
export async function startClient() {
  const { service, clock, platforms, close } = await start()
  const ctx = service.context

  const send = async (
    name: keyof typeof doors,
    { token, workspaceId, body, query = {}, params = {}, headers = {} }: Sent = {},
  ) => {
    const { method, path } = doors[name].contract
    const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => params[key] ?? '')
    const answer = await fetch(`${service.baseUrl}${filled}?${new URLSearchParams(query)}`, {
      method,
      headers: {
        ...headers,
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(workspaceId ? { 'X-Workspace-Id': workspaceId } : {}),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text,
      json: isJson ? JSON.parse(text) : undefined,
    }
  }

  /** A user with a session and their own workspace. */
  const newcomer = async () => {
    const userId = random62(12)
    const createdAt = new Date(clock.now()).toISOString()
    await put(ctx, users.item({ id: userId, email: `${userId}@mail.test`, name: 'Ann', createdAt }))
    const { token } = await openSession(ctx, { userId, email: `${userId}@mail.test`, name: 'Ann', userAgent: 'node' })
    const { id } = await createWorkspace(ctx, userId, { name: 'Acme', timezone: 'UTC' }, tester)
    const workspace = await workspaces.get(ctx, { id })
    if (!workspace) throw new Error('the workspace has no row')
    return { userId, workspace, caller: { token, workspaceId: id } }
  }

  return { ctx, platforms, send, newcomer, pass: clock.pass, now: clock.now, close }
}
