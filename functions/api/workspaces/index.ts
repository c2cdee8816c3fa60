export { handler as create } from './create.ts'
export { handler as get } from './get.ts'
export { handler as list } from './list.ts'
