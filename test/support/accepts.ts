import { marshall } from '@aws-sdk/util-dynamodb'
import { holds } from '../../infra/local/engines/table/expression/evaluate.ts'
import { parseCondition } from '../../infra/local/engines/table/expression/parse-condition.ts'
import { Placeholders } from '../../infra/local/engines/table/expression/placeholders.ts'
import type { Item } from '../../infra/local/engines/table/value.ts'
import { type Condition, compile } from '../../shared/db/expression.ts'

/** Whether the embedded table carries out a write to a stored item under a condition. */
export const accepts = (item: object | undefined, when: Condition): boolean => {
  const compiled = compile({ when })
  const marks = new Placeholders(compiled.ExpressionAttributeNames, marshall(compiled.ExpressionAttributeValues ?? {}))
  const condition = parseCondition(compiled.ConditionExpression ?? '', 'ConditionExpression', marks)
  return holds(marshall(item ?? {}, { removeUndefinedValues: true }) as Item, condition)
}
