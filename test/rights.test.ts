import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes, workerTable } from '../functions/routes.ts'
import type { FunctionEffect, ObserveFunction } from '../infra/local/service/invocation.ts'
import { needsOf, type Right, rightsOf } from '../infra/stacks/rights.ts'
import type { Need, Variable } from '../shared/resources.ts'
import { type Loss, walkEverywhere } from './laws/journey.ts'
import { rightsTaken } from './laws/rights-of-effects.ts'
import { type Kit, start } from './support/start.ts'

/** Every function and what it says it needs. */
const needsByFunction = new Map<string, readonly Need[]>([
  ...routes.map(({ name, endpoint }) => [name, needsOf(endpoint.contract)] as const),
  ...workerTable.map(({ name, worker }) => [name, worker.definition.needs] as const),
])

/** Needs that no journey shows, and why they are there. */
const unseen: readonly { functionName: string; need: Need; reason: string }[] = []

const effects = new Map<string, FunctionEffect>()
const variablesRead = new Set<string>()
let kit: Kit | undefined
let losses: readonly Loss[] = []

const observe: ObserveFunction = (effect, run) => {
  effects.set(JSON.stringify(effect), effect)
  const { functionName, service, resource } = effect
  const lost = service === 'sqs' && losses.some((loss) => loss.functionName === functionName && loss.queue === resource)
  return lost ? Promise.reject(new Error('lost on the way to the queue')) : run()
}

/** Notes which variables each function reads. */
const watchVariables = ({ service }: Kit) => {
  for (const functionName of needsByFunction.keys()) {
    const ctx = service.contextOf(functionName)
    const { env } = ctx
    ctx.env = (name) => {
      variablesRead.add(`${functionName} ${name}`)
      return env(name)
    }
  }
}

beforeAll(async () => {
  kit = await start({ observe })
  watchVariables(kit)
  const losing = async (some: readonly Loss[], step: () => Promise<unknown>) => {
    losses = some
    await step()
    losses = []
  }
  await walkEverywhere({ kit, losing })
}, 120_000)
afterAll(() => kit?.close())

/** What functions did, with the rights it took; the kit itself acts as the operator, who has no role. */
const taken = () =>
  [...effects.values()]
    .filter(({ functionName }) => functionName !== 'operator')
    .map((effect) => ({ ...effect, rights: rightsTaken(effect, (name) => kit?.ctx.env(name) ?? '') }))

const overlap = (some: readonly Right[], others: readonly Right[]) =>
  some.some(({ resource, actions }) =>
    others.some((other) => other.resource === resource && other.actions.some((action) => actions.includes(action))),
  )

test('every function does only what its role allows', () => {
  const seen = taken()
  expect(new Set(seen.map(({ functionName }) => functionName)).size).toBeGreaterThan(needsByFunction.size - 8)
  const beyond = seen.flatMap(({ functionName, service, action, resource, rights }) => {
    const granted = rightsOf(needsByFunction.get(functionName) ?? [])
    const isGranted = (target: string, act: string) =>
      granted.some((right) => right.resource === target && right.actions.includes(act))
    const lacking = rights.flatMap(({ resource: target, actions }) =>
      actions.filter((act) => !isGranted(target, act)).map((act) => `${act} on ${target}`),
    )
    return lacking.map((right) => `${functionName} did ${service} ${action} ${resource} without ${right}`)
  })
  expect(beyond).toEqual([])
})

/** Needs that grant a variable instead of a right. */
const variableOf: Partial<Record<Need, Variable>> = { origins: 'ALLOWED_ORIGINS', files: 'FILES_FOLDER' }

test('every function needs what it says it needs', () => {
  const seen = taken()
  const isUsed = (functionName: string, need: Need) => {
    const variable = variableOf[need]
    if (variable !== undefined) return variablesRead.has(`${functionName} ${variable}`)
    const own = seen.filter((one) => one.functionName === functionName)
    return own.some(({ rights }) => overlap(rights, rightsOf([need])))
  }
  const unused = [...needsByFunction].flatMap(([functionName, needs]) =>
    needs.filter((need) => !isUsed(functionName, need)).map((need) => `${functionName} never used ${need}`),
  )
  expect(unused).toEqual(unseen.map(({ functionName, need }) => `${functionName} never used ${need}`))
})
