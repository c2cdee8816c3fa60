import { holds } from './check.ts'
import { platformTexts } from './platform-texts.ts'

holds(platformTexts)
