import { bodies } from './bodies.ts'
import { holds } from './check.ts'

holds(bodies)
