import { expect, onTestFinished, test } from 'vitest'
import { useService } from './one-service.ts'
import { blocksOf, documents } from './snippets/blocks.ts'
import { notRun, runDocument } from './snippets/run.ts'
import { openShell } from './snippets/shell.ts'

const local = useService()

// All guides, in any order and twice: snippets.long.ts.
test.each([
  'README.md',
  'infra/openapi/guides/quick-start.md',
  'infra/openapi/guides/posts.md',
])('every block of %s runs as pasted', async (path) => {
  const shell = openShell(local.folder)
  onTestFinished(() => shell.close())
  await runDocument(shell, local.service.baseUrl, path)
}, 300_000)

test('only the listed blocks are not run, each for a reason', () => {
  const marked = documents.flatMap(blocksOf).filter(({ flags }) => flags.includes('no-run'))
  const firstLines = marked.map(({ code }) => code.split('\n', 1)[0] ?? '')
  expect([...new Set(firstLines)].sort()).toEqual(Object.keys(notRun).sort())
})
