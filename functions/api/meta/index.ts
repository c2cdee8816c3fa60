export { handler as docs } from './docs.ts'
export { handler as docsViewer } from './docs-viewer.ts'
export { handler as health } from './health.ts'
export { handler as openapi } from './openapi.ts'
