import { access } from './access.ts'
import { holds } from './check.ts'

holds(access)
