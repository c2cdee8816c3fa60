import { jobWork } from './jobs/work.ts'

export const aiSweepRules = [jobWork.sweepRule]
