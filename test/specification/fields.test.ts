import { holds } from './check.ts'
import { fields } from './fields.ts'

holds(fields)
