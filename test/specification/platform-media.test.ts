import { holds } from './check.ts'
import { platformMedia } from './platform-media.ts'

holds(platformMedia)
