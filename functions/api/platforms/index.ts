export { handler as list } from './list.ts'
