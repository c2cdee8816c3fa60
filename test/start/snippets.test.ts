import { expect, onTestFinished, test } from 'vitest'
import { useService } from './one-service.ts'
import { blocksOf, documents } from './snippets/blocks.ts'
import { notRun, runDocument } from './snippets/run.ts'
import { openShell } from './snippets/shell.ts'

// With plans, so that the guide about them has some.
const local = useService({ options: ['--billing'] })

// The guide about faults waits for retries (snippets.long.ts).
test.each(
  documents.filter((path) => !path.endsWith('/testing.md')),
)('every block of %s runs as pasted', async (path) => {
  const shell = openShell(local.folder)
  onTestFinished(() => shell.close())
  await runDocument(shell, local.service.baseUrl, path)
}, 300_000)

test('only the listed blocks are not run, each for a reason', () => {
  const marked = documents.flatMap(blocksOf).filter(({ words }) => words.includes('no-run'))
  const firstLines = marked.map(({ code }) => code.split('\n', 1)[0] ?? '')
  expect(firstLines.sort()).toEqual(Object.keys(notRun).sort())
})
