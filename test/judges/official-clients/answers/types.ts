import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mismatch } from '../../../../infra/local/platforms/official-schema.ts'

/** A body and the type that a package gives it. */
export interface TypedBody {
  type: string
  body: unknown
}

const tsc = join(import.meta.dirname, '../../../../node_modules/typescript/bin/tsc')
const options = '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target es2024'.split(' ')

/** Enumerations take their values, as JSON has them. */
const plain = `type Plain<T> = T extends string ? \`\${T}\`
  : T extends (infer One)[] ? Plain<One>[]
  : T extends object ? { [K in keyof T]: Plain<T[K]> } : T`.replaceAll('\n', ' ')

/**
 * What the compiler says of each body as a constant of its type: of fields that the type does not have, of wrong types,
 * and of missing fields. Of several unknown fields in one object it names the first.
 */
export function checkTypes(imports: string, typed: readonly TypedBody[]): readonly (readonly Mismatch[])[] {
  const folder = mkdtempSync(join(import.meta.dirname, '../node_modules/.answers-'))
  const head = [imports, plain]
  const lines = typed.map(({ type, body }, n) => `export const body${n}: Plain<${type}> = ${JSON.stringify(body)}`)
  try {
    writeFileSync(join(folder, 'answers.mts'), [...head, ...lines].join('\n'))
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, join(folder, 'answers.mts')], { encoding: 'utf8' })
    const errors = stdout.split('\n').flatMap((line) => {
      const [, at, message] = /\.mts[(:](\d+)[,:]\d+\)?(?::| -) error TS\d+: (.+)/.exec(line) ?? []
      return at && message ? [{ line: Number(at), message }] : []
    })
    if (errors.length === 0 && stdout.trim() !== '') throw new Error(stdout)
    return typed.map((_, n) =>
      errors.flatMap(({ line, message }) => (line === head.length + n + 1 ? [{ path: [], message }] : [])),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
