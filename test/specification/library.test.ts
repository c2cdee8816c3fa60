import { holds } from './check.ts'
import { library } from './library.ts'

holds(library)
