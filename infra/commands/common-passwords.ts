import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import * as z from 'zod/mini'
import { plainPassword, shortestPassword } from '../../shared/identity/weak-password.ts'

// Writes shared/identity/common-passwords.ts again from the list of a package:
//   npm pack @zxcvbn-ts/language-common@4.1.3 && tar xzf zxcvbn-ts-language-common-4.1.3.tgz
//   npm run common-passwords -- package

const [folder = 'package'] = process.argv.slice(2)
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

const listed = z.parse(z.array(z.string()), JSON.parse(read('src/passwords.json')))
const long = listed.map(plainPassword).filter((password) => [...password].length >= shortestPassword)
const sorted = [...new Set(long)].sort()
const packed = brotliCompressSync(Buffer.from(sorted.join('\n')), {
  params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
})
const { name, version } = z.parse(z.object({ name: z.string(), version: z.string() }), JSON.parse(read('package.json')))
const license = read('LICENSE.txt').trim().split('\n')

writeFileSync(
  join(import.meta.dirname, '../../shared/identity/common-passwords.ts'),
  `/*
Made by infra/commands/common-passwords.ts from ${name} ${version} (npm), under this license:

${license.join('\n').replaceAll('*/', '')}
*/

/** How many passwords the list holds. */
export const commonPasswordCount = ${sorted.length}

/** The common passwords of ${shortestPassword} characters and more in small letters, sorted, one a line, compressed by Brotli. */
export const packedCommonPasswords =
  '${packed.toString('base64')}'
`,
)
