import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { localNames } from '../../infra/deploy/stacks/names.ts'
import { getSharedSetup } from './shared-setup.ts'

const Statement = z.looseObject({ Action: z.union([z.string(), z.array(z.string())]) })
type Statement = z.infer<typeof Statement>
const Resource = z.looseObject({
  Type: z.string(),
  Properties: z._default(
    z.looseObject({
      FunctionName: z.optional(z.unknown()),
      Role: z.optional(z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) })),
      Policies: z.optional(
        z.array(z.looseObject({ PolicyDocument: z.looseObject({ Statement: z.array(Statement) }) })),
      ),
    }),
    {},
  ),
})
const Template = z.looseObject({ Resources: z.record(z.string(), Resource) })
type Template = z.infer<typeof Template>

/** The templates of the stage `local`, or those with OpenAI-compatible endpoints. */
type Base = 'assembly' | 'openai-assembly'

/** The templates with a change; they go with the test. */
export const changedAssembly = async (
  change: (template: Template) => void,
  base: Base = 'assembly',
): Promise<string> => {
  const { assembly } = await getSharedSetup(base)
  const folder = mkdtempSync(join(tmpdir(), 'assembly-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of readdirSync(assembly).filter((file) => file.endsWith('.json'))) {
    cpSync(join(assembly, name), join(folder, name))
    if (!name.endsWith('.template.json')) continue
    const template = z.parse(Template, JSON.parse(readFileSync(join(folder, name), 'utf8')))
    change(template)
    writeFileSync(join(folder, name), JSON.stringify(template))
  }
  return folder
}

/** The templates with other statements in the role of one function. */
export const withStatements = (
  functionName: string,
  change: (statements: readonly Statement[]) => Statement[],
  base?: Base,
) => {
  let changed = 0
  return changedAssembly(({ Resources }) => {
    for (const { Properties } of Object.values(Resources)) {
      if (Properties.FunctionName !== localNames.physical(functionName) || !Properties.Role) continue
      const role = Resources[Properties.Role['Fn::GetAtt'][0]]
      for (const { PolicyDocument } of role?.Properties.Policies ?? []) {
        PolicyDocument.Statement = change(PolicyDocument.Statement)
        changed += 1
      }
    }
  }, base).then((folder) => {
    if (changed !== 1) throw new Error(`${changed} policies of ${functionName} were changed`)
    return folder
  })
}

const listed = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T])

/** The templates without one action in the role of one function. */
export const withoutAction = (functionName: string, action: string): Promise<string> =>
  withStatements(functionName, (statements) =>
    statements.flatMap((statement) => {
      const Action = listed(statement.Action).filter((candidate) => candidate !== action)
      return Action.length === 0 ? [] : [{ ...statement, Action }]
    }),
  )
