import { readStacks } from '../../../../template/stack.ts'
import { drawBlueprint } from '../../../../template.ts'
import { type Subject, subjectOf } from './subject.ts'

/** A table with an index of every kind of projection and with sort keys of numbers and texts. */
const general = subjectOf(
  {
    KeySchema: [
      { AttributeName: 'PK', KeyType: 'HASH' },
      { AttributeName: 'SK', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'PK', AttributeType: 'S' },
      { AttributeName: 'SK', AttributeType: 'S' },
      { AttributeName: 'g', AttributeType: 'S' },
      { AttributeName: 'n', AttributeType: 'N' },
      { AttributeName: 'h', AttributeType: 'S' },
      { AttributeName: 'r', AttributeType: 'B' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-number',
        KeySchema: [
          { AttributeName: 'g', KeyType: 'HASH' },
          { AttributeName: 'n', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
      {
        IndexName: 'by-text',
        KeySchema: [
          { AttributeName: 'g', KeyType: 'HASH' },
          { AttributeName: 'SK', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['a', 'm'] },
      },
      {
        IndexName: 'by-bytes',
        KeySchema: [
          { AttributeName: 'h', KeyType: 'HASH' },
          { AttributeName: 'r', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  },
  { any: ['a', 'b', 'c', 's', 'l', 'm'], N: ['c', 'd'], SS: ['s', 't'], L: ['l'], M: ['m'] },
)

/** The table of the service as its synthesized template declares it. */
const ofService = (assembly: string): Subject => {
  const [table] = drawBlueprint(readStacks(assembly)).tables
  if (table === undefined) throw new Error('the templates declare no table')
  const { TableName: _name, TimeToLiveSpecification: _ttl, ...plan } = table
  return subjectOf(plan, {
    any: ['type', 'version', 'held', 'sweepCount', 'createdAt', 'platform', 'parts', 'metadata'],
    N: ['version', 'sweepCount', 'scheduledAtMs'],
    SS: ['tags'],
    L: ['parts'],
    M: ['metadata'],
  })
}

/** The tables on which the oracle judges; `assembly` is the folder of the synthesized templates. */
export const subjectsOf = (assembly: string): Readonly<Record<'general' | 'service', Subject>> => ({
  general,
  service: ofService(assembly),
})
