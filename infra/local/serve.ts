import { join } from 'node:path'
import { runServe } from './serve/run.ts'
import { buildServer } from './start/build.ts'
import { root, serverFolder } from './start/options.ts'

const server = {
  command: 'npm run serve --',
  folder: serverFolder,
  operator: join(root, 'infra/commands/operator.ts'),
  home: root,
  prepare: buildServer,
}
process.exit(await runServe(server))
