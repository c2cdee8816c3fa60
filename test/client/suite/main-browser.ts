import { runSuite } from './run.ts'

Object.assign(globalThis, { runSuite })
