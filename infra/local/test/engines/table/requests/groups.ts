import fc from 'fast-check'
import type { Item } from '../../../../engines/table/value.ts'
import { tableName } from './command.ts'
import { capacity, flag, given, perhaps } from './parameters.ts'
import { readsOn } from './reads.ts'
import type { Subject } from './subject.ts'
import { seldom } from './values.ts'
import { writesOn } from './writes.ts'

/** Few tokens, so that transactions meet one that another had. */
const knownToken = fc.constantFrom('token-1', 'token-2', 'token-3')

/** Mostly one to four that are about different items, and now and then the same item twice, or none. */
const some = <T>(of: fc.Arbitrary<T>, keyOfItem: (item: T) => string): fc.Arbitrary<T[]> =>
  seldom(fc.uniqueArray(of, { minLength: 1, maxLength: 4, selector: keyOfItem }), fc.array(of, { maxLength: 4 }), 40)

/** Requests about several items: batches and transactions. */
export const groupsOn = (subject: Subject) => {
  const { key, item, plan } = subject
  const { parts } = writesOn(subject)
  const { projected } = readsOn(subject)
  const keyIn = (all: Item) => JSON.stringify(plan.KeySchema.map(({ AttributeName }) => all[AttributeName]))
  const keyOfPart = (part: object): string => {
    const [of] = Object.values(part)
    return keyIn(of.Item ?? of.Key)
  }
  const action = fc.oneof(
    { weight: 3, arbitrary: parts.Put.map((Put): object => ({ Put })) },
    { weight: 4, arbitrary: parts.Update.map((Update) => ({ Update })) },
    { weight: 2, arbitrary: parts.Delete.map((Delete) => ({ Delete })) },
    { weight: 1, arbitrary: parts.ConditionCheck.map((ConditionCheck) => ({ ConditionCheck })) },
  )
  // DynamoDB Local looks at conditions before it says that an item is there twice: `broken` repeats parts as well.
  const actions = fc.uniqueArray(action, { minLength: 1, maxLength: 4, selector: keyOfPart })
  const request = fc.oneof(
    { weight: 2, arbitrary: item.map((Item): object => ({ PutRequest: { Item } })) },
    { weight: 1, arbitrary: key.map((Key) => ({ DeleteRequest: { Key } })) },
  )
  return {
    transactWrite: (token: fc.Arbitrary<string | undefined>) =>
      fc
        .tuple(actions, token, capacity)
        .map(([TransactItems, ClientRequestToken, ReturnConsumedCapacity]) =>
          given({ TransactItems, ClientRequestToken, ReturnConsumedCapacity }),
        ),
    someToken: perhaps(knownToken, 8),
    freshToken: fc.integer({ min: 1 }).map((n) => `fresh-${n}`),
    batchGet: fc
      .tuple(some(key, keyIn), projected, flag, capacity)
      .map(([Keys, texts, ConsistentRead, ReturnConsumedCapacity]) =>
        given({ RequestItems: { [tableName]: given({ Keys, ...texts, ConsistentRead }) }, ReturnConsumedCapacity }),
      ),
    batchWrite: fc
      .tuple(some(request, keyOfPart), capacity)
      .map(([requests, ReturnConsumedCapacity]) =>
        given({ RequestItems: { [tableName]: requests }, ReturnConsumedCapacity }),
      ),
  }
}
