import { execFileSync } from 'node:child_process'

/** Older subjects are longer; they are not rewritten. */
const since = '2026-11-25T10:00:00Z'

const conventional = /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([\w-]+\))?!?: \S/
const longest = 72

/** What is wrong with the subject of a commit; undefined if it is valid. */
export const subjectFault = (subject: string): string | undefined => {
  if (!conventional.test(subject)) return 'is no Conventional Commit, such as "fix(webhooks): …"'
  return subject.length > longest ? `has ${subject.length} characters, ${longest} at most` : undefined
}

/** The subjects of the checked commits, by their short hashes; merges have no subject to check. */
const subjects = (): [hash: string, subject: string][] =>
  execFileSync('git', ['log', '--no-merges', `--since-as-filter=${since}`, '--format=%h %s'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)])

if (import.meta.main) {
  const checked = subjects()
  const faults = checked.flatMap(([hash, subject]) => {
    const fault = subjectFault(subject)
    return fault === undefined ? [] : [`${hash} ${fault}: ${subject}`]
  })
  for (const fault of faults) console.error(fault)
  console.log(`${checked.length} subjects checked, ${faults.length} wrong`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
