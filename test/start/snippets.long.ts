import { onTestFinished, test } from 'vitest'
import { useService } from './one-service.ts'
import { runDocument } from './snippets/run.ts'
import { openShell } from './snippets/shell.ts'

const local = useService()

test('every fault of the guide runs as pasted, and ends as it says', async () => {
  const shell = openShell(local.folder)
  onTestFinished(() => shell.close())
  await runDocument(shell, local.service.baseUrl, 'infra/openapi/guides/testing.md')
}, 600_000)
