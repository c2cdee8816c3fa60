import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Runs a program in this terminal; throws if it fails. */
const run = (cwd: string, program: string, ...args: readonly string[]): void => {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed in ${cwd}`)
}

/**
 * The value of an option, which is removed from the arguments. Throws if it has none: otherwise something else would be
 * deployed.
 */
const takeOption = (args: string[], name: string): string | undefined => {
  const at = args.indexOf(name)
  if (at === -1) return undefined
  const [, value] = args.splice(at, 2)
  if (value === undefined || value.startsWith('--')) throw new Error(`${name} takes a value`)
  return value
}

/** Runs something on an earlier release in a separate work tree, since this one may have changes. */
const withRelease = (tag: string, use: (tree: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), 'social-deploy-'))
  const tree = join(folder, 'tree')
  run(root, 'git', 'worktree', 'add', '--detach', tree, `refs/tags/${tag}`)
  try {
    // The settings are the current ones; the release lists those that it does not know, and is deployed without them.
    process.env['SETTINGS_OF_NEWER_RELEASE'] = 'yes'
    const stages = join(root, 'infra/deploy/stages')
    if (existsSync(stages)) cpSync(stages, join(tree, 'infra/deploy/stages'), { recursive: true })
    run(tree, 'npm', 'ci')
    use(tree)
  } finally {
    run(root, 'git', 'worktree', 'remove', '--force', tree)
    rmSync(folder, { recursive: true })
  }
}

try {
  const args = process.argv.slice(2)
  const tag = takeOption(args, '--to')
  const smokeUrl = takeOption(args, '--smoke')
  const smoke = (tree: string) => {
    if (smokeUrl !== undefined) run(tree, 'npm', 'run', 'smoke', '--', '--base-url', smokeUrl)
  }
  if (tag === undefined) {
    run(root, 'npm', 'run', 'build')
    run(root, 'npx', 'cdk', 'deploy', '--all', '--concurrency', '4', ...args)
    smoke(root)
  } else {
    withRelease(tag, (tree) => {
      run(tree, 'npm', 'run', 'deploy', '--', ...args)
      smoke(tree)
    })
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
