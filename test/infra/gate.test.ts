import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { protectedTypes } from '../../infra/commands/gate.ts'
import { synthesizeStacks } from './synth.ts'

const gate = join(import.meta.dirname, '../../infra/commands/gate.ts')

interface CommandResult {
  code: number
  output: string
}

/** Runs the command on files with these change sets. */
const judge = (...changeSets: readonly unknown[]): Promise<CommandResult> => {
  const folder = mkdtempSync(join(tmpdir(), 'social-gate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = changeSets.map((changeSet, n) => {
    const file = join(folder, `${n}.json`)
    writeFileSync(file, JSON.stringify(changeSet))
    return file
  })
  return new Promise((resolve) => {
    execFile(process.execPath, [gate, ...files], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    )
  })
}

const table = {
  LogicalResourceId: 'table8235A42E',
  PhysicalResourceId: 'social-prod-table-1',
  ResourceType: 'AWS::DynamoDB::GlobalTable',
}
const withChange = (ResourceChange: object) => ({
  StackName: 'social-prod-table',
  Status: 'CREATE_COMPLETE',
  Changes: [{ Type: 'Resource', ResourceChange }],
})

test.each([
  [{ ...table, Action: 'Remove' }, 'would be removed: it holds all rows'],
  [{ ...table, Action: 'Modify', Replacement: 'True' }, 'would be replaced (True): it holds all rows'],
  [{ ...table, Action: 'Modify', Replacement: 'Conditional' }, 'would be replaced (Conditional): it holds all rows'],
])('rejects %j', async (change, sentence) => {
  expect(await judge(withChange({ ...table, Action: 'Add' }), withChange(change))).toEqual({
    code: 1,
    output: `social-prod-table: AWS::DynamoDB::GlobalTable table8235A42E (social-prod-table-1) ${sentence}.\n`,
  })
})

const fn = { LogicalResourceId: 'a', ResourceType: 'AWS::Lambda::Function' }

test('accepts what a release usually changes', async () => {
  const usual = [
    withChange({ ...table, Action: 'Modify', Replacement: 'False' }),
    withChange({ ...fn, Action: 'Remove' }),
    withChange({ ...fn, Action: 'Modify', Replacement: 'True' }),
    {
      StackName: 'social-prod-ops',
      Status: 'FAILED',
      StatusReason: "The submitted information didn't contain changes. Submit different information.",
    },
  ]
  expect(await judge(...usual)).toEqual({
    code: 0,
    output: '4 change sets: nothing that must stay is removed or replaced.\n',
  })
})

test('rejects a change set that could not be made, and a call without files', async () => {
  const failed = { StackName: 'social-prod-ops', Status: 'FAILED', StatusReason: 'Unresolved parameter' }
  expect(await judge(failed)).toEqual({
    code: 1,
    output: 'social-prod-ops: the change set is FAILED: Unresolved parameter.\n',
  })
  expect(await judge()).toMatchObject({ code: 2 })
})

test('protects the role that schedules name, and no other role', async () => {
  const roles = synthesizeStacks().flatMap(({ Resources }) =>
    Object.entries(Resources).flatMap(([LogicalResourceId, { Type }]) =>
      Type === 'AWS::IAM::Role' ? [{ LogicalResourceId, ResourceType: Type, Action: 'Remove' }] : [],
    ),
  )
  const { code, output } = await judge(...roles.map(withChange))
  expect(code).toBe(1)
  expect(output).toMatch(
    /^social-prod-table: AWS::IAM::Role schedulerole\w+ [^\n]+ the schedules of posts name it[^\n]+\n$/,
  )
})

test('every resource that outlives its stack is protected, except the log role of the account', () => {
  const types = synthesizeStacks().flatMap(({ Resources }) =>
    Object.values(Resources).flatMap(({ Type, DeletionPolicy }) =>
      DeletionPolicy === 'RetainExceptOnCreate' ? [Type] : [],
    ),
  )
  expect(types.length).toBeGreaterThan(5)
  expect(Object.keys(protectedTypes)).toEqual(expect.arrayContaining([...new Set(types)]))
})
