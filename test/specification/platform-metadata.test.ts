import { holds } from './check.ts'
import { platformMetadata } from './platform-metadata.ts'

holds(platformMetadata)
