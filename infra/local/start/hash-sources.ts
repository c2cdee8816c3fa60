import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** The sources of the deployment. */
const parts = ['functions', 'shared', 'infra', 'cdk.json', 'package-lock.json']

/** The code of the local service, which does not affect the deployment. */
const leftOut = join('infra', 'local') + sep

const filesBelow = (path: string): string[] =>
  statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesBelow(join(path, name))) : [path]

/** A hash of all that is deployed: of names and contents, which a checkout or a touch leaves as they are. */
export const hashSources = (root: string): string => {
  const hash = createHash('sha256')
  const files = parts.flatMap((part) => filesBelow(join(root, part))).map((file) => relative(root, file))
  for (const file of files.filter((name) => !name.startsWith(leftOut)).sort()) {
    const content = readFileSync(join(root, file))
    hash.update(`${file}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}
