import { join } from 'node:path'
import { runServe } from './run.ts'

/** The program of `npm run build:server`, which has everything beside it. */
const server = {
  command: 'node serve.cjs',
  folder: import.meta.dirname,
  operator: join(import.meta.dirname, 'operator.cjs'),
  home: process.cwd(),
  prepare: async () => {},
}
void runServe(server).then((code) => process.exit(code))
