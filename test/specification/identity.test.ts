import { holds } from './check.ts'
import { identity } from './identity.ts'

holds(identity)
