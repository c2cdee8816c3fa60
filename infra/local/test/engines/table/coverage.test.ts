import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as dynamodb from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failureOf } from '../../../../../shared/aws/failure.ts'
import { getSharedSetup } from '../../../../../test/support/shared-setup.ts'
import { startTable } from '../../../engines/table.ts'
import { errors, errorsOf } from './forms/errors.ts'
import type { Forms } from './forms/forms.ts'
import { used } from './forms/used.ts'
import { missing, watchTable } from './forms/watch.ts'
import { perform } from './oracle/perform.ts'
import { openWire } from './oracle/wire.ts'
import { commandsOn, creation } from './requests/commands.ts'
import { subjectsOf } from './requests/subjects.ts'

const seed = 20261122
const requestsPerTable = 3_000

/** The forms of the requests that the oracle draws. */
const formsOfRequests = async (): Promise<Forms> => {
  const calls = watchTable()
  const table = await startTable({ clock: Date, keepExpired: true, watch: calls.watch })
  const { assembly } = await getSharedSetup()
  for (const [name, subject] of Object.entries(subjectsOf(assembly))) {
    const wire = openWire(table.url, name)
    await wire.send(creation(subject))
    const commands = fc.sample(commandsOn(subject), { numRuns: requestsPerTable, seed })
    for (const command of commands) await perform(wire, command)
    wire.close()
  }
  await table.close()
  return calls.forms
}

test('every request shape of the service and every error it can get is checked against the oracle', async () => {
  expect(missing({ ...used, errors: errorsOf('oracle') }, await formsOfRequests())).toEqual([])
  const counts = [
    `${used.operations.length} operations`,
    `${used.parameters.length} parameters`,
    `${used.expressions.length} forms of expressions`,
    `${used.values.length} types of values`,
    `${errorsOf('oracle').length + errorsOf('file').length} errors (${errorsOf('file').length} of them by tests of their own)`,
  ]
  console.log(`${counts.join(', ')}: all covered`)
})

const root = join(import.meta.dirname, '../../../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The sources that call the service's table; those under `platforms` know errors of others. */
const sources = (): string =>
  ['shared', 'functions', 'infra/local/service', 'infra/local/start']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts') && !file.includes('platforms'))
    .map(read)
    .join('\n')

test('every error that the code handles is listed with the test that produces it', () => {
  const text = sources()
  const names = new Set([...Object.keys(dynamodb).filter((name) => name.endsWith('Exception')), ...Object.keys(errors)])
  const isHandled = (name: string) =>
    new RegExp(`\\b${name}\\b`).test(text) || failureOf(Object.assign(new Error(), { name })) !== undefined
  const handled = [...names].filter(isHandled)
  expect(handled).toContain('ConditionalCheckFailedException')
  expect(handled.filter((name) => !Object.hasOwn(errors, name))).toEqual([])
})

test.each(
  Object.entries(errors).flatMap(([name, by]) => (typeof by === 'object' && 'file' in by ? [[name, by.file]] : [])),
)('%s is shown by %s', (name, file) => {
  expect(read(file)).toContain(name)
})
