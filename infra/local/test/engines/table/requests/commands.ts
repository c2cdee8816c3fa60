import fc from 'fast-check'
import { broken } from './broken.ts'
import { type Command, type Operation, tableName } from './command.ts'
import { groupsOn } from './groups.ts'
import { readsOn } from './reads.ts'
import type { Subject } from './subject.ts'
import { writesOn } from './writes.ts'

const of = (
  weight: number,
  operation: Operation,
  input: fc.Arbitrary<Command['input']>,
  how: Pick<Command, 'toTheEnd' | 'twice' | 'sort'> = {},
): fc.WeightedArbitrary<Command> => ({
  weight,
  arbitrary: input.map((parameters) => ({ operation, input: parameters, ...how })),
})

/** Rows expire by an attribute that no item has, so that both engines keep all of them. */
const expiries = [true, true, false].map(
  (Enabled, n): Command => ({
    operation: 'UpdateTimeToLive',
    input: { TableName: tableName, TimeToLiveSpecification: { AttributeName: n === 1 ? 'gone' : 'ttl', Enabled } },
  }),
)

/** Makes the table; on a table that is there, it is refused. */
export const creation = ({ plan }: Subject): Command => ({
  operation: 'CreateTable',
  input: { TableName: tableName, ...plan, BillingMode: 'PAY_PER_REQUEST' },
})

/** Random requests on a table; some of them are wrong. */
export const commandsOn = (subject: Subject): fc.Arbitrary<Command> => {
  const writes = writesOn(subject)
  const reads = readsOn(subject)
  const groups = groupsOn(subject)
  const good = fc.oneof(
    of(20, 'PutItem', writes.put),
    of(8, 'DeleteItem', writes.delete),
    of(30, 'UpdateItem', writes.update),
    of(6, 'GetItem', reads.get),
    of(10, 'Query', reads.query),
    of(5, 'Query', reads.query, { toTheEnd: true }),
    ...reads.queryIndex.map(({ sort, input }) => of(4, 'Query', input, { toTheEnd: true, sort })),
    of(3, 'Scan', reads.scan, { toTheEnd: true }),
    of(4, 'BatchGetItem', groups.batchGet),
    of(6, 'BatchWriteItem', groups.batchWrite),
    of(14, 'TransactWriteItems', groups.transactWrite(groups.someToken)),
    of(2, 'TransactWriteItems', groups.transactWrite(groups.freshToken), { twice: true }),
  )
  const aboutTable = fc.constantFrom<Command>(
    creation(subject),
    ...expiries,
    { operation: 'DescribeTable', input: { TableName: tableName } },
    { operation: 'DescribeTable', input: { TableName: 'elsewhere' } },
  )
  return fc.oneof(
    { weight: 100, arbitrary: good },
    { weight: 8, arbitrary: good.chain(broken) },
    { weight: 2, arbitrary: aboutTable },
  )
}
