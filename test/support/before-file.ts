import './known-keys.ts'
import { endImagePrograms } from './image-programs.ts'
import { endLeftBehind } from './start.ts'

// Runs before each file: one whose own hook failed before it ended its service fails alone.
await endLeftBehind()
endImagePrograms()
