import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { errorsOf } from '../forms/errors.ts'
import { used } from '../forms/used.ts'
import { missing } from '../forms/watch.ts'
import { judge } from './judge.ts'

/** The same in every run, so that a red run is about a change; `ORACLE_SEED=random` draws others, and a number repeats them. */
const { ORACLE_SEED: asked = '1091881824' } = process.env
const seed = asked === 'random' ? randomInt(2 ** 31) : Number(asked)
const wanted = Number(process.env['ORACLE_OPERATIONS'] ?? 50_000)

test(`the embedded table answers ${wanted} random operations as DynamoDB Local does (ORACLE_SEED=${seed})`, async () => {
  const { operations, forms } = await judge(wanted, seed, 4)
  expect(operations).toBeGreaterThanOrEqual(wanted)
  expect(missing({ ...used, errors: errorsOf('oracle') }, forms)).toEqual([])
}, 1_800_000)
