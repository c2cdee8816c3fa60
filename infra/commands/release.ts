import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * The changelog with the unreleased entries under a version and its date. If the section of the version exists, as before the
 * first release, it gets the date. Throws if there is neither, or both.
 */
export const releasedChangelog = (changelog: string, version: string, date: string): string => {
  const [, before, entries = '', after = ''] =
    /^([\s\S]*?\n## Unreleased\n)([\s\S]*?)(\n## [\s\S]*)?$/.exec(changelog) ?? []
  const heading = `\n## ${version} – `
  const isWritten = after.startsWith(heading)
  const hasEntries = /^[-*] /m.test(entries)
  if (isWritten && hasEntries) throw new Error(`CHANGELOG.md has entries above those of ${version}`)
  if (isWritten) return `${before}${entries}${heading}${date}${after.slice(after.indexOf('\n', 1))}`
  if (!hasEntries) throw new Error('CHANGELOG.md has nothing under "## Unreleased"')
  return `${before}${heading}${date}\n${entries}${after}`
}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()

const withVersion = (path: string, version: string) => {
  const content = JSON.parse(readFileSync(path, 'utf8'))
  content.version = version
  // The lockfile has it twice.
  if (content.packages) content.packages[''].version = version
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
}

const release = (version: string) => {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('usage: npm run release -- 1.2.3')
  const tag = `v${version}`
  if (git('status', '--porcelain') !== '') throw new Error('commit or discard your changes first')
  if (git('tag', '--list', tag) !== '') throw new Error(`the tag ${tag} exists`)
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync('CHANGELOG.md', releasedChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, date))
  for (const path of ['package.json', 'package-lock.json']) withVersion(path, version)
  // The first release changes nothing on the day of its changelog.
  const isChanged = git('status', '--porcelain') !== ''
  if (isChanged) git('commit', '--all', '--message', `chore(release): ${version}`)
  git('tag', '--annotate', tag, '--message', version)
  console.log(`${isChanged ? 'committed and tagged' : 'tagged'} ${tag}; publish it with: git push --follow-tags`)
}

if (import.meta.main) {
  try {
    release(process.argv[2] ?? '')
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
