export { Crash } from '../../infra/local/service/invocation.ts'
