import fc from 'fast-check'
import type { Item } from '../../../../engines/table/value.ts'
import { tableName } from './command.ts'
import { render } from './expression.ts'
import { expressionsOn, keyConditionOn } from './expressions.ts'
import { capacity, flag, given, perhaps } from './parameters.ts'
import type { Source, Subject } from './subject.ts'
import { seldom } from './values.ts'

const limit = perhaps(seldom(fc.integer({ min: 1, max: 4 }), fc.constantFrom(0, -1)), 2)
const select = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(undefined, 'COUNT') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('ALL_ATTRIBUTES', 'SPECIFIC_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'),
  },
)

/** The attributes that an index gives; undefined where it gives all. */
const attributesOf = ({ plan }: Subject, { IndexName }: Source): string[] | undefined => {
  const index = plan.GlobalSecondaryIndexes?.find((candidate) => candidate.IndexName === IndexName)
  if (index === undefined || index.Projection.ProjectionType === 'ALL') return undefined
  const keys = [...plan.KeySchema, ...index.KeySchema].map(({ AttributeName }) => AttributeName)
  return [...new Set([...keys, ...(index.Projection.NonKeyAttributes ?? [])])]
}

/** Reads of one item, of a part of a partition, and of everything. */
export const readsOn = (subject: Subject) => {
  const { condition, simple, presence, projection, projectionOf } = expressionsOn(subject)
  const projected = perhaps(projection, 3).map((ProjectionExpression) => render({ ProjectionExpression }))

  const common = (source: Source) => {
    const attributes = attributesOf(subject, source)
    return {
      IndexName: fc.constant(source.IndexName),
      FilterExpression: perhaps(attributes === undefined ? fc.oneof(simple, condition) : presence(attributes), 2),
      ProjectionExpression: perhaps(
        attributes === undefined ? projection : seldom(projectionOf(attributes), projection, 8),
        4,
      ),
      Limit: limit,
      Select: select,
      ConsistentRead:
        source.IndexName === undefined ? flag : seldom(fc.constantFrom(undefined, false), fc.constant(true), 20),
      ReturnConsumedCapacity: capacity,
    }
  }
  const { table, indexes } = subject
  const queryOn = (source: Source, start: fc.Arbitrary<Item | undefined>) =>
    fc
      .record({ ...common(source), key: keyConditionOn(source), ScanIndexForward: flag, ExclusiveStartKey: start })
      .map(({ key, FilterExpression, ProjectionExpression, ExclusiveStartKey: at, Limit, ...rest }) =>
        given({
          TableName: tableName,
          ...rest,
          // Of rows of an index that share the bound of a key condition, DynamoDB Local forgets those of the next page.
          Limit: source === table || key.bounds.length === 0 ? Limit : undefined,
          // DynamoDB Local refuses to go on from the very bound of a key condition; AWS does not say.
          ExclusiveStartKey: at && key.bounds.includes(JSON.stringify(at[source.range])) ? undefined : at,
          ...render({ KeyConditionExpression: key.expression, FilterExpression, ProjectionExpression }),
        }),
      )
  const scan = fc
    .constantFrom(table, ...indexes)
    .chain((source) => fc.record(common(source)))
    .map(({ FilterExpression, ProjectionExpression, ...rest }) =>
      given({ TableName: tableName, ...rest, ...render({ FilterExpression, ProjectionExpression }) }),
    )
  const get = fc
    .tuple(subject.key, projected, flag, capacity)
    .map(([Key, texts, ConsistentRead, ReturnConsumedCapacity]) =>
      given({ TableName: tableName, Key, ...texts, ConsistentRead, ReturnConsumedCapacity }),
    )
  return {
    get,
    query: queryOn(table, perhaps(subject.key, 12)),
    /** By index. Where it goes on from an item that is not in it, AWS does not say. */
    queryIndex: indexes.map((source) => ({ sort: source.range, input: queryOn(source, fc.constant(undefined)) })),
    scan,
    projected,
  }
}
