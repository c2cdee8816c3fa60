import { expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import { localNames } from '../../infra/deploy/stacks/names.ts'
import { readAccountPolicies } from '../../infra/local/iam/account-policies.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { readStacks } from '../../infra/local/template/stack.ts'
import { withStatements } from '../support/changed-assembly.ts'
import { getSharedSetup } from '../support/shared-setup.ts'
import { start } from '../support/start.ts'
import { callRoute } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'
import { walkEverywhere } from '../support/world/journey.ts'
import { makeLosses } from '../support/world/losses.ts'
import { recordAccesses, removeRights, removeStatements } from '../support/world/statements.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

test('each statement of each role is needed by a call that its function makes', async () => {
  const accesses = recordAccesses()
  const { losing, assertArrives } = makeLosses()
  const observe: ObserveFunction = (effect, run) => {
    assertArrives(effect)
    return run()
  }
  const kit = await start({
    observe,
    seeDecision: accesses.see,
    allowedOrigins: ['http://127.0.0.1:*'],
  })
  await walkEverywhere({ kit, losing })
  const { policies } = kit.service.authority
  const statements = removeStatements(policies, accesses)
  const rights = removeRights(policies, accesses)
  const actions = Map.groupBy(rights, ({ role, statement, action }) => `${role} ${statement} ${action}`)
  const isNeeded = (some: readonly { isNeeded: boolean }[]) => some.some((right) => right.isNeeded)
  const caught = statements.filter((statement) => statement.isNeeded)
  print(`statements removed ${statements.length}, caught ${caught.length}`)
  print(`actions removed ${actions.size}, caught ${[...actions.values()].filter(isNeeded).length}`)
  print(`actions by resource removed ${rights.length}, caught ${rights.filter((right) => right.isNeeded).length}`)
  const idle = [...actions.values()].filter((some) => !isNeeded(some)).flatMap(([action]) => action?.action ?? [])
  for (const [action, some] of Map.groupBy(idle, (action) => action))
    print(`not called in ${some.length} roles: ${action}`)
  expect(caught).toHaveLength(statements.length)
}, 300_000)

/** Statements that the plain call does not use: a sign-in from a new location sends an email, and may require a second factor. */
const expectedUnnoticed = ['auth-sign-in 3', 'auth-sign-in 4']

/** A route of each area: removing each of its statements needs a separate service. */
const names = [
  ...['ai-get-usage', 'auth-sign-in', 'billing-cancel', 'drafts-create', 'media-list', 'memory-delete'],
  ...['notifications-delete-device', 'posts-get', 'social-accounts-discord-channels', 'team-reactivate'],
  ...['webhooks-list-event-log', 'workspaces-get'],
]
const sampled = routes.filter(({ name }) => names.includes(name))

test('a route without one of its statements is denied, driven over HTTP', async () => {
  const { assembly } = await getSharedSetup()
  const { functions } = readAccountPolicies(readStacks(assembly))
  let removed = 0
  const unnoticed: string[] = []
  for (const route of sampled) {
    const name = localNames.physical(route.name)
    const count = functions.get(name)?.role.statements.length ?? 0
    for (let at = 0; at < count; at += 1) {
      const changed = await withStatements(route.name, (statements) => statements.toSpliced(at, 1))
      const kit = await start({ assembly: changed, mayBeDenied: true })
      await happyCall(route, kit)
        .then((call) => callRoute(kit.url, route, call))
        .catch(() => undefined)
      removed += 1
      if (![...kit.denied].some((denial) => denial.startsWith(`${name} was denied`)))
        unnoticed.push(`${route.name} ${at}`)
      await kit.close()
    }
  }
  print(`statements removed and driven ${removed}, denied ${removed - unnoticed.length}`)
  expect(sampled).toHaveLength(names.length)
  expect(removed).toBeGreaterThan(sampled.length)
  expect(unnoticed).toEqual(expectedUnnoticed)
}, 300_000)
