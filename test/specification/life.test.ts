import { holds } from './check.ts'
import { life } from './life.ts'

holds(life)
