import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { read, synthesize } from './synth.ts'

const Keys = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }))
const Table = z.object({
  KeySchema: Keys,
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.string() })),
  GlobalSecondaryIndexes: z.array(
    z.object({
      IndexName: z.string(),
      KeySchema: Keys,
      Projection: z.object({ ProjectionType: z.string(), NonKeyAttributes: z.optional(z.array(z.string())) }),
    }),
  ),
})

/** The keys of a table and its indexes, in the form `PK:S SK:S` and `PK:S SK:N + projected attributes`. */
interface Schema {
  table: string
  indexes: Readonly<Record<string, string>>
}

const schemaOf = ({ KeySchema, AttributeDefinitions, GlobalSecondaryIndexes }: z.infer<typeof Table>): Schema => {
  const types = new Map(AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]))
  const keys = (all: z.infer<typeof Keys>) =>
    all.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}:${types.get(AttributeName)}`).join(', ')
  const indexes = GlobalSecondaryIndexes.map(({ IndexName, KeySchema: own, Projection }) => {
    const { ProjectionType, NonKeyAttributes = [] } = Projection
    const projected = ProjectionType === 'INCLUDE' ? NonKeyAttributes.join(' ') : ProjectionType
    return [IndexName, `${keys(own)}, projects ${projected}`] as const
  })
  return { table: keys(KeySchema), indexes: Object.fromEntries(indexes) }
}

/** What the last release deployed; what the first one will deploy until there is one. A release that adds or removes an index changes this record with it. */
const released: Schema = {
  table: 'HASH PK:S, RANGE SK:S',
  indexes: {
    account: 'HASH accountKey:S, RANGE id:S, projects status',
    status: 'HASH statusKey:S, RANGE id:S, projects KEYS_ONLY',
    sweep:
      'HASH sweepShard:S, RANGE sweepAtMs:N, projects endpointId id platform scheduledAtMs socialAccountId sweepCount type userId version workspaceId',
    waiting: 'HASH waitingKey:S, RANGE id:S, projects createdAt nextAttemptAt',
    time: 'HASH PK:S, RANGE scheduledAt:S, projects KEYS_ONLY',
  },
}

/** Why CloudFormation cannot deploy one schema over another, one sentence each (AWS::DynamoDB::GlobalTable). */
const problemsBetween = (before: Schema, after: Schema): string[] => {
  const unchanged = Object.keys(before.indexes).filter((name) => after.indexes[name] !== undefined)
  const gone = Object.keys(before.indexes).filter((name) => after.indexes[name] === undefined)
  const added = Object.keys(after.indexes).filter((name) => before.indexes[name] === undefined)
  return [
    ...(before.table === after.table
      ? []
      : ['The key of the table has changed: CloudFormation would replace the table and leave its rows behind.']),
    ...unchanged
      .filter((name) => before.indexes[name] !== after.indexes[name])
      .map(
        (name) =>
          `The index "${name}" has changed: DynamoDB cannot change the keys or the projection of an index. Add an index under a new name, and remove "${name}" in a later release.`,
      ),
    ...(gone.length + added.length > 1
      ? [
          `The indexes ${[...gone, ...added].map((name) => `"${name}"`).join(', ')} are added or removed at once: an update of a table can add or remove one index. Use one release for each.`,
        ]
      : []),
  ]
}

const [table] = read(synthesize().data, 'AWS::DynamoDB::GlobalTable', Table)
if (table === undefined) throw new Error('the template has no table')
const current = schemaOf(table)

test('the table can be deployed over the released one', () => {
  expect(problemsBetween(released, current)).toEqual([])
  expect(released, 'The schema has changed in a way that can be deployed: record it in this test.').toEqual(current)
})

const withIndexes = (indexes: Schema['indexes']): Schema => ({ ...released, indexes })

test('a change that CloudFormation rejects is reported with a sentence', () => {
  const { sweep: _, ...others } = released.indexes
  const projected = withIndexes({ ...released.indexes, sweep: `${released.indexes['sweep']} userId` })
  expect(problemsBetween(released, projected)).toEqual([expect.stringContaining('The index "sweep" has changed')])
  expect(problemsBetween(released, withIndexes({ ...others, sweep2: 'new' }))).toEqual([
    expect.stringContaining('The indexes "sweep", "sweep2" are added or removed at once'),
  ])
  expect(problemsBetween(released, withIndexes({ ...released.indexes, one: 'new' }))).toEqual([])
  expect(problemsBetween(released, { ...released, table: 'HASH id:S' })).toEqual([
    expect.stringContaining('The key of the table has changed'),
  ])
})
