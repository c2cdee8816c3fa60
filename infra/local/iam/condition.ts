import * as z from 'zod/mini'
import type { RequestContext } from './access.ts'
import { arnLike, like, type Matches } from './pattern.ts'

/** Whether a request meets all conditions of a statement. */
export type Condition = (context: RequestContext) => boolean

const Text = z.union([z.string(), z.pipe(z.boolean(), z.transform(String))])
export const Conditions = z.record(
  z.string(),
  z.record(
    z.string(),
    z.union([
      z.array(Text),
      z.pipe(
        Text,
        z.transform((text) => [text]),
      ),
    ]),
  ),
)

/** The condition keys that the local services fill in. */
const known = [
  'aws:securetransport',
  'aws:sourceaccount',
  'aws:sourcearn',
  'dynamodb:leadingkeys',
  'iam:passedtoservice',
  'kms:encryptioncontext:serverid',
  'kms:encryptioncontext:userid',
  'kms:encryptioncontext:workspaceid',
  's3:prefix',
  'ses:fromaddress',
  'transcribe:outputbucketname',
]

const operators: Readonly<Record<string, (expected: string) => Matches>> = {
  StringEquals: (expected) => {
    like(expected)
    return (value) => value === expected
  },
  StringLike: like,
  // The two are the same (IAM reference, "Amazon Resource Name (ARN) condition operators").
  ArnEquals: arnLike,
  ArnLike: arnLike,
  Bool: (expected) => (value) => value.toLowerCase() === expected.toLowerCase(),
}

const readOne = (name: string, key: string, expected: readonly string[]): Condition => {
  const [set, plain] = name.startsWith('ForAllValues:') ? ['all', name.slice('ForAllValues:'.length)] : ['one', name]
  const operator = operators[plain]
  if (operator === undefined) throw new Error(`the local IAM does not know the condition operator ${name}`)
  const lowerKey = key.toLowerCase()
  if (!known.includes(lowerKey)) throw new Error(`the local IAM does not know the condition key ${key}`)
  const tests = expected.map(operator)
  const isExpected = (value: string) => tests.some((matches) => matches(value))
  return (context) => {
    const values = context[lowerKey]
    // For an absent key, a condition on all of its values is true (IAM guide, "Set operators for multivalued context keys").
    if (set === 'all') return (values ?? []).every(isExpected)
    if (values !== undefined && values.length > 1) throw new Error(`${key} has several values: ${name} compares one`)
    return values?.[0] !== undefined && isExpected(values[0])
  }
}

/** Reads the Condition of a statement; throws for an operator or a key that the local services do not know. */
export const readConditions = (conditions: z.infer<typeof Conditions> = {}): Condition => {
  const all = Object.entries(conditions).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, expected]) => readOne(operator, key, expected)),
  )
  return (context) => all.every((holds) => holds(context))
}
