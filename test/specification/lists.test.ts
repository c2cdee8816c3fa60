import { holds } from './check.ts'
import { lists } from './lists.ts'

holds(lists)
