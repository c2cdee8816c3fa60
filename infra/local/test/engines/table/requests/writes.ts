import fc from 'fast-check'
import { tableName } from './command.ts'
import { type Expression, render } from './expression.ts'
import { expressionsOn } from './expressions.ts'
import { anyValues, capacity, given, oldValues, onFailure, perhaps } from './parameters.ts'
import type { Subject } from './subject.ts'

/** Writes of one item in a transaction, and as separate requests. */
export const writesOn = (subject: Subject) => {
  const { condition, update } = expressionsOn(subject)
  const when = perhaps(condition, 2)
  const Key = subject.key.map((key) => ({ Key: key }))
  const Item = subject.item.map((item) => ({ Item: item }))
  const make = (target: fc.Arbitrary<object>, expressions: fc.Arbitrary<Record<string, Expression | undefined>>) =>
    fc
      .tuple(target, expressions, onFailure)
      .map(([of, texts, ReturnValuesOnConditionCheckFailure]) =>
        given({ TableName: tableName, ...of, ...render(texts), ReturnValuesOnConditionCheckFailure }),
      )
  const alone = (write: fc.Arbitrary<object>, returns: fc.Arbitrary<string | undefined>) =>
    fc
      .tuple(write, returns, capacity)
      .map(([input, ReturnValues, ReturnConsumedCapacity]) => given({ ...input, ReturnValues, ReturnConsumedCapacity }))
  const conditional = when.map((ConditionExpression) => ({ ConditionExpression }))
  const parts = {
    Put: make(Item, conditional),
    Delete: make(Key, conditional),
    Update: make(
      Key,
      fc
        .tuple(update, when)
        .map(([UpdateExpression, ConditionExpression]) => ({ UpdateExpression, ConditionExpression })),
    ),
    ConditionCheck: make(
      Key,
      condition.map((ConditionExpression) => ({ ConditionExpression })),
    ),
  }
  return {
    parts,
    put: alone(parts.Put, oldValues),
    delete: alone(parts.Delete, oldValues),
    update: alone(parts.Update, anyValues),
  }
}
