import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { judge } from './judge.ts'

/** Others in every run; ORACLE_SEED repeats one. */
const seed = Number(process.env['ORACLE_SEED'] ?? randomInt(2 ** 31))
const operations = Number(process.env['ORACLE_OPERATIONS'] ?? 100_000)

test(`the embedded table answers ${operations} random operations as DynamoDB Local does (ORACLE_SEED=${seed})`, async () => {
  await expect(judge(operations, seed, 4)).resolves.toBeUndefined()
}, 1_800_000)
