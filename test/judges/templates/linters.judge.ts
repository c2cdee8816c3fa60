import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { makeApp } from '../../../infra/deploy/app.ts'
import { disagreements, exceptionsIn } from '../../infra/exceptions.ts'
import { settings } from '../../infra/synth.ts'
import { programFromPyPi } from '../../support/pypi.ts'
import { guardFor } from './guard.ts'

const run = promisify(execFile)

const folder = mkdtempSync(join(tmpdir(), 'templates-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const stacks = ['dev', 'prod'].flatMap(
  (stage) =>
    makeApp({
      outdir: join(folder, stage),
      context: { ...settings, stage, canary: stage === 'prod' ? 'on' : 'off' },
    }).synth().stacks,
)
const templates = stacks.map(({ templateFullPath }) => templateFullPath)
const exceptions = stacks.flatMap(exceptionsIn)

/** The name of the stack of a template. */
const stackOf = (template: string) => basename(template, '.template.json')

/** Runs a linter, which ends with another code than 0 if it has found something; returns what it printed. */
const printedBy = async (program: string, args: readonly string[]): Promise<string> => {
  const options = { maxBuffer: 2 ** 28, cwd: folder }
  const { stdout } = await run(program, args, options).catch((error: { stdout?: string }) => {
    if (!error.stdout) throw error
    return { stdout: error.stdout }
  })
  return stdout
}

const Matches = z.array(
  z.object({
    Filename: z.string(),
    Location: z.object({ Path: z.array(z.union([z.string(), z.number()])) }),
    Message: z.string(),
    Rule: z.object({ Id: z.string() }),
  }),
)

test('cfn-lint finds nothing in the templates of both stages', async () => {
  const program = await programFromPyPi('cfn-lint', '1.58.0')
  expect(templates.length).toBeGreaterThan(40)
  const matches = z.parse(Matches, JSON.parse(await printedBy(program, ['--format', 'json', ...templates])))
  const failures = matches.map(({ Filename, Location: { Path }, Message, Rule }) => ({
    stack: stackOf(Filename),
    // The path begins with "Resources" or another section.
    resource: String(Path[1]),
    rule: Rule.Id,
    message: Message,
  }))
  expect(disagreements(failures, exceptions, /^W/)).toEqual([])
})

const packaging = join(import.meta.dirname, '../../../infra/local/packaging')

const Check = z.object({ check_id: z.string(), check_name: z.string(), resource: z.string(), file_path: z.string() })
const Report = z.object({
  results: z.object({ failed_checks: z.array(Check) }),
  summary: z.object({ passed: z.number(), parsing_errors: z.number() }),
})

const checkovOn = async (directory: string, framework: string) => {
  const program = await programFromPyPi('checkov', '3.3.30')
  const format = ['--compact', '--quiet', '--output', 'json']
  const printed = await printedBy(program, ['--directory', directory, '--framework', framework, ...format])
  return z.parse(Report, JSON.parse(printed))
}

test('checkov finds nothing in the image of one machine', async () => {
  const { results, summary } = await checkovOn(packaging, 'dockerfile')
  expect(results.failed_checks).toEqual([])
  expect(summary).toMatchObject({ passed: expect.toSatisfy((passed: number) => passed > 5), parsing_errors: 0 })
})

test('checkov finds nothing in the templates of both stages', async () => {
  const { results, summary } = await checkovOn(folder, 'cloudformation')
  expect(summary).toMatchObject({ passed: expect.toSatisfy((passed: number) => passed > 4_000), parsing_errors: 0 })
  const failures = results.failed_checks.map(({ check_id, check_name, resource, file_path }) => ({
    stack: stackOf(file_path),
    // The type, a dot, and the logical id.
    resource: resource.split('.')[1] ?? resource,
    rule: check_id,
    message: check_name,
  }))
  expect(disagreements(failures, exceptions, /^CKV_/)).toEqual([])
})

const TypesOf = z.object({ Resources: z.record(z.string(), z.object({ Type: z.string() })) })
const Guarded = z.array(
  z.object({
    name: z.string(),
    compliant: z.array(z.string()),
    not_compliant: z.array(z.object({ Rule: z.object({ name: z.string(), checks: z.unknown() }) })),
  }),
)

/** The logical ids in the paths of failures, whose format differs for each kind of check. */
const resourcesIn = (checks: unknown): string[] => [
  ...new Set([...JSON.stringify(checks).matchAll(/"path":"\/Resources\/(\w+)/g)].map(([, id = '']) => id)),
]

test('cfn-guard finds nothing in the templates of both stages by the rules of AWS Control Tower', async () => {
  const types = stacks.flatMap(({ template }) => Object.values(z.parse(TypesOf, template).Resources))
  const { program, rules } = await guardFor([...new Set(types.map(({ Type }) => Type))])
  const output = ['--structured', '--output-format', 'json', '--show-summary', 'none']
  const printed = await printedBy(program, ['validate', '--rules', ...rules, '--data', ...templates, ...output])
  const guarded = z.parse(Guarded, JSON.parse(printed))
  expect(guarded).toHaveLength(templates.length)
  expect(new Set(guarded.flatMap(({ compliant }) => compliant)).size).toBeGreaterThan(10)
  const failures = guarded.flatMap(({ name, not_compliant }) =>
    not_compliant.flatMap(({ Rule }) => {
      const resources = resourcesIn(Rule.checks)
      // A rule that fails without a resource is at the template, where no exception can be.
      return (resources.length > 0 ? resources : ['']).map((resource) => ({
        stack: stackOf(name),
        resource,
        rule: Rule.name,
      }))
    }),
  )
  expect(disagreements(failures, exceptions, /_check$/)).toEqual([])
})
