import { runServe } from './serve/run.ts'
import { buildServer } from './start/build.ts'
import { root, serverFolder } from './start/options.ts'

process.exit(await runServe({ command: 'npm run serve --', folder: serverFolder, home: root, prepare: buildServer }))
