import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import { Crash } from '../../infra/local/service/invocation.ts'
import { type Kit, start } from '../support/start.ts'
import { callRoute } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'
import { scanTable } from '../support/world/rows.ts'
import { recorded } from './recorded.ts'

/** A function that dies at its transaction with the entry: before it, or after it and before the response. */
let dying: { functionName: string; after: boolean } | undefined
let deaths = 0
let kit: Kit
beforeAll(async () => {
  kit = await start({
    observe: async ({ functionName, action }, run) => {
      if (functionName !== dying?.functionName || action !== 'TransactWriteItems') return run()
      deaths += 1
      if (dying.after) await run()
      throw new Crash('dead')
    },
  })
})
afterAll(() => kit.close())

const kinds: Readonly<Record<string, string>> = {
  application: 'Application',
  billing: 'BillingAccount',
  connection: 'AssistantConnection',
  export: 'Export',
  invitation: 'Invitation',
  member: 'Member',
  social_account: 'SocialAccount',
  token: 'AccessToken',
  webhook_delivery: 'Delivery',
  webhook_endpoint: 'Endpoint',
  webhook_replay: 'Replay',
  workspace: 'Workspace',
}
/** Objects whose change is in a row of another kind than the name of the action says. */
const others: Readonly<Record<string, string>> = {
  'application.workspace_created': 'Workspace',
  'application.workspace_updated': 'Workspace',
  'workspace.ownership_transferred': 'Member',
  'workspace.voice_settings_updated': 'Voice',
}

/** The kinds of the rows that were added, changed, or removed while something ran. */
const changedDuring = async (run: () => Promise<unknown>): Promise<Set<unknown>> => {
  const textsOf = async () =>
    new Map((await scanTable(kit)).map((row) => [`${row['PK']} ${row['SK']}`, { row, text: JSON.stringify(row) }]))
  const before = await textsOf()
  await run()
  const after = await textsOf()
  const keys = [...new Set([...before.keys(), ...after.keys()])]
  return new Set(
    keys
      .filter((key) => before.get(key)?.text !== after.get(key)?.text)
      .map((key) => (after.get(key) ?? before.get(key))?.row['type']),
  )
}

// A checkout has another transaction first: it stores the customer.
const cases = routes.filter(({ operation }) => operation in recorded && operation !== 'billing.checkout')

test.each(
  cases.map((route) => [route.operation, route] as const),
)('%s: a crash leaves the change and its entry, or neither', async (operation, route) => {
  const action = recorded[operation] ?? ''
  const kind = others[action] ?? kinds[action.split('.')[0] ?? '']
  for (const after of [false, true]) {
    const call = await happyCall(route, kit)
    const before = deaths
    dying = { functionName: route.name, after }
    const changed = await changedDuring(() => callRoute(kit.url, route, call).catch(() => undefined))
    dying = undefined
    expect(deaths, operation).toBe(before + 1)
    expect([changed.has(kind), changed.has('AuditEntry')], `${operation}, ${[...changed]}`).toEqual([after, after])
  }
})
