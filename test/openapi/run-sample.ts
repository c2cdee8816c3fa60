import { execFile } from 'node:child_process'
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How a sample of each language is run: the name of its file, and the command. */
export const runners = {
  curl: { file: 'sample.sh', command: ['bash'] },
  TypeScript: { file: 'sample.mjs', command: [process.execPath] },
  'Node.js': { file: 'sample.mjs', command: [process.execPath] },
  Python: { file: 'sample.py', command: ['python3'] },
  Go: { file: 'sample.go', command: ['go', 'run'] },
} satisfies Record<string, { file: string; command: [string, ...string[]] }>

export type Language = keyof typeof runners

/**
 * Runs a sample as a separate process; returns its output, or its failure. `packages` is the `node_modules` that
 * it finds.
 */
export const runSample = async (
  language: Language,
  source: string,
  env: Readonly<Record<string, string>>,
  packages?: string,
) => {
  const folder = mkdtempSync(join(tmpdir(), 'sample-'))
  if (packages !== undefined) symlinkSync(packages, join(folder, 'node_modules'))
  const { file, command } = runners[language]
  const [program = '', ...args] = command
  writeFileSync(join(folder, file), source)
  try {
    return await new Promise<string>((resolve) => {
      const options = { cwd: folder, env: { ...process.env, ...env }, timeout: 150_000 }
      execFile(program, [...args, file], options, (error, stdout, stderr) =>
        resolve(error ? `${stdout}${stderr}${error.message}` : stdout),
      )
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}
