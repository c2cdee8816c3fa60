import { exportWork } from './work.ts'

export const exportSweepRules = [exportWork.sweepRule]
