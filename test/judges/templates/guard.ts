import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesFromNpm } from '../../support/npm.ts'

/** It holds cfn-guard 3.1.1 and the rules of AWS Control Tower (Apache-2.0). */
const holder = '@cdklabs/cdk-validator-cfnguard'
const version = '0.0.62'

/** One program for each kind of machine; the one for Ubuntu needs no library. */
const systems: Readonly<Record<string, string>> = { linux: 'ubuntu', darwin: 'macos' }
const processors: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' }

/** cfn-guard has 36 MB, which only this test needs. */
const installGuard = async () => {
  const installed = join(await packagesFromNpm({ [holder]: version }), 'node_modules', holder)
  const machine = [systems[process.platform] ?? '', processors[process.arch] ?? '']
  return { program: join(installed, 'bin', ...machine, 'cfn-guard'), rules: join(installed, 'rules', 'control-tower') }
}

/** The program, and its rules about these types of resources. */
export const guardFor = async (types: readonly string[]) => {
  const { program, rules } = await installGuard()
  const all = globSync(join(rules, 'cfn-guard', '*', '*.guard'))
  const isAbout = (text: string) => types.some((type) => text.includes(`"${type}"`))
  return { program, rules: all.filter((file) => isAbout(readFileSync(file, 'utf8'))) }
}
