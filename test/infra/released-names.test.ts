import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Resources, synthesize } from './synth.ts'

/** The properties by which resources are found: by other stacks, by messages and schedules in flight, by rules and dashboards of others. */
const nameProperties = [
  'FunctionName',
  'QueueName',
  'RoleName',
  'TopicName',
  'LogGroupName',
  'AlarmName',
  'DashboardName',
  'AliasName',
  'Name',
] as const

const namesIn = ({ data, app, ops }: ReturnType<typeof synthesize>): string[] =>
  [data, app, ops]
    .flatMap((resources: Resources) => Object.values(resources))
    .flatMap(({ Type, Properties }) =>
      nameProperties.flatMap((property) => {
        const name = Properties[property]
        return typeof name === 'string' && name !== 'live' ? [`${Type} ${name}`] : []
      }),
    )
    .sort()

/**
 * What was deployed once and no longer is, with the release that removed it. A name is removed in two releases: the first one no
 * longer uses it and still deploys it, so that the functions, messages, and schedules of the release before find it.
 */
const retired: Readonly<Record<string, string>> = {}

const record = 'released-names.txt'
const released = readFileSync(join(import.meta.dirname, record), 'utf8')
  .split('\n')
  .filter(Boolean)

/** Names that are neither deployed nor retired. */
const lostIn = (current: readonly string[], known: Readonly<Record<string, string>>) =>
  released.filter((name) => !current.includes(name) && known[name] === undefined)

const current = namesIn(synthesize())

test('every physical name of the last release is deployed, or is listed as retired', () => {
  expect(lostIn(current, retired)).toEqual([])
  expect(released.length).toBeGreaterThan(200)
})

test('a name that is deployed for the first time is recorded', async () => {
  const stillKnown = Object.keys(retired).filter((name) => released.includes(name))
  await expect(`${[...new Set([...current, ...stillKnown])].sort().join('\n')}\n`).toMatchFileSnapshot(record)
})

test('a renamed function is reported', () => {
  const [first = '', ...others] = released.filter((name) => name.startsWith('AWS::Lambda::Function '))
  const renamed = [...current.filter((name) => name !== first), `${first}-renamed`]
  expect(others.length).toBeGreaterThan(100)
  expect(lostIn(renamed, retired)).toEqual([first])
  expect(lostIn(renamed, { [first]: '0.2.0' })).toEqual([])
})
